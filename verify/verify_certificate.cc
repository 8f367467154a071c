// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/verify/verify_certificate.h"
#include <utility>
#include "layoutcheck/core/base/str_cat.h"
#include "layoutcheck/verify/claim.h"
#include "layoutcheck/verify/formula_claim.h"
#include "layoutcheck/verify/laws.h"
#include "layoutcheck/verify/layout.h"
#include "layoutcheck/verify/lines.h"
#include "layoutcheck/verify/statement.h"
#include "layoutcheck/verify/steps.h"

namespace layoutcheck::verify {
namespace {

constexpr std::string_view kFirstLine = "layoutcheck certificate 1";

// Checks the sequents of a law of a tiled layout, from the present line on.
Checked<void> CheckLaw(const Claim& claim, int64_t law_line, Lines& lines, Verdict& verdict) {
  const auto layout = ReadLayout(*claim.layout);
  if (!layout) return std::unexpected(Refusal{law_line + 1, layout.error()});
  verdict.for_all = layout->names;
  const std::vector<Sequent> sequents = SequentsOf(claim.law, *layout);
  if (sequents.empty()) {
    return std::unexpected(Refusal{law_line, StrCat("expected a law of tiled layouts, found ", Quoted(claim.law))});
  }
  for (const Sequent& sequent : sequents) {
    const std::string expected = StrCat("sequent ", sequent.part);
    if (lines.line() != expected) return lines.RefuseLine(Quoted(expected));
    lines.Advance();
    Statement statement;
    sequent.state(statement);
    const Checked<int64_t> steps = StepChecker(statement, lines).Run();
    if (!steps) return std::unexpected(steps.error());
    verdict.steps += *steps;
  }
  return {};
}

// Checks the paths of a claim about a formula, from the present line on.
Checked<void> CheckFormula(const Claim& claim, int64_t law_line, Lines& lines, Verdict& verdict) {
  const auto formula = FormulaClaim::Read(claim);
  if (!formula) return std::unexpected(Refusal{law_line + 1, formula.error()});
  verdict.for_all = formula->names();
  const Checked<int64_t> steps = formula->Check(lines);
  if (!steps) return std::unexpected(steps.error());
  verdict.steps = *steps;
  return {};
}

// Checks one certificate behind its first line.
Checked<void> CheckCertificate(Lines& lines, Verdict& verdict) {
  const int64_t law_line = lines.number();
  const Checked<Claim> claim = TakeClaim(lines);
  if (!claim) return std::unexpected(claim.error());
  verdict.claim = claim->ToText();
  verdict.law = claim->law;
  verdict.subject = claim->layout.value_or(claim->formula.value_or(""));
  verdict.assumptions.assign(claim->assumptions.begin(), claim->assumptions.end());
  const bool is_law =
      claim->layout && !claim->formula && !claim->equals && claim->assumptions.empty() && !claim->integer;
  if (!is_law && claim->law != "formula") {
    return std::unexpected(Refusal{law_line, "expected a law and a layout, or the law 'formula' and a formula"});
  }
  const Checked<void> checked =
      is_law ? CheckLaw(*claim, law_line, lines, verdict) : CheckFormula(*claim, law_line, lines, verdict);
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
