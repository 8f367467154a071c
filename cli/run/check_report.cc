// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <algorithm>
#include <cstdio>
#include <nlohmann/json.hpp>
#include "layoutcheck/cli/base/stop_signals.h"
#include "layoutcheck/cli/run/check_stages.h"
#include "layoutcheck/core/base/str_cat.h"

namespace layoutcheck {
namespace {

// Writes to stderr which layouts were covered, and warns of laws that the subject always declined.
void PrintCoverage(const CheckCommandLine& arguments, const CheckPlan& plan, const CheckSummary& summary,
                   const RunReport& report) {
  std::string text = plan.scope ? StrCat("scope ", *arguments.exhaustive, ": ", plan.scope->ToString())
                                : StrCat("scope: ", summary.scope.ToString(), "; seed ", arguments.seed);
  if (plan.options.shard_count > 1) StrAppend(text, "; shard ", ShardOf(plan.options).ToString());
  StrAppend(text, "\n");
  if (summary.statistics.total() > 0) StrAppend(text, "distribution: ", summary.statistics.ToString(), "\n");
  if (!summary.families.empty()) {
    StrAppend(text, "distribution of families:");
    for (const auto& [family, cases] : summary.families) {
      StrAppend(text, family == summary.families.begin()->first ? " " : ", ", family, " ", cases);
    }
    StrAppend(text, " of ", summary.cases, " cases\n");
  }
  std::vector<std::string> declined;
  std::vector<std::string> explained;
  for (const auto& [name, tally] : summary.laws) {
    const bool is_named = std::ranges::find(plan.named_laws, name) != plan.named_laws.end();
    if (tally.declined > 0 && !tally.is_answered() && !is_named) declined.push_back(name);
    if (tally.explained > 0) explained.push_back(StrCat(name, " (", tally.explained, ")"));
  }
  if (!explained.empty()) {
    StrAppend(text, "broken only with the laws on which they rest: ", StrJoin(explained, ", "), "\n");
  }
  std::fputs(text.c_str(), stderr);
  if (!declined.empty()) report.Warn(StrCat("declined in every case: ", StrJoin(declined, ", ")));
}

Json TotalsOf(const CheckSummary& summary, int64_t known) {
  Json by_law = Json::object();
  for (const auto& [name, tally] : summary.laws) {
    by_law[name] = {{"agreed", tally.agreed},     {"disagreed", tally.disagreed},
                    {"known", tally.known},       {"explained", tally.explained},
                    {"declined", tally.declined}, {"outside_domain", tally.outside_domain}};
  }
  Json counts = Json::array();
  for (const Finding& finding : summary.findings) counts.push_back(finding.count);
  return {{"cases", summary.cases},
          {"laws", summary.laws.size()},
          {"findings", summary.findings.size()},
          {"known", known},
          {"declined", summary.declined()},
          {"complete", summary.complete},
          {"counts", counts},
          {"by_law", by_law},
          {"families", summary.families}};
}

}  // namespace

ExitCode ReportCheck(const CheckCommandLine& arguments, const CheckPlan& plan, const CheckSummary& summary,
                     const std::vector<std::string>& subject_warnings, RunReport& report) {
  report.AddCounts(summary.findings);
  if (!arguments.quiet) PrintCoverage(arguments, plan, summary, report);
  for (const std::string& warning : summary.warnings) report.Warn(warning);
  for (const std::string& warning : subject_warnings) report.Warn(warning);
  if (plan.formulas_left_out > 0) {
    report.Warn(StrCat("the formulas of ", plan.formulas_left_out, " lines of ", arguments.layouts_file,
                       " are not used: prove --tiles shows whether they are right"));
  }
  // `fuzz` finds failures under other laws.
  report.WarnOfUnseen(plan.known, arguments.known,
                      [](std::string_view law) { return FindLaw(law) != nullptr || FindAlgebraLaw(law) != nullptr; });
  const int64_t seen = plan.known.CountSeen();
  const bool is_anything_checked = summary.AnythingChecked() || seen > 0;
  if (!summary.complete) {
    report.Warn(StopSignals::Requested() ? "the run was interrupted before everything was checked"
                : std::ranges::all_of(summary.laws, [](const auto& law) { return law.second.given_up; })
                    ? "the run ended because every law was given up"
                : arguments.stop_at_first && !summary.findings.empty()
                    ? "the run ended at the first finding"
                    : "the time was up before everything was checked");
  } else if (!is_anything_checked && summary.findings.empty()) {
    report.Warn("nothing was checked");
  }
  // What an incomplete run or a share on its own would have answered is not known.
  const bool is_whole = summary.complete && (plan.options.shard_count == 1 || report.is_share());
  const std::vector<std::string> unanswered =
      is_whole ? Unanswered(plan, summary, "--law ") : std::vector<std::string>();
  report.WarnOfUnanswered(unanswered);
  report.WarnOfEarlierFindings(arguments.subject, summary.findings);
  Json totals = TotalsOf(summary, seen);
  totals["unanswered"] = unanswered;
  report.PrintTotals(totals);
  if (report.error()) return Unusable("check", report.error()->message);
  if (!summary.findings.empty()) return ExitCode::kRejected;
  const bool is_answered = is_anything_checked && (unanswered.empty() || report.is_share());
  return summary.complete && is_answered ? ExitCode::kAccepted : ExitCode::kUndecided;
}

}  // namespace layoutcheck
