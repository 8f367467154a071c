// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/verify/verify_certificate.h"
#include <utility>
#include "layoutcheck/core/base/str_cat.h"
#include "layoutcheck/verify/formulas/claim.h"
#include "layoutcheck/verify/formulas/formula_claim.h"
#include "layoutcheck/verify/formulas/linear.h"
#include "layoutcheck/verify/formulas/strided.h"
#include "layoutcheck/verify/formulas/strided_laws.h"
#include "layoutcheck/verify/layouts/fractal.h"
#include "layoutcheck/verify/layouts/laws.h"
#include "layoutcheck/verify/proof/lines.h"

namespace layoutcheck::verify {
namespace {

constexpr std::string_view kFirstLine = "layoutcheck certificate 1";

// Checks the sequents of a law of a tiled layout, from the present line on.
Checked<void> CheckLaw(const Claim& claim, int64_t law_line, Lines& lines, Verdict& verdict) {
  const auto layout = ReadTiledOrFractal(*claim.layout);
  if (!layout) return std::unexpected(Refusal{law_line + 1, layout.error()});
  verdict.for_all = layout->names;
  verdict.ranges = RangesOf(*layout);
  const std::vector<Sequent> sequents = SequentsOf(claim.law, *layout);
  if (sequents.empty()) {
    return std::unexpected(Refusal{law_line, StrCat("expected a law of tiled layouts, found ", Quoted(claim.law))});
  }
  LAYOUTCHECK_TRY(verdict.steps, CheckSequents(sequents, lines));
  return {};
}

// Checks the paths of a claim about a formula, from the present line on.
Checked<void> CheckFormula(const Claim& claim, int64_t law_line, Lines& lines, Verdict& verdict) {
  const auto formula = FormulaClaim::Read(claim);
  if (!formula) return std::unexpected(Refusal{law_line + 1, formula.error()});
  verdict.for_all = formula->names();
  verdict.ranges = formula->ranges();
  LAYOUTCHECK_TRY(verdict.steps, formula->Check(lines));
  return {};
}

// Checks a claim about a shape:stride layout, from the present line on.
Checked<void> CheckStridedClaim(const Claim& claim, int64_t law_line, Lines& lines, Verdict& verdict) {
  LAYOUTCHECK_TRY(StridedCheck checked, CheckStrided(claim, law_line, lines));
  verdict.for_all = std::move(checked.names);
  verdict.steps = checked.steps;
  return {};
}

// Checks a law of a layout in bits, from the present line on.
Checked<void> CheckLinearLaw(const Claim& claim, int64_t law_line, Lines& lines, Verdict& verdict) {
  verdict.steps = 1;
  return CheckLinear(claim, law_line, lines);
}

// Checks one certificate behind its first line.
Checked<void> CheckCertificate(Lines& lines, Verdict& verdict) {
  const int64_t law_line = lines.number();
  LAYOUTCHECK_TRY(const Claim claim, TakeClaim(lines));
  verdict.claim = claim.ToText();
  verdict.law = claim.law;
  verdict.subject = claim.Subject();
  verdict.assumptions.assign(claim.assumptions.begin(), claim.assumptions.end());
  verdict.integer = claim.integer.value_or("");
  const bool is_linear = claim.layout && IsLinear(*claim.layout);
  const bool is_law = claim.layout && !claim.own && !claim.formula && (!claim.equals || is_linear) && !claim.below &&
                      claim.signed_names.empty() && claim.assumptions.empty() && !claim.integer;
  const bool is_strided = claim.layout && IsStrided(*claim.layout);
  if (!is_law && !is_strided && !FormulaClaim::HasLaw(claim.law)) {
    return std::unexpected(Refusal{law_line, "expected a law and a layout, or a law of formulas and a formula"});
  }
  const auto check = is_law && is_linear ? CheckLinearLaw
                     : is_strided        ? CheckStridedClaim
                     : is_law            ? CheckLaw
                                         : CheckFormula;
  const Checked<void> checked = check(claim, law_line, lines, verdict);
  if (!checked) return checked;
  if (lines.line() != "end" || lines.IsUnterminated()) return lines.RefuseLine("'end' and the end of its line");
  verdict.line = lines.number();
  lines.Advance();
  return {};
}

}  // namespace

Expected<std::vector<Verdict>> VerifyCertificates(std::string_view content) {
  Lines lines(content);
  if (lines.line() != kFirstLine) {
    return MakeError(ErrorKind::kSyntax, StrCat("line 1: ", lines.RefuseLine(Quoted(kFirstLine)).error().reason));
  }
  std::vector<Verdict> verdicts;
  while (!lines.AtEnd()) {
    Verdict verdict;
    verdict.first_line = lines.number();
    Checked<void> checked;
    if (lines.line() == kFirstLine) {
      lines.Advance();
      checked = CheckCertificate(lines, verdict);
    } else {
      checked = lines.RefuseLine(StrCat(Quoted(kFirstLine), " or the end of the file"));
    }
    verdict.proved = checked.has_value();
    if (!checked) {
      verdict.line = checked.error().line;
      verdict.reason = std::move(checked.error().reason);
      while (!lines.AtEnd() && lines.line() != kFirstLine) lines.Advance();
    }
    verdicts.push_back(std::move(verdict));
  }
  return verdicts;
}

}  // namespace layoutcheck::verify
