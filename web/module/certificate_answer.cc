// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks certificates with the checker of verify/, and says in words what they claim and what their lines do.
#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>
#include "layoutcheck/cli/base/count.h"
#include "layoutcheck/core/base/str_cat.h"
#include "layoutcheck/json/json.h"
#include "layoutcheck/solver/layout_proof/symbolic_layout.h"
#include "layoutcheck/verify/formulas/claim.h"
#include "layoutcheck/verify/proof/lemmas.h"
#include "layoutcheck/verify/verify_certificate.h"
#include "layoutcheck/web/module/answers.h"

namespace layoutcheck {
namespace {

using Texts = std::vector<std::string_view>;

constexpr std::string_view kCase = "path";
constexpr std::string_view kSequent = "sequent ";

// A line of a certificate that begins with these words, and the sentence about it. The first that fits counts.
struct LineWords {
  std::string_view begin;
  std::string_view sentence;
};

constexpr LineWords kLineWords[] = {
    {"atom ", "From here on, the name stands for this quotient, remainder or common bits."},
    {"by strides", "The checker sees it from the strides: each is greater than all that smaller ones add up to."},
    {"by reach", "The checker sees it from the strides: each is at most 1 greater than what smaller ones reach."},
    {"by signs", "The checker adds up the negative strides."},
    {"by enumeration", "The checker computes every point."},
    {"by elimination", "The checker computes the rank of the images over two elements."},
    {"by images", "The checker compares the images of both layouts."},
    {"by ", "A sum of these facts shows the premise."},
    {"cut ", "This number is at least 0, as the next line shows."},
    {"goal", "A sum of these facts shows the goal."},
    {"false", "These facts contradict each other, so every goal holds."},
    {"split ", "The case is split once more."},
    {"+", "The condition is true: a goal."},
    {"-", "The condition is false: a goal."},
    {"Y", "From here on, the condition is true."},
    {"N", "From here on, the condition is false."},
    {"=", "Both values are equal: a goal."},
    {"#", "This number lies below a power of two: a goal."},
    {"fit", "The value fits its type: a goal."},
    {"wrap", "The value is taken modulo the range of its type."},
    {"mask ", "This operand is a number."},
    {"disjoint ", "The operands share no bit: a goal."},
    {"common", "The common bits of both operands have a name."},
};

std::string_view WordsOf(std::string_view line) {
  if (line == "by" || line == "goal") return "This holds without other facts.";
  constexpr std::string_view kLemma = "lemma ";
  if (line.starts_with(kLemma)) {
    const std::string_view rest = line.substr(kLemma.size());
    const auto* const lemma =
        std::ranges::find(verify::kLemmaTexts, rest.substr(0, rest.find(' ')), &verify::LemmaText::name);
    return lemma == std::end(verify::kLemmaTexts) ? std::string_view() : lemma->meaning;
  }
  const auto* const words =
      std::ranges::find_if(kLineWords, [&](const LineWords& one) { return line.starts_with(one.begin); });
  return words == std::end(kLineWords) ? std::string_view() : words->sentence;
}

// Returns the sentence of a law of a layout.
std::string_view StatementOf(std::string_view law) {
  if (law == "onto") return "Every offset in the layout's range is that of an element.";
  const auto found = std::ranges::find(kSymbolicLaws, law, &SymbolicLaw::name);
  return found == kSymbolicLaws.end() ? std::string_view() : found->statement;
}

std::string SentenceOf(const verify::Claim& claim) {
  if (claim.integer) {
    return StrCat(
        "In ", *claim.integer, ", C computes ",
        claim.formula ? StrCat("the value of ", *claim.formula) : "the linear index by the layout's own formula",
        " without overflow",
        claim.layout ? ", if the array's memory has at most as many bytes as the largest value of the type." : ".");
  }
  if (!claim.formula) {
    return claim.equals ? StrCat("Every coordinate has the same linear index in the layout ", *claim.equals, ".")
                        : std::string(StatementOf(claim.law));
  }
  if (claim.law == "injective") return StrCat("No two indices have the same value of ", *claim.formula, ".");
  if (claim.below) return StrCat("The value of ", *claim.formula, " is at least 0 and below ", *claim.below, ".");
  return claim.equals ? StrCat("The value of ", *claim.formula, " is equal to ", *claim.equals, ".")
                      : StrCat("The linear index of every element is the value of ", *claim.formula, ".");
}

Texts LinesOf(std::string_view text) {
  Texts lines;
  while (!text.empty()) {
    const size_t end = text.find('\n');
    lines.push_back(text.substr(0, end));
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
  }
  return lines;
}

// Returns the claim of a certificate, as far as it can be read.
verify::Claim ClaimAt(std::string_view text, const Texts& lines, int64_t first_line) {
  const auto second = static_cast<size_t>(first_line);
  if (second >= lines.size()) return {};
  verify::Lines rest(text.substr(static_cast<size_t>(lines[second].data() - text.data())));
  return verify::TakeClaim(rest).value_or(verify::Claim());
}

// Returns the parts of the lines [first, last]: the claim, and one part per sequent or case, each with its first and
// last line.
Json PartsOf(const Texts& lines, int64_t first, int64_t last) {
  Json parts = Json::array();
  std::string name = "the claim";
  int64_t begin = first;
  const auto finish = [&](int64_t end) { parts.push_back({{"name", name}, {"first", begin}, {"last", end}}); };
  int64_t cases = 0;
  for (int64_t number = first; number <= last; ++number) {
    const std::string_view line = lines[static_cast<size_t>(number - 1)];
    const bool is_sequent = line.starts_with(kSequent);
    if (!is_sequent && line != kCase) continue;
    finish(number - 1);
    name = is_sequent ? std::string(line.substr(kSequent.size())) : StrCat("case ", ++cases);
    begin = number;
  }
  finish(last);
  return parts;
}

Json VerdictJson(std::string_view text, const Texts& lines, const verify::Verdict& verdict, int64_t last) {
  const verify::Claim claim = ClaimAt(text, lines, verdict.first_line);
  std::string result;
  if (verdict.proved) {
    result = StrCat("proved ", ForAllText(verdict.for_all, verdict.ranges));
    if (!verdict.assumptions.empty()) StrAppend(result, " where ", StrJoin(verdict.assumptions, " and "));
    StrAppend(result, ": checked here, ", Counted(verdict.steps, "step"));
  } else {
    result = StrCat("refused at line ", verdict.line, ": ", verdict.reason);
  }
  Json answer{{"proved", verdict.proved},
              {"subject", verdict.subject},
              {"law", verdict.law},
              {"sentence", SentenceOf(claim)},
              {"result", std::move(result)},
              {"steps", verdict.steps},
              {"parts", PartsOf(lines, verdict.first_line, last)}};
  if (claim.source) answer["source"] = *claim.source;
  if (!verdict.proved) answer["wrong_line"] = verdict.line;
  return answer;
}

}  // namespace

Json AnswerCertificate(const Json& request) {
  const std::string text = TextMember(request, "text");
  const auto verdicts = verify::VerifyCertificates(text);
  if (!verdicts) return RejectedField("certificate", verdicts.error());
  const Texts lines = LinesOf(text);
  Json certificates = Json::array();
  for (size_t k = 0; k < verdicts->size(); ++k) {
    const int64_t last = k + 1 < verdicts->size() ? (*verdicts)[k + 1].first_line - 1 : std::ssize(lines);
    certificates.push_back(VerdictJson(text, lines, (*verdicts)[k], last));
  }
  return {{"ok", true},
          {"certificates", std::move(certificates)},
          {"proved", std::ranges::all_of(*verdicts, &verify::Verdict::proved)},
          {"command", StrCat("layoutcheck verify ", ShellWord(TextMember(request, "file")))}};
}

Json AnswerCertificateLines(const Json& request) {
  const std::string text = TextMember(request, "text");
  const Texts lines = LinesOf(text);
  const int64_t last = std::min<int64_t>(request.value("last", int64_t{0}), std::ssize(lines));
  Json rows = Json::array();
  for (int64_t number = std::max<int64_t>(request.value("first", int64_t{1}), 1); number <= last; ++number) {
    const std::string_view line = lines[static_cast<size_t>(number - 1)];
    rows.push_back({{"line", number}, {"text", line}, {"words", WordsOf(line)}});
  }
  return {{"ok", true}, {"rows", std::move(rows)}};
}

}  // namespace layoutcheck
