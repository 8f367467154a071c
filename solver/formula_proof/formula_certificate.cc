// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/solver/formula_proof/formula_certificate.h"
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

std::expected<std::string, std::string> PathText(const FormulaPathResult& path, uint64_t rlimit) {
  if (!path.untraced.empty()) return std::unexpected(path.untraced);
  if (path.status == PathStatus::kUnsupported) return std::unexpected(path.failure);
  Certificate& certificate = *path.certificate;
  std::vector<OutcomeLine> lines;
  std::vector<Relation> goals;
  for (const PathOutcome& outcome : path.outcomes) {
    for (const TermRelation& goal : outcome.goals) goals.push_back(NormalForm(certificate, goal));
    if (outcome.line.empty()) continue;
    OutcomeLine& line = lines.emplace_back(OutcomeLine{outcome.line, std::nullopt});
    if (outcome.split) line.split = FactOf(certificate.ring(), NormalForm(certificate, *outcome.split)).polynomial;
  }
  const auto steps = FindProofSteps(certificate, goals, rlimit);
  if (!steps) return std::unexpected(steps.error());
  return "path\n" + ProofText(certificate.ring(), *steps, lines);
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
