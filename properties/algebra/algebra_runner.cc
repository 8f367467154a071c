#include "layoutcheck/properties/algebra/algebra_runner.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <utility>

#include "layoutcheck/properties/run/law_run.h"
#include "layoutcheck/properties/run/shrink_choices.h"

namespace layoutcheck {
namespace {

using Clock = std::chrono::steady_clock;
using Arguments = std::vector<std::string>;

class Run : LawRun {
 public:
  Run(Subject& subject, std::span<const AlgebraLaw* const> laws, const CheckOptions& options)
      : LawRun(subject, options), subject_(subject), laws_(laws) {
    for (const AlgebraLaw* law : laws_) TallyOf(law->name());
  }

  void Random() {
    const Clock::time_point start = Clock::now();
    for (uint64_t number = options_.shard_index; number < options_.cases; number += options_.shard_count) {
      if (options_.time && Clock::now() - start >= *options_.time) {
        summary_.complete = false;
        return;
      }
      RandomChoices choices(options_.seed, number);
      const AlgebraCase drawn = DrawAlgebraCase(choices);
      ++summary_.cases;
      for (const AlgebraLaw* law : laws_) Ask(*law, law->ArgumentsOf(drawn), choices.taken());
      if (options_.on_case && !options_.on_case(summary_.cases)) return;
    }
  }

  void Given(const Arguments& arguments) {
    ++summary_.cases;
    for (const AlgebraLaw* law : laws_) Ask(*law, arguments, {});
  }

  CheckSummary Finish() { return std::move(summary_); }

 private:
  void Ask(const AlgebraLaw& law, const Arguments& arguments, const std::vector<uint64_t>& choices) {
    const LawResult result = Counted(law.name(), [&] { return law.Check(subject_, arguments); });
    if (result.verdict == LawResult::Verdict::kDisagree) Report(law, arguments, result, choices);
  }

  // One finding a law: the first failure, shrunk. Further ones are counted with it.
  void Report(const AlgebraLaw& law, const Arguments& arguments, const LawResult& result,
              const std::vector<uint64_t>& choices) {
    const std::string reported = NameInFindings(law.name(), result);
    if (IsKnown(reported, ArgumentsText(arguments), result, true)) {
      ++TallyOf(law.name()).known;
      return;
    }
    if (const auto found = found_.find(reported); found != found_.end()) {
      if (found->second < summary_.findings.size()) ++summary_.findings[found->second].count;
      return;
    }
    Arguments smallest = arguments;
    LawResult smallest_result = result;
    if (!choices.empty()) Shrink(law, reported, choices, smallest, smallest_result);
    Finding finding = FindingOf(reported, ArgumentsText(smallest), smallest_result);
    if (options_.known != nullptr && options_.known->MatchesLayout(reported, finding.layout)) {
      ++TallyOf(law.name()).known;
      return;
    }
    found_[reported] = summary_.findings.size();
    if (options_.on_finding) options_.on_finding(finding);
    summary_.findings.push_back(std::move(finding));
  }

  void Shrink(const AlgebraLaw& law, const std::string& reported, const std::vector<uint64_t>& choices,
              Arguments& smallest, LawResult& smallest_result) {
    const std::string why = smallest_result.why;
    std::map<Arguments, LawResult> asked;  // many choices draw the same case
    const auto check = [&](std::span<const uint64_t> candidate, bool& fails) {
      ReplayedChoices replayed(candidate);
      const Arguments arguments = law.ArgumentsOf(DrawAlgebraCase(replayed));
      const auto [entry, is_new] = asked.try_emplace(arguments);
      if (is_new) entry->second = law.Check(subject_, arguments);
      const LawResult& result = entry->second;
      fails = result.verdict == LawResult::Verdict::kDisagree && result.why == why &&
              !IsKnown(reported, ArgumentsText(arguments), result, false);
      if (fails) {
        smallest = arguments;
        smallest_result = result;
      }
      return replayed.taken();
    };
    const ShrunkChoices shrunk = ShrinkChoices(choices, check, options_.shrink_evaluations);
    bool fails = false;
    check(shrunk.choices, fails);
  }

  Subject& subject_;
  std::span<const AlgebraLaw* const> laws_;
  std::map<std::string, size_t> found_;  // the law of each finding, and its place
};

}  // namespace

CheckSummary CheckAlgebra(Subject& subject, std::span<const AlgebraLaw* const> laws, const CheckOptions& options) {
  Run run(subject, laws, options);
  run.Random();
  return run.Finish();
}

CheckSummary CheckArguments(Subject& subject, std::span<const AlgebraLaw* const> laws,
                            std::span<const std::vector<std::string>> cases, const CheckOptions& options) {
  Run run(subject, laws, options);
  for (const std::vector<std::string>& arguments : cases) run.Given(arguments);
  return run.Finish();
}

bool TakesAlgebra(Subject& subject) {
  const std::string layout = "(2,2):(1,2)";
  return !std::holds_alternative<Declined>(subject.Apply("coalesce", std::span(&layout, 1))) ||
         !std::holds_alternative<Declined>(subject.Make("zN", 16, 16, 16));
}

void Merge(CheckSummary& summary, CheckSummary more) {
  summary.cases = std::max(summary.cases, more.cases);
  summary.complete = summary.complete && more.complete;
  summary.laws.merge(more.laws);
  std::ranges::move(more.findings, std::back_inserter(summary.findings));
}

}  // namespace layoutcheck
