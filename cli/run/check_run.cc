// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <fmt/format.h>
#include <algorithm>
#include <chrono>
#include <cmath>
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
#include "layoutcheck/properties/algebra/algebra_runner.h"

namespace layoutcheck {
namespace {

// Checks the law of a known difference on its layout or arguments. Returns nothing if it has no such law or layout.
std::optional<CheckSummary> CheckKnown(const KnownDifference& difference, Subject& subject) {
  if (const AlgebraLaw* const law = FindAlgebraLaw(difference.law)) {
    const std::vector<std::string> arguments = ReadArguments(*difference.layout);
    return CheckArguments(subject, std::span(&law, 1), std::span(&arguments, 1), {});
  }
  const auto shape = HloOfText(*difference.layout);
  const Law* const law = FindLaw(difference.law);
  if (!shape || law == nullptr) return std::nullopt;
  CheckOptions options;
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

}  // namespace

CheckSummary RunCheck(CheckPlan& plan, SubjectPool& pool, RunReport& report) {
  Subject& subject = pool.OfThread(0);
  const StopSignals signals;
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
  if (plan.every_law && !plan.scope) taken = AlgebraLawsTakenBy(subject);  // questions to the subject
  if (plan.guarded != nullptr) {
    const size_t tiled_laws = options.laws.empty() ? AllLaws().size() : options.laws.size();
    plan.guarded->laws = (plan.checks_tiled_laws() ? tiled_laws : 0) + plan.AlgebraLawsFor(taken).size();
  }
  return CheckAll(plan, taken, pool, options);
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

}  // namespace layoutcheck
