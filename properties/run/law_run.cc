// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/properties/run/law_run.h"
#include <algorithm>
#include <utility>

namespace layoutcheck {

LawRun::LawRun(const Subject& subject, const CheckOptions& options, ShrinkLimits limits)
    : options_(options),
      subject_name_(options.subject_name.empty() ? subject.info().name : options.subject_name),
      limits_(limits) {}

void LawRun::ForEachNumber(const std::function<void(uint64_t number)>& check) {
  for (uint64_t number = options_.shard_index; number < options_.cases; number += options_.shard_count) {
    if (IsOutOfTime()) return;
    check(number);
    if (!EndCase()) return;
  }
}

bool LawRun::IsOutOfTime() {
  summary_.complete = !options_.time || Clock::now() - start_ < *options_.time;
  return !summary_.complete;
}

bool LawRun::EndCase() {
  ++summary_.cases;
  return !options_.on_case || options_.on_case(summary_.cases);
}

void LawRun::Report(std::string_view law, Failure failure, const Shrink& shrink) {
  // A failure of the subject itself is one cause for all laws.
  const std::string name = failure.result.why.empty() ? std::string(law) : failure.result.why;
  LawTally& tally = TallyOf(law);
  if (IsKnown(name, failure, true)) {
    ++tally.known;
    return;
  }
  auto& [causes, repetitions] = shrunk_[name];
  if (causes.size() >= limits_.causes || repetitions >= limits_.repetitions) {
    if (!causes.empty()) ++summary_.findings[causes.front().finding].count;
    return;
  }
  if (shrink) {
    failure = shrink([&, why = failure.result.why](const Failure& simpler) {
      return simpler.result.verdict == LawResult::Verdict::kDisagree && simpler.result.why == why &&
             !IsKnown(name, simpler, false);
    });
  }
  const auto same =
      std::ranges::find_if(causes, [&](const Cause& cause) { return HaveOneCause(cause.layout, failure.layout); });
  if (same != causes.end()) {
    ++summary_.findings[same->finding].count;
    ++repetitions;
    return;
  }
  if (options_.known != nullptr && options_.known->MatchesLayout(name, failure.layout)) {
    ++repetitions;
    ++tally.known;
    return;
  }
  causes.push_back({failure.layout, summary_.findings.size()});
  repetitions = 0;
  Finding finding = FindingOf(name, failure);
  if (options_.on_finding) options_.on_finding(finding);
  summary_.findings.push_back(std::move(finding));
}

bool LawRun::IsKnown(const std::string& name, const Failure& failure, bool count) const {
  const LawResult& result = failure.result;
  return options_.known != nullptr &&
         options_.known->MatchesPattern(
             {name, failure.layout, result.expected, result.actual, result.text ? *result.text : std::string_view()},
             count);
}

Finding LawRun::FindingOf(const std::string& name, const Failure& failure) const {
  Finding finding;
  finding.subject = subject_name_;
  finding.law = name;
  finding.layout = failure.shown.empty() ? failure.layout : failure.shown;
  finding.tilings = failure.tilings;
  finding.coordinate = failure.result.coordinate;
  finding.offset = failure.result.offset;
  finding.text = failure.result.text;
  finding.expected = failure.result.expected;
  finding.actual = failure.result.actual;
  finding.seed = options_.seed;
  return finding;
}

void LawRun::Count(LawTally& tally, LawResult::Verdict verdict, std::chrono::duration<double> time) {
  tally.seconds += time.count();
  switch (verdict) {
    case LawResult::Verdict::kAgree: ++tally.agreed; break;
    case LawResult::Verdict::kOutsideDomain: ++tally.outside_domain; break;
    case LawResult::Verdict::kDeclined: ++tally.declined; break;
    case LawResult::Verdict::kDisagree: ++tally.disagreed; break;
  }
}

}  // namespace layoutcheck
