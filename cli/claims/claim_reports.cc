// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/cli/claims/claim_reports.h"
#include <fmt/format.h>
#include <algorithm>
#include <filesystem>
#include <map>
#include <string_view>
#include "layoutcheck/cli/base/count.h"
#include "layoutcheck/cli/base/one_line.h"
#include "layoutcheck/cli/reports/report_parts.h"
#include "layoutcheck/cli/run/proof_output.h"
#include "layoutcheck/core/base/str_cat.h"
#include "layoutcheck/properties/model/shell_word.h"

namespace layoutcheck {
namespace {

constexpr size_t kShownProblems = 5;  // per claim, in texts for people
constexpr size_t kWidestName = 40;

// All verdicts, the best first.
constexpr std::string_view kAllVerdicts[] = {"proved", "accepted", "refuted", "rejected", "undecided", "unusable"};

// Returns "proved", or "accepted (2 known)".
std::string VerdictText(const Claim& claim, const ClaimResult& result) {
  return StrCat(ClaimVerdict(claim, result.code), result.note.empty() ? "" : " (", result.note,
                result.note.empty() ? "" : ")");
}

// Returns "module.txt:10:3: ", or nothing for a problem without a place.
std::string ProblemPlace(const ClaimProblem& problem) {
  if (problem.file.empty() || problem.line == 0) return "";
  return StrCat(problem.file, ":", problem.line, ":", problem.column > 0 ? StrCat(problem.column, ":") : "", " ");
}

// Returns the problems, one per line, the first few of them in full.
std::vector<std::string> ProblemLines(const ClaimResult& result) {
  std::vector<std::string> lines;
  const size_t shown = std::min(result.problems.size(), kShownProblems);
  for (size_t k = 0; k < shown; ++k) {
    const ClaimProblem& problem = result.problems[k];
    lines.push_back(StrCat(ProblemPlace(problem), problem.rule, ": ", problem.message));
  }
  const size_t more = result.problems.size() - shown + result.more_problems;
  if (more > 0) lines.push_back(StrCat("and ", more, " more: see --json"));
  return lines;
}

// Returns the command that repeats a result from the user's directory.
std::string RepeatCommand(const Claim& claim, const std::string& folder) {
  return StrCat(folder.empty() ? "" : StrCat("cd ", ShellWord(folder), " && "), claim.ShellCommand());
}

// Returns the text for a cell of a table in Markdown, with escapes before the characters that mean something there.
std::string MarkdownCell(std::string_view text) {
  std::string cell;
  for (const char c : OneLine(text)) {
    constexpr std::string_view kSpecial = "\\`*_{}[]<>#|&~";
    if (kSpecial.contains(c)) cell += '\\';
    cell += c;
  }
  return cell;
}

// Returns the text as code in a cell of a table. A bar is escaped even there, and backquotes need longer fences.
std::string MarkdownCode(std::string_view text) {
  std::string code;
  size_t run = 0;
  size_t longest = 0;
  for (const char c : OneLine(text)) {
    run = c == '`' ? run + 1 : 0;
    longest = std::max(longest, run);
    if (c == '|') code += '\\';
    code += c;
  }
  const std::string fence(longest + 1, '`');
  const std::string blank = longest > 0 ? " " : "";
  return StrCat(fence, blank, code, blank, fence);
}

}  // namespace

ExitCode ClaimReport::code() const {
  ExitCode worst = ExitCode::kAccepted;
  for (const auto& [claim, result] : results) worst = WorseExitCode(worst, result.code);
  return worst;
}

Json ClaimReport::Totals() const {
  std::map<std::string_view, int64_t> counts;
  int64_t unchanged = 0;
  for (const auto& [claim, result] : results) {
    ++counts[ClaimVerdict(claim, result.code)];
    if (result.is_unchanged) ++unchanged;
  }
  Json totals{{"type", "totals"}, {"claims", results.size()}};
  for (const std::string_view verdict : kAllVerdicts) totals[verdict] = counts[verdict];
  totals["unchanged"] = unchanged;
  return totals;
}

std::string ClaimReport::TotalsText() const {
  const Json totals = Totals();
  std::string text = Counted(results.size(), "claim");
  bool is_first = true;
  for (const std::string_view verdict : kAllVerdicts) {
    const auto count = totals[verdict].get<int64_t>();
    if (count == 0) continue;
    StrAppend(text, is_first ? ": " : ", ", count, " ", verdict);
    is_first = false;
  }
  const auto unchanged = totals["unchanged"].get<int64_t>();
  return unchanged == 0 ? text : StrCat(text, "; ", unchanged, " unchanged since an earlier run");
}

ClaimTable::ClaimTable(const std::vector<Claim>& claims, std::string folder)
    : folder_(std::move(folder)), name_width_(std::string_view("claim").size()), kind_width_(name_width_) {
  for (const Claim& claim : claims) {
    name_width_ = std::max(name_width_, std::min(OneLine(claim.name).size(), kWidestName));
    kind_width_ = std::max(kind_width_, claim.kind.size());
  }
}

std::string ClaimTable::Cells(const std::string& name, std::string_view kind, const std::string& verdict,
                              const std::string& seconds) const {
  return fmt::format("{:<{}}  {:<{}}  {:>9}  {}\n", name, name_width_, kind, kind_width_, seconds, verdict);
}

std::string ClaimTable::Head() const { return Cells("claim", "kind", "verdict", "seconds"); }

std::string ClaimTable::Row(const Claim& claim, const ClaimResult& result) const {
  std::string row = Cells(OneLine(claim.name), claim.kind, VerdictText(claim, result),
                          result.is_unchanged ? "unchanged" : fmt::format("{:.3f}", result.seconds));
  for (const std::string& line : ProblemLines(result)) StrAppend(row, "  ", line, "\n");
  if (!result.problems.empty()) StrAppend(row, "  $ ", OneLine(RepeatCommand(claim, folder_)), "\n");
  return row;
}

std::string ClaimsJunit(const ClaimReport& report) {
  JunitSuite suite{report.file, {}};
  for (const auto& [claim, result] : report.results) {
    const bool is_refuted = result.code == ExitCode::kRejected;
    JunitCase& one = suite.cases.emplace_back(JunitCase{claim.kind, claim.name, JunitCase::Result::kPassed, ""});
    if (result.code == ExitCode::kAccepted) continue;
    one.result = is_refuted ? JunitCase::Result::kFailure : JunitCase::Result::kError;
    const std::string text =
        StrCat(StrJoin(ProblemLines(result), "\n"), "\n$ ", RepeatCommand(claim, report.folder), "\n");
    one.elements = JunitElement(is_refuted ? "failure" : "error", result.problems.front().rule,
                                result.problems.front().message, text);
  }
  return JunitDocument("layoutcheck run", std::span(&suite, 1));
}

std::string ClaimsSarif(const ClaimReport& report) {
  Json rules = Json::array();
  std::map<std::string, size_t> places;
  Json results = Json::array();
  for (const auto& [claim, result] : report.results) {
    for (const ClaimProblem& problem : result.problems) {
      const auto [place, is_new] = places.emplace(problem.rule, rules.size());
      if (is_new) rules.push_back({{"id", problem.rule}});
      const bool has_place = !problem.file.empty() && problem.line > 0;
      const std::string file =
          has_place ? (std::filesystem::path(report.folder) / problem.file).lexically_normal().string() : report.file;
      Json region{{"startLine", has_place ? problem.line : claim.line}};
      if (has_place && problem.column > 0) region["startColumn"] = problem.column;
      const Json location{{"physicalLocation", {{"artifactLocation", {{"uri", UriOf(file)}}}, {"region", region}}}};
      const bool is_error = result.code == ExitCode::kRejected || result.code == ExitCode::kUnusable;
      const std::string text = StrCat("[", claim.kind, ".", claim.name, "] ", problem.rule, ": ", problem.message, "\n",
                                      RepeatCommand(claim, report.folder));
      results.push_back({{"ruleId", problem.rule},
                         {"ruleIndex", place->second},
                         {"level", is_error ? "error" : "warning"},
                         {"message", {{"text", text}}},
                         {"locations", Json::array({location})},
                         {"partialFingerprints",
                          {{"claimRuleMessage/v1", StrCat(claim.kind, ".", claim.name, " ", problem.rule, " ", file,
                                                          " ", problem.message)}}}});
    }
  }
  return SarifDocument(std::move(rules), std::move(results));
}

std::string ClaimsMarkdown(const ClaimReport& report) {
  std::string text = StrCat("### layoutcheck: ", report.TotalsText(), "\n\n",
                            "| claim | kind | verdict | seconds | problems |\n|---|---|---|---:|---|\n");
  for (const auto& [claim, result] : report.results) {
    std::string problems;
    for (const std::string& line : ProblemLines(result)) StrAppend(problems, MarkdownCell(line), "<br>");
    if (!problems.empty()) StrAppend(problems, MarkdownCode(RepeatCommand(claim, report.folder)));
    const std::string verdict = VerdictText(claim, result);
    StrAppend(text, "| ", MarkdownCell(claim.name), " | ", claim.kind, " | ",
              result.code == ExitCode::kAccepted ? verdict : StrCat("**", verdict, "**"), " | ",
              result.is_unchanged ? "unchanged" : fmt::format("{:.3f}", result.seconds), " | ", problems, " |\n");
  }
  return text;
}

}  // namespace layoutcheck
