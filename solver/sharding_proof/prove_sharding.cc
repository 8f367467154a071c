// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/solver/sharding_proof/prove_sharding.h"
#include <algorithm>
#include <utility>
#include "layoutcheck/core/base/str_cat.h"
#include "layoutcheck/solver/layout_proof/prove.h"
#include "layoutcheck/solver/sharding_proof/block_claims.h"
#include "layoutcheck/solver/sharding_proof/local_offsets.h"
#include "layoutcheck/solver/sharding_proof/shard_claims.h"
#include "layoutcheck/solver/sharding_proof/shard_question.h"
#include "layoutcheck/solver/sharding_proof/symbolic_sharding.h"

namespace layoutcheck {
namespace {

class ShardingProver {
 public:
  ShardingProver(const SymbolicSharding& sharding, const std::vector<std::string>& assumptions,
                 const ProveOptions& options)
      : sharding_(sharding), assumptions_(assumptions), options_(options) {
    for (std::string& condition : sharding.Conditions()) assumptions_.push_back(std::move(condition));
  }

  Expected<ProofResult> Prove(const SymbolicShardingLaw& law) {
    result_ = {};
    result_.layout = sharding_.text;
    result_.law = law.name;
    result_.verdict = ProofVerdict::kProved;
    SetNames(sharding_, result_);
    if (law.id == ShardingLawId::kLocalOffsets) {
      LAYOUTCHECK_RETURN_IF_ERROR(AddLocalOffsets());
      return std::move(result_);
    }
    LAYOUTCHECK_RETURN_IF_ERROR(CheckAssumptions());
    for (size_t d = 0; d < sharding_.dimensions.size(); ++d) {
      LAYOUTCHECK_RETURN_IF_ERROR(AddDimension(law.id, d));
    }
    if (result_.method.empty()) result_.method = "no coordinate";
    return std::move(result_);
  }

 private:
  // Adds the claims about a dimension and its cuts. A dimension that is cut once, not strided, is one question. Others
  // are decided cut by cut, also where the assumptions do not hold; the whole is asked about only if a cut
  // is wrong.
  Expected<void> AddDimension(ShardingLawId law, size_t dimension) {
    const SymbolicSharding one = sharding_.Only(dimension);
    const SymbolicSize& size = one.dimensions[0];
    if (IsOfElements(law) && size.name.empty() && size.value == 0) return {};
    if (IsPlain(one)) return AddWhole(law, one, dimension);
    ProofResult by_cuts;
    by_cuts.verdict = ProofVerdict::kProved;
    for (size_t k = 0; k < one.mesh.cuts.size(); ++k) {
      for (DomainClaims& claims : CutClaims(law, one, dimension, k)) {
        claims.where = StrCat("dimension ", dimension, ", cut ", k, claims.where.empty() ? "" : ", ", claims.where);
        if (by_cuts.verdict == ProofVerdict::kProved) LAYOUTCHECK_RETURN_IF_ERROR(AddClaims(claims, by_cuts));
      }
    }
    // The counterexample of a cut is no array of the text.
    if (by_cuts.verdict == ProofVerdict::kRefuted) return AddWhole(law, one, dimension);
    AddClaimResult(std::move(by_cuts), result_);
    return {};
  }

  static bool IsStrided(const MeshCut& cut) { return !cut.blocks.name.empty() || cut.blocks.value != 1; }
  static bool IsPlain(const SymbolicSharding& one) {
    return one.mesh.cuts.size() <= 1 && std::ranges::none_of(one.mesh.cuts, IsStrided);
  }

  // Returns the claims about a dimension with all of its cuts.
  DomainClaims WholeClaims(ShardingLawId law, const SymbolicSharding& array, size_t dimension) const {
    const CutDimension one(array, dimension);
    ShardDomain domain = IsOfElements(law) ? one.Elements() : one.Places(law == ShardingLawId::kOnto);
    std::vector<ShardClaim> claims;
    using Core = CoreShardFormulas;
    switch (law) {
      case ShardingLawId::kInverse: claims = InverseClaims<Core>(domain, one); break;
      case ShardingLawId::kInBounds: claims = InBoundsClaims<Core>(domain, one); break;
      case ShardingLawId::kOnto: claims = OntoClaims<Core>(domain, one); break;
      default: claims = LocalShapeClaims<Core>(domain, one);
    }
    return {std::move(domain), std::move(claims), ""};
  }

  // Returns the claims about one cut for all sizes of what it cuts. A strided cut is plain if it has one block.
  std::vector<DomainClaims> CutClaims(ShardingLawId law, const SymbolicSharding& one, size_t dimension,
                                      size_t k) const {
    const MeshCut& cut = one.mesh.cuts[k];
    SymbolicSharding step = one;
    std::string size = "size";
    while (std::ranges::find(one.names, size) != one.names.end()) size += '_';
    step.dimensions = {{size, 0}};
    step.names.push_back(size);
    step.mesh.cuts = {cut};
    step.mesh.cuts[0].blocks = {{}, 1};
    std::vector<DomainClaims> all;
    const bool may_have_one_block = !cut.blocks.name.empty() || cut.blocks.value == 1;
    if (may_have_one_block) all.push_back(WholeClaims(law, step.Only(0), dimension));
    if (!IsStrided(cut)) return all;
    const AxisPart& axis = cut.axes[0];
    const SymbolicSize parts = axis.is_whole ? one.mesh.axes[axis.axis].size : SymbolicSize{{}, axis.size};
    for (DomainClaims& claims : BlockClaims(law, parts)) all.push_back(std::move(claims));
    return all;
  }

  // Adds the claims about a dimension with all of its cuts, where the assumptions hold.
  Expected<void> AddWhole(ShardingLawId law, const SymbolicSharding& array, size_t dimension) {
    DomainClaims asked = WholeClaims(law, array, dimension);
    asked.where = StrCat("dimension ", dimension);
    if (!assumptions_.empty()) asked.domain.AddNames(sharding_, 0);
    for (const std::string& assumption : assumptions_) LAYOUTCHECK_RETURN_IF_ERROR(asked.domain.Assume(assumption));
    return AddClaims(asked, result_);
  }

  Expected<void> AddClaims(const DomainClaims& asked, ProofResult& result) {
    const std::string source = StrCat(result_.layout, ", ", result_.law, ", ", asked.where);
    for (const ShardClaim& claim : asked.claims) {
      LAYOUTCHECK_TRY(ProofResult proof, asked.domain.Prove(claim, source, options_));
      AddClaimResult(std::move(proof), result);
    }
    return {};
  }

  Expected<void> CheckAssumptions() const {
    ShardDomain domain;
    domain.AddNames(sharding_, 0);
    for (const std::string& assumption : assumptions_) LAYOUTCHECK_RETURN_IF_ERROR(domain.Assume(assumption));
    return {};
  }

  // Returns true if the law is about elements, and not about places or sizes.
  static bool IsOfElements(ShardingLawId law) {
    return law == ShardingLawId::kInverse || law == ShardingLawId::kInBounds;
  }

  // Adds the laws of the layout for all sizes of the dimensions that are cut.
  Expected<void> AddLocalOffsets() {
    if (!sharding_.local.empty()) {
      LAYOUTCHECK_RETURN_IF_ERROR(CheckAssumptions());
      LAYOUTCHECK_TRY(const auto of_layout, ProveLocalOffsets(sharding_, assumptions_, options_));
      for (const ProofResult& proof : of_layout) {
        if (result_.verdict != ProofVerdict::kRefuted) AddClaimResult(proof, result_);
      }
      return {};
    }
    const std::string local = LocalText();
    LAYOUTCHECK_TRY(const auto proofs, ProveLayout(local, {"injective", "in-bounds"}, options_));
    for (const ProofResult& proof : proofs) AddClaimResult(proof, result_);
    result_.for_all = proofs[0].for_all;
    result_.ranges = proofs[0].ranges;
    return {};
  }

  // Returns the text of the shape with a name in place of each number that is cut.
  std::string LocalText() const {
    const std::string& text = sharding_.shape_text;
    const size_t begin = text.find('[') + 1;
    const size_t end = text.find(']');
    std::string sizes;
    for (size_t d = 0; d < sharding_.dimensions.size(); ++d) {
      const SymbolicSize& size = sharding_.dimensions[d];
      const bool is_cut = std::ranges::any_of(sharding_.mesh.cuts,
                                              [&](const MeshCut& cut) { return std::cmp_equal(cut.dimension, d); });
      std::string name = StrCat("local", d);
      StrAppend(sizes, d == 0 ? "" : ",", !size.name.empty() ? size.name : is_cut ? name : StrCat(size.value));
    }
    return StrCat(text.substr(0, begin), sizes, text.substr(end));
  }

  const SymbolicSharding& sharding_;
  std::vector<std::string> assumptions_;
  const ProveOptions& options_;
  ProofResult result_;
};

bool IsOfOne(const SymbolicShardingLaw& law) {
  return law.id != ShardingLawId::kReshard && law.id != ShardingLawId::kView;
}

}  // namespace

Expected<std::vector<ProofResult>> ProveSharding(std::string_view text, const std::vector<std::string>& laws,
                                                 const std::vector<std::string>& assumptions,
                                                 const ProveOptions& options) {
  std::vector<SymbolicShardingLaw> asked;
  std::string known;
  for (const SymbolicShardingLaw& law : kShardingLaws) {
    if (!IsOfOne(law)) continue;
    StrAppend(known, known.empty() ? "" : ", ", law.name);
    if (laws.empty()) asked.push_back(law);
  }
  for (const std::string& name : laws) {
    const auto law = std::ranges::find(kShardingLaws, name, &SymbolicShardingLaw::name);
    if (law == kShardingLaws.end() || !IsOfOne(*law)) {
      return ArgumentError("expected a law of shardings (", known, "), found '", name.substr(0, 40), "'");
    }
    asked.push_back(*law);
  }
  LAYOUTCHECK_TRY(const SymbolicSharding sharding, ParseSymbolicSharding(text));
  ShardingProver prover(sharding, assumptions, options);
  std::vector<ProofResult> results;
  for (const SymbolicShardingLaw& law : asked) {
    LAYOUTCHECK_TRY(ProofResult result, prover.Prove(law));
    results.push_back(std::move(result));
  }
  return results;
}

}  // namespace layoutcheck
