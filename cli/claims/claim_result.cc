// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/cli/claims/claim_result.h"
#include <algorithm>
#include <utility>
#include "layoutcheck/cli/base/one_line.h"
#include "layoutcheck/cli/reports/finding_text.h"
#include "layoutcheck/cli/run/proof_output.h"
#include "layoutcheck/core/base/str_cat.h"
#include "layoutcheck/properties/model/finding.h"

namespace layoutcheck {
namespace {

constexpr size_t kMostKeptProblems = 100;

bool IsProof(const Claim& claim) { return claim.kind.starts_with("prove") || claim.kind == "verify"; }

// Returns the last line that says something, without the name of the command before it.
std::string LastMessage(std::string_view text) {
  while (text.ends_with('\n')) text.remove_suffix(1);
  std::string_view line = text.substr(text.rfind('\n') + 1);
  constexpr std::string_view kProgram = "layoutcheck ";
  if (line.starts_with(kProgram) && line.contains(": ")) line.remove_prefix(line.find(": ") + 2);
  constexpr std::string_view kWarning = "warning: ";
  if (line.starts_with(kWarning)) line.remove_prefix(kWarning.size());
  return OneLine(line);
}

// Returns the place that a row names, with the rule and the message.
ClaimProblem ProblemAt(const Json& row, std::string rule, std::string_view message) {
  return {std::move(rule),
          OneLine(message),
          row.value("file", ""),
          row.value<int64_t>("line", 0),
          row.value<int64_t>("column", 0),
          row};
}

// Returns the sentence about a finding behind the names of the subject and the law: "on LAYOUT: expected 4, actual 2".
std::string SentenceOfRow(const Json& row) {
  const auto finding = FindingFromJson(row.Dump());
  if (!finding) return row.Dump();
  return FindingSentence(*finding).substr(StrCat(finding->subject, " breaks ", finding->law, " ").size());
}

// Returns the text of a proof behind the name of the law: "refuted: M=9 expected=1024 actual=0".
std::string VerdictOfRow(const Json& row) {
  const std::string text = ProofText(row);
  return text.substr(std::min(text.find(row["verdict"].text()), text.size()));
}

}  // namespace

std::string_view ClaimVerdict(const Claim& claim, ExitCode code) {
  switch (code) {
    case ExitCode::kAccepted: return IsProof(claim) ? "proved" : "accepted";
    case ExitCode::kRejected: return IsProof(claim) ? "refuted" : "rejected";
    case ExitCode::kUnusable: return "unusable";
    case ExitCode::kUndecided: break;
  }
  return "undecided";
}

void ClaimOutput::AddProblem(ClaimProblem problem) {
  if (result_.problems.size() < kMostKeptProblems) {
    result_.problems.push_back(std::move(problem));
  } else {
    ++result_.more_problems;
  }
}

void ClaimOutput::TakeLine(std::string_view line) {
  const auto read = Json::Parse(line);
  if (!read || !read->is_object()) return;
  const Json& row = *read;
  if (row.contains("steps")) {  // a certificate
    if (row["verdict"] != "proved") AddProblem(ProblemAt(row, row["law"].text(), row.value("reason", "")));
  } else if (row.contains("verdict")) {  // a proof
    solver_only_ |= row.contains("solver_only");
    if (ProofExitCode(row) != ExitCode::kAccepted) AddProblem(ProblemAt(row, row["law"].text(), VerdictOfRow(row)));
  } else if (row.contains("severity")) {  // a finding about a module, or an exceeded budget
    if (row["severity"] != "advice") AddProblem(ProblemAt(row, row["rule"].text(), row["message"].text()));
  } else if (row.contains("found")) {  // a finding that was replayed
    if (row["found"] == true) AddProblem(ProblemAt(row, row["law"].text(), SentenceOfRow(row["finding"])));
  } else if (row.contains("relation")) {  // two layouts; the exit code says if the relation is accepted
    AddProblem(ProblemAt(row, "compare", row["relation"].text()));
  } else if (row.contains("law") && row.contains("expected")) {  // a finding about a subject
    AddProblem(ProblemAt(row, row["law"].text(), SentenceOfRow(row)));
  } else if (row.contains("cases")) {  // the totals of a run
    known_ += row.value<int64_t>("known", 0);
    declined_ += row.value<int64_t>("declined", 0);
  }
}

ClaimResult ClaimOutput::Finish(int exit_code, std::string_view errors) && {
  const bool is_known_code = exit_code >= 0 && exit_code <= static_cast<int>(ExitCode::kUndecided);
  result_.code = is_known_code ? static_cast<ExitCode>(exit_code) : ExitCode::kUndecided;
  if (result_.code == ExitCode::kAccepted) {
    // The command accepts what it lists, such as a law that is not asked.
    result_.problems.clear();
    result_.more_problems = 0;
    const auto add = [&](const std::string& note) { StrAppend(result_.note, result_.note.empty() ? "" : ", ", note); };
    if (solver_only_) add("solver only");
    if (known_ > 0) add(StrCat(known_, " known"));
    if (declined_ > 0) add(StrCat(declined_, " declined"));
  } else if (result_.problems.empty()) {
    const std::string line = LastMessage(errors);
    const std::string how = is_known_code ? "" : "the command ended without a verdict";
    AddProblem({.rule = std::string(result_.code == ExitCode::kUnusable ? "unusable" : "undecided"),
                .message = StrCat(how, how.empty() || line.empty() ? "" : ": ", line)});
  }
  return std::move(result_);
}

Json ToJson(const Claim& claim, const ClaimResult& result) {
  Json row{{"type", "claim"},
           {"claim", claim.name},
           {"kind", claim.kind},
           {"verdict", ClaimVerdict(claim, result.code)},
           {"seconds", result.seconds},
           {"unchanged", result.is_unchanged},
           {"command", claim.ShellCommand()},
           {"line", claim.line}};
  if (!result.note.empty()) row["note"] = result.note;
  if (result.problems.empty()) return row;
  Json& problems = row["problems"] = Json::array();
  for (const ClaimProblem& problem : result.problems) {
    problems.push_back({{"rule", problem.rule}, {"message", problem.message}, {"result", problem.row}});
  }
  if (result.more_problems > 0) row["more_problems"] = result.more_problems;
  return row;
}

}  // namespace layoutcheck
