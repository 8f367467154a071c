// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <fmt/format.h>
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <optional>
#include <span>
#include <utility>
#include "layoutcheck/cli/base/count.h"
#include "layoutcheck/cli/base/stop_signals.h"
#include "layoutcheck/cli/base/terminal.h"
#include "layoutcheck/cli/run/check_stages.h"
#include "layoutcheck/core/base/str_cat.h"
#include "layoutcheck/core/bridges/text_to_hlo.h"
#include "layoutcheck/fuzz/differential/judge.h"
#include "layoutcheck/json/json.h"
#include "layoutcheck/properties/algebra/algebra_runner.h"
#include "layoutcheck/properties/sharding/sharding_laws.h"

namespace layoutcheck {
namespace {

// Checks the law of a known difference on its layout or arguments. Returns nothing if it has no such law or layout.
std::optional<CheckSummary> CheckKnown(const KnownDifference& difference, Subject& subject) {
  CheckOptions options;
  options.stop_requested = StopSignals::Requested;
  if (const AlgebraLaw* const law = FindAlgebraLaw(difference.law)) {
    const std::vector<std::string> arguments = ReadArguments(*difference.layout);
    return CheckArguments(subject, std::span(&law, 1), std::span(&arguments, 1), options);
  }
  const auto shape = HloOfText(*difference.layout);
  const Law* const law = FindLaw(difference.law);
  if (!shape || law == nullptr) return std::nullopt;
  options.laws = {law};
  return CheckLayouts(subject, std::span(&*shape, 1), options);
}

// The line of progress of a run.
class Progress {
 public:
  // `cases` is their number, or nothing if it is unknown.
  Progress(std::optional<uint64_t> cases, std::optional<std::chrono::milliseconds> time) : all_(cases), time_(time) {}

  void AddCase() {
    ++cases_;
    if (!line_.IsDue()) return;
    const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
    const double rate = static_cast<double>(cases_) / std::max(seconds, 1e-3);
    std::string text = fmt::format("{} cases, {:.0f}/s, {}", cases_, rate, Counted(findings_, "finding"));
    std::optional<double> left;
    if (all_) left = static_cast<double>(*all_ - std::min(*all_, cases_)) / rate;
    if (time_) left = std::min(left.value_or(INFINITY), std::chrono::duration<double>(*time_).count() - seconds);
    if (left) text += fmt::format(", {:.0f} s left", std::max(0.0, *left));
    line_.Show(text);
  }

  // Makes room for the text of a finding.
  void AddFinding() {
    ++findings_;
    line_.Clear();
  }

 private:
  std::optional<uint64_t> all_;
  std::optional<std::chrono::milliseconds> time_;
  ProgressLine line_;
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
  uint64_t cases_ = 0;
  uint64_t findings_ = 0;
};

// Writes to stderr which layouts were covered, and warns of laws that the subject always declined.
void PrintCoverage(const CheckCommandLine& arguments, const CheckPlan& plan, const CheckSummary& summary,
                   const RunReport& report) {
  std::string text = plan.scope ? StrCat("scope ", *arguments.exhaustive, ": ", plan.scope->ToString())
                                : StrCat("scope: ", summary.scope.ToString(), "; seed ", arguments.seed);
  if (plan.sharding_scope && std::ranges::any_of(ShardingLaws(), [&](const ShardingLaw& law) {
        return summary.laws.contains(std::string(law.name));
      })) {
    text = StrCat(plan.checks_tiled_laws() ? StrCat(text, "; ") : StrCat("scope ", *arguments.exhaustive, ": "),
                  plan.sharding_scope->ToString());
  }
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

// Returns the outcome of the run with each law that has no finding.
RunOutcome OutcomeOf(const std::string& subject, const CheckSummary& summary, std::string undecided) {
  RunOutcome outcome{.subject = subject, .undecided = std::move(undecided)};
  for (const auto& [name, tally] : summary.laws) {
    if (std::ranges::find(summary.findings, name, &Finding::law) != summary.findings.end()) continue;
    if (tally.given_up) {
      outcome.left_out.push_back({name, "given up, because the subject hung or died too often"});
    } else if (tally.disagreed + tally.explained > 0) {
      outcome.left_out.push_back({name, "broken, and counted with the finding of another law"});
    } else if (tally.agreed + tally.known > 0) {
      outcome.kept.push_back(name);
    } else {
      outcome.left_out.push_back({name, tally.declined > 0 ? "declined in every case" : "no case is in its domain"});
    }
  }
  return outcome;
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
          {"largest_elements", summary.largest_elements},
          {"largest_bytes", summary.largest_bytes},
          {"complete", summary.complete},
          {"counts", counts},
          {"by_law", by_law},
          {"families", summary.families}};
}

}  // namespace

CheckSummary RunCheck(CheckPlan& plan, SubjectPool& pool, RunReport& report) {
  Subject& subject = pool.OfThread(0);
  const StopSignals signals({.ends_without_reader = true});
  const RunEndNow end = [] { return StopSignals::Requested() ? RunEnd::kInterrupted : RunEnd::kNone; };
  pool.EndWith(end);
  const bool is_counted = plan.draws_layouts && !plan.scope && plan.options.cases != CheckOptions::kEndless;
  Progress progress(is_counted ? std::optional(plan.options.cases / plan.options.shard_count) : std::nullopt,
                    plan.options.time);
  CheckOptions options = plan.options;
  options.known = &plan.known;
  options.stop_requested = StopSignals::Requested;
  options.on_finding = [&](Finding& finding) {
    progress.AddFinding();
    if (plan.guarded != nullptr) ++plan.guarded->findings;
    report.Add(finding);
    report.Print(finding);
  };
  options.on_case = [&](uint64_t) {
    if (plan.guarded != nullptr) ++plan.guarded->cases;
    progress.AddCase();
    return !report.error();
  };
  std::vector<const AlgebraLaw*> taken;
  if (plan.every_law) taken = AlgebraLawsTakenBy(subject);  // questions to the subject
  if (plan.guarded != nullptr) {
    const size_t tiled_laws = options.laws.empty() ? AllLaws().size() : options.laws.size();
    plan.guarded->laws = (plan.checks_tiled_laws() ? tiled_laws : 0) + plan.AlgebraLawsFor(taken).size();
  }
  CheckSummary summary = CheckAll(plan, taken, pool, options);
  pool.EndWith(end);  // for what is asked after the run
  return summary;
}

std::vector<Finding> GoneDifferences(const CheckCommandLine& arguments, const KnownDifferences& known, Subject& subject,
                                     const RunReport& report) {
  std::vector<Finding> gone;
  for (const KnownDifference& difference : known.all()) {
    if (difference.times_seen > 0 || !difference.layout || TextFaultFromName(difference.law)) continue;
    const std::optional<CheckSummary> summary = CheckKnown(difference, subject);
    if (!summary) {
      report.Warn(StrCat(arguments.known, ":", difference.line, ": no such law or layout"));
      continue;
    }
    if (!summary->findings.empty() || !summary->AnythingChecked()) continue;
    Finding finding;
    finding.subject = arguments.subject;
    finding.law = difference.law;
    finding.layout = *difference.layout;
    finding.expected = StrCat("the known difference of ", arguments.known, ":", difference.line, " (",
                              difference.reason, ", ", difference.version, ", ", difference.reference, ")");
    finding.actual = "the law holds: the entry can be removed";
    finding.seed = arguments.seed;
    gone.push_back(std::move(finding));
  }
  return gone;
}

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
  std::string undecided;
  if (!summary.complete) {
    undecided = StopSignals::Requested() ? "the run was interrupted before everything was checked"
                : std::ranges::all_of(summary.laws, [](const auto& law) { return law.second.given_up; })
                    ? "the run ended because every law was given up"
                : arguments.stop_at_first && !summary.findings.empty()
                    ? "the run ended at the first finding"
                    : "the time was up before everything was checked";
  } else if (!is_anything_checked && summary.findings.empty()) {
    undecided = "nothing was checked";
  }
  if (!undecided.empty()) report.Warn(undecided);
  // An incomplete run, or a share on its own, leaves open which laws the subject would have answered.
  const bool is_whole = summary.complete && (plan.options.shard_count == 1 || report.is_share());
  const std::vector<std::string> unanswered =
      is_whole ? Unanswered(plan, summary, "--law ") : std::vector<std::string>();
  report.WarnOfUnanswered(unanswered);
  report.WarnOfEarlierFindings(arguments.subject, summary.findings);
  Json totals = TotalsOf(summary, seen);
  totals["unanswered"] = unanswered;
  if (undecided.empty() && !unanswered.empty()) undecided = StrCat("never answered: ", StrJoin(unanswered, ", "));
  report.WriteDocuments(arguments.junit, arguments.sarif, OutcomeOf(arguments.subject, summary, std::move(undecided)));
  report.PrintTotals(totals);
  if (report.error()) return Unusable("check", *report.error());
  if (!summary.findings.empty()) return ExitCode::kRejected;
  const bool is_answered = is_anything_checked && (unanswered.empty() || report.is_share());
  return summary.complete && is_answered ? ExitCode::kAccepted : ExitCode::kUndecided;
}

}  // namespace layoutcheck
