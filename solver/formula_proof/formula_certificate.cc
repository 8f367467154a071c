// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <algorithm>
#include <cstddef>
#include <iterator>
#include <optional>
#include "layoutcheck/core/base/str_cat.h"
#include "layoutcheck/solver/formula_proof/prove_formula.h"
#include "layoutcheck/solver/steps/proof_steps.h"

namespace layoutcheck {
namespace {

Relation NormalForm(Certificate& certificate, const TermRelation& relation) {
  Polynomial left = certificate.Normalize(relation.left);
  return {relation.kind, std::move(left), certificate.Normalize(relation.right)};
}

// One path of the evaluation as lines of a certificate: itself, or where that has no steps both sides of a decision.
class PathWriter {
 public:
  PathWriter(const FormulaPathResult& path, uint64_t rlimit)
      : certificate_(*path.certificate), rlimit_(rlimit), common_(path.bit_operands) {
    Ring& ring = certificate_.ring();
    sequent_.instances = path.bit_instances;
    for (size_t k = 0; k < certificate_.hypotheses().size(); ++k) {
      const bool is_derived = std::ranges::find(path.derived, k) != path.derived.end();
      if (!is_derived) sequent_.hypotheses.push_back(certificate_.hypotheses()[k]);
    }
    for (const PathOutcome& outcome : path.trace.outcomes) {
      const bool is_late = outcome.line.empty() && !certificate_.late_hypotheses().empty();
      std::vector<Relation>& goals = is_late ? late_goals_ : sequent_.goals;
      for (const TermRelation& goal : outcome.goals) goals.push_back(NormalForm(certificate_, goal));
      if (outcome.line.empty()) continue;
      OutcomeLine& line = lines_.emplace_back(OutcomeLine{outcome.line, std::nullopt});
      if (outcome.split) line.split = FactOf(ring, NormalForm(certificate_, *outcome.split)).polynomial;
    }
    for (size_t k = 0; k < ring.atoms().size(); ++k) {
      const Ring::Atom& atom = ring.atoms()[k];
      if (atom.kind == AtomKind::kMod && atom.divisor == ring.FromConstant(2)) bits_.push_back(static_cast<AtomId>(k));
    }
  }

  // Returns the text of the path in the cases that are left after the first `decided` bits.
  std::expected<std::string, std::string> Write(size_t decided = 0) {
    const auto proofs = FindProofs();
    if (proofs) return "path\n" + ProofText(certificate_.ring(), *proofs, lines_, common_);
    if (decided == std::min(bits_.size(), kMaxBits)) return std::unexpected(proofs.error());
    Ring& ring = certificate_.ring();
    const Polynomial bit = ring.FromAtom(bits_[decided]);
    const Relation is_zero = {TermRelation::Kind::kLessEqual, bit, {}};
    const Relation is_one = {TermRelation::Kind::kLess, {}, bit};
    std::string text;
    for (const bool zero : {true, false}) {
      lines_.push_back({zero ? "Y" : "N", FactOf(ring, is_zero).polynomial});
      sequent_.hypotheses.push_back(zero ? is_zero : is_one);
      const auto side = Write(decided + 1);
      lines_.pop_back();
      sequent_.hypotheses.pop_back();
      if (!side) return side;
      text += *side;
    }
    return text;
  }

 private:
  // Returns the steps to the outcomes, and from these and the late hypotheses to the late goals.
  std::expected<std::vector<ProofSteps>, std::string> FindProofs() {
    std::vector<ProofSteps> proofs;
    if (late_goals_.empty() || !sequent_.goals.empty()) {
      LAYOUTCHECK_TRY(auto outcomes, FindProofSteps(certificate_, sequent_, rlimit_));
      proofs.push_back(std::move(outcomes));
    }
    if (late_goals_.empty()) return proofs;
    Sequent late{sequent_.hypotheses, late_goals_, sequent_.instances};
    for (const ProofStep& step : proofs.empty() ? std::vector<ProofStep>() : proofs[0].steps) {
      if (step.instance == nullptr) {
        late.hypotheses.push_back({TermRelation::Kind::kLessEqual, {}, step.cut});
      } else {
        std::ranges::copy(step.instance->conclusions, std::back_inserter(late.hypotheses));
      }
    }
    std::ranges::copy(certificate_.late_hypotheses(), std::back_inserter(late.hypotheses));
    LAYOUTCHECK_TRY(auto indices, FindProofSteps(certificate_, late, rlimit_));
    proofs.push_back(std::move(indices));
    return proofs;
  }

  static constexpr size_t kMaxBits = 4;  // number of bits that are decided, each of which doubles the cases

  Certificate& certificate_;
  uint64_t rlimit_;
  const CommonBitsOperands& common_;
  Sequent sequent_;                   // sequent to the outcomes and to the goals without a late hypothesis
  std::vector<Relation> late_goals_;  // goals with late hypotheses
  std::vector<OutcomeLine> lines_;
  std::vector<AtomId> bits_;  // remainders by 2
};

std::expected<std::string, std::string> PathText(const FormulaPathResult& path, uint64_t rlimit) {
  if (!path.trace.untraced.empty()) return std::unexpected(path.trace.untraced);
  if (path.status == PathStatus::kUnsupported) return std::unexpected(path.failure);
  return PathWriter(path, rlimit).Write();
}

}  // namespace

ClaimLines ClaimLinesOf(const FormulaRequest& request, std::string_view law) {
  const Expected<size_t> components = ComponentCount(request);
  const bool is_one_claim = components && (*components == 1 || law == "injective");
  const bool has_known_names = request.known_names && request.strided.empty();
  if (!is_one_claim || !request.more_names.empty() || has_known_names) return {};
  ClaimLines lines;
  if (!request.layout.empty()) lines.emplace_back("layout", request.layout);
  if (!request.strided.empty()) {
    lines.emplace_back("layout", request.strided);
  } else if (!request.over.empty()) {
    lines.emplace_back("over", request.over);
  }
  lines.emplace_back("formula", request.formula);
  if (request.equals && !request.equals_is_offset) {
    lines.emplace_back(law == "in-bounds" ? "below" : "equals", *request.equals);
  }
  for (const std::string& name : request.signed_names) lines.emplace_back("signed", name);
  for (const std::string& assumption : request.assumptions) lines.emplace_back("assume", assumption);
  return lines;
}

ClaimLines NoOverflowClaimLines(const FormulaRequest& request, bool is_own, const MachineInteger& integer) {
  ClaimLines lines = ClaimLinesOf(request, "no-overflow");
  if (lines.empty()) return lines;
  for (auto& [word, text] : lines) {
    if (is_own && word == "formula") word = "own";
  }
  lines.emplace_back("integer", integer.name);
  return lines;
}

std::expected<std::string, std::string> FormulaCertificate(std::string_view law, const ClaimLines& claim,
                                                           const std::vector<FormulaPathResult>& paths,
                                                           uint64_t rlimit) {
  if (claim.empty()) return std::unexpected(StrCat("the format has none for this claim about ", law));
  std::string text = CertificateHead(law, claim);
  for (size_t k = 0; k < paths.size(); ++k) {
    const auto path = PathText(paths[k], rlimit);
    if (!path) return std::unexpected(StrCat("case ", k + 1, ": ", path.error()));
    text += *path;
  }
  return text + "end\n";
}

std::string EnumerationCertificate(std::string_view law, const ClaimLines& claim) {
  return CertificateHead(law, claim) + "by enumeration\nend\n";
}

bool HasReadFractal(const FormulaQuestion& question) {
  return question.layout && question.layout->fractal && question.layout->fractal->has_checkers;
}

ClaimLines ReadableClaim(const FormulaQuestion& question, const ClaimLines& claim) {
  ClaimLines readable = claim;
  if (readable.empty() || !question.layout || !question.layout->fractal || HasReadFractal(question)) return readable;
  std::ranges::find(readable, "layout", &ClaimLines::value_type::first)->second = question.layout->fractal->hlo;
  readable.emplace_back("source", question.layout->text);
  return readable;
}

}  // namespace layoutcheck
