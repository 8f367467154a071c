// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/solver/formula_proof/formula_certificate.h"
#include <algorithm>
#include <cstddef>
#include <optional>
#include "layoutcheck/core/base/str_cat.h"
#include "layoutcheck/solver/steps/certificate_text.h"
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
  PathWriter(const FormulaPathResult& path, uint64_t rlimit) : certificate_(*path.certificate), rlimit_(rlimit) {
    Ring& ring = certificate_.ring();
    sequent_.hypotheses = certificate_.hypotheses();
    for (const PathOutcome& outcome : path.outcomes) {
      for (const TermRelation& goal : outcome.goals) sequent_.goals.push_back(NormalForm(certificate_, goal));
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
    const auto steps = FindProofSteps(certificate_, sequent_, rlimit_);
    if (steps) return "path\n" + ProofText(certificate_.ring(), *steps, lines_);
    if (decided == std::min(bits_.size(), kMaxBits)) return std::unexpected(steps.error());
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
  static constexpr size_t kMaxBits = 4;  // that are decided, each of which doubles the cases

  Certificate& certificate_;
  uint64_t rlimit_;
  Sequent sequent_;
  std::vector<OutcomeLine> lines_;
  std::vector<AtomId> bits_;  // remainders by 2
};

std::expected<std::string, std::string> PathText(const FormulaPathResult& path, uint64_t rlimit) {
  if (!path.untraced.empty()) return std::unexpected(path.untraced);
  if (path.status == PathStatus::kUnsupported) return std::unexpected(path.failure);
  return PathWriter(path, rlimit).Write();
}

}  // namespace

ClaimLines ClaimLinesOf(const FormulaRequest& request) {
  const Expected<size_t> components = ComponentCount(request);
  if (!components || *components != 1 || !request.more_names.empty() || request.known_names) return {};
  ClaimLines lines;
  if (!request.layout.empty()) lines.emplace_back("layout", request.layout);
  if (!request.over.empty()) lines.emplace_back("over", request.over);
  lines.emplace_back("formula", request.formula);
  if (request.equals) lines.emplace_back("equals", *request.equals);
  for (const std::string& assumption : request.assumptions) lines.emplace_back("assume", assumption);
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

}  // namespace layoutcheck
