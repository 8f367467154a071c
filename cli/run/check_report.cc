// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <cstdio>
#include <nlohmann/json.hpp>
#include "layoutcheck/cli/run/check_stages.h"
#include "layoutcheck/core/base/str_cat.h"

namespace layoutcheck {
namespace {

// Writes to stderr which layouts were covered, and warns of laws that the subject always declined.
void PrintCoverage(const CheckCommandLine& arguments, const CheckPlan& plan, const CheckSummary& summary,
                   const RunReport& report) {
  std::string text = plan.scope ? StrCat("scope ", *arguments.exhaustive, ": ", plan.scope->ToString())
                                : StrCat("scope: ", summary.scope.ToString(), "; seed ", arguments.seed);
  if (!summary.complete) StrAppend(text, "; the time was up before all cases were checked");
  if (!arguments.shard.empty()) StrAppend(text, "; shard ", arguments.shard);
  StrAppend(text, "\n");
  if (summary.statistics.total() > 0) StrAppend(text, "distribution: ", summary.statistics.ToString(), "\n");
  if (!summary.families.empty()) {
    StrAppend(text, "distribution of families:");
    for (const auto& [family, cases] : summary.families) {
      StrAppend(text, family == summary.families.begin()->first ? " " : ", ", family, " ", cases);
    }
    StrAppend(text, " of ", summary.cases, " cases\n");
  }
  std::fputs(text.c_str(), stderr);
  for (const auto& [name, tally] : summary.laws) {
    if (tally.declined > 0 && tally.agreed + tally.disagreed == 0) {
      report.Warn(StrCat("law ", name, " was declined in every case"));
    }
  }
}

Json TotalsOf(const CheckSummary& summary, int64_t known) {
  Json by_law = Json::object();
  for (const auto& [name, tally] : summary.laws) {
    by_law[name] = {{"agreed", tally.agreed},
                    {"disagreed", tally.disagreed},
                    {"known", tally.known},
                    {"declined", tally.declined},
                    {"outside_domain", tally.outside_domain}};
  }
  return {{"cases", summary.cases}, {"laws", summary.laws.size()},    {"findings", summary.findings.size()},
          {"known", known},         {"declined", summary.declined()}, {"by_law", by_law}};
}

}  // namespace

ExitCode ReportCheck(const CheckCommandLine& arguments, const CheckPlan& plan, const CheckSummary& summary,
                     const std::vector<std::string>& subject_warnings, const RunReport& report) {
  for (const Finding& finding : summary.findings) report.Print(finding);
  PrintCoverage(arguments, plan, summary, report);
  for (const std::string& warning : subject_warnings) report.Warn(warning);
  // `fuzz` finds failures under other laws.
  report.WarnOfUnseen(plan.known, arguments.known,
                      [](std::string_view law) { return FindLaw(law) != nullptr || FindAlgebraLaw(law) != nullptr; });
  const int64_t seen = plan.known.CountSeen();
  report.PrintTotals(TotalsOf(summary, seen));
  if (report.error()) return Unusable("check", report.error()->message);
  if (!summary.findings.empty()) return ExitCode::kRejected;
  if (summary.AnythingChecked() || seen > 0) return ExitCode::kAccepted;
  report.Warn("nothing was checked");
  return ExitCode::kUndecided;
}

}  // namespace layoutcheck
