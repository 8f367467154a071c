// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/properties/algebra/algebra_runner.h"
#include <algorithm>
#include <iterator>
#include <limits>
#include <map>
#include <optional>
#include <utility>
#include "layoutcheck/properties/algebra/algebra_cases.h"
#include "layoutcheck/properties/run/law_run.h"
#include "layoutcheck/properties/run/shrink_choices.h"

namespace layoutcheck {
namespace {

using Arguments = std::vector<std::string>;

// number of random cases that are tried in place of one from a family
constexpr uint64_t kRandomCases = 100;

// Shrinks the first failure of each law to a finding, and counts its further failures with it.
class Run final : public LawRun {
 public:
  Run(Subject& subject, std::span<const AlgebraLaw* const> laws, const CheckOptions& options)
      : LawRun(subject, options, {.causes = 1, .repetitions = std::numeric_limits<int64_t>::max()}),
        subject_(subject),
        laws_(laws) {
    for (const AlgebraLaw* law : laws_) TallyOf(law->name());
  }

  void Random() {
    const AlgebraCaseSource source =
        options_.patterns.empty() ? AlgebraCaseSource() : AlgebraCaseSource(options_.patterns);
    if (source.empty()) return;
    ForEachNumber([&](uint64_t number) {
      RandomChoices choices(options_.seed, number);
      pattern_ = source.PatternOf(number);
      if (pattern_ != nullptr && options_.patterns.empty()) ++summary_.families["cute (algebra)"];
      const AlgebraCase drawn = AlgebraCaseSource::Draw(choices, pattern_);
      for (const AlgebraLaw* law : laws_) Ask(*law, law->ArgumentsOf(drawn), choices.taken());
    });
  }

  void CheckGiven(const Arguments& arguments) {
    ++summary_.cases;
    for (const AlgebraLaw* law : laws_) Ask(*law, arguments, {});
  }

 private:
  // `choices` drew the arguments. Arguments from a person have none and are not shrunk.
  void Ask(const AlgebraLaw& law, const Arguments& arguments, const std::vector<uint64_t>& choices) {
    LawResult result = Counted(law.name(), [&] { return law.Check(subject_, arguments); });
    if (result.verdict != LawResult::Verdict::kDisagree) return;
    const Failure failure{ArgumentsText(arguments), std::move(result)};
    Shrink shrink;
    if (!choices.empty()) {
      shrink = [&](const StillFails& still_fails) { return Simplest(law, choices, failure, still_fails); };
    }
    Report(law.name(), failure, shrink);
  }

  Failure Simplest(const AlgebraLaw& law, const std::vector<uint64_t>& choices, Failure failure,
                   const StillFails& still_fails) {
    std::map<Arguments, LawResult> asked;  // many streams of choices draw the same arguments
    const LayoutPattern* pattern = pattern_;
    const auto draw_failing = [&](std::span<const uint64_t> candidate) -> std::optional<std::vector<uint64_t>> {
      ReplayedChoices replayed(candidate);
      const Arguments arguments = law.ArgumentsOf(AlgebraCaseSource::Draw(replayed, pattern));
      const auto [entry, is_new] = asked.try_emplace(arguments);
      if (is_new) entry->second = law.Check(subject_, arguments);
      Failure simpler{ArgumentsText(arguments), entry->second};
      if (!still_fails(simpler)) return std::nullopt;
      failure = std::move(simpler);
      return replayed.taken();
    };
    std::optional<std::vector<uint64_t>> failing = choices;
    if (pattern_ != nullptr && options_.patterns.empty()) {
      // A random case that fails in the same way shows that the family is not needed, and shrinks further.
      pattern = nullptr;
      failing.reset();
      for (uint64_t number = 0; !failing && number < kRandomCases; ++number) {
        RandomChoices random(options_.seed, number);
        DrawAlgebraCase(random);
        failing = draw_failing(random.taken());
      }
      if (!failing) {
        pattern = pattern_;
        failing = choices;
      }
    }
    draw_failing(ShrinkChoices(*failing, draw_failing, options_.shrink_evaluations));
    return failure;
  }

  Subject& subject_;
  std::span<const AlgebraLaw* const> laws_;
  const LayoutPattern* pattern_ = nullptr;  // of the current case
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
  for (const std::vector<std::string>& arguments : cases) run.CheckGiven(arguments);
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
  for (const auto& [family, cases] : more.families) summary.families[family] += cases;
  std::ranges::move(more.findings, std::back_inserter(summary.findings));
}

}  // namespace layoutcheck
