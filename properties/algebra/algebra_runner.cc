// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/properties/algebra/algebra_runner.h"
#include <algorithm>
#include <array>
#include <iterator>
#include <limits>
#include <map>
#include <optional>
#include <utility>
#include "layoutcheck/core/base/str_cat.h"
#include "layoutcheck/properties/algebra/algebra_generator.h"
#include "layoutcheck/properties/algebra/algebra_reference.h"
#include "layoutcheck/properties/run/law_run.h"
#include "layoutcheck/properties/run/shrink.h"
#include "layoutcheck/properties/sharding/sharding_laws.h"

namespace layoutcheck {
namespace {

using ArgumentTexts = std::vector<std::string>;

// number of random cases that are tried in place of one from a family
constexpr uint64_t kRandomCases = 100;

// Asks a subject about each device of one array once, because several laws are about the same parts of an array. These
// laws ask nothing but ShardsOf.
class PartsOfOneArray final : public Subject {
 public:
  explicit PartsOfOneArray(Subject& subject) : subject_(subject) {}

  const SubjectInfo& info() const override { return subject_.info(); }
  std::vector<Answer<ShardAnswer>> ShardsOf(std::string_view layout, std::span<const int64_t> devices) override {
    std::vector<int64_t> unknown;
    std::ranges::copy_if(devices, std::back_inserter(unknown),
                         [&](int64_t device) { return !parts_.contains(device); });
    std::vector<Answer<ShardAnswer>> asked = subject_.ShardsOf(layout, unknown);
    std::vector<Answer<ShardAnswer>> answers;
    auto next = asked.begin();
    for (const int64_t device : devices) {
      const auto known = parts_.find(device);
      if (known == parts_.end() && next == asked.end()) break;  // behind a failure
      answers.push_back(known == parts_.end() ? std::move(*next++) : known->second);
      if (!std::holds_alternative<Failed>(answers.back())) parts_.emplace(device, answers.back());
    }
    return answers;
  }

 private:
  Subject& subject_;
  std::map<int64_t, Answer<ShardAnswer>> parts_;  // by device
};

// Shrinks the first failure of each law, or of each of its tags, to a finding, and counts further failures with it.
class AlgebraRun final : public LawRun {
 public:
  AlgebraRun(SubjectPool& pool, std::span<const AlgebraLaw* const> laws, const CheckOptions& options)
      : LawRun(pool, options, {.causes = 1, .repetitions = std::numeric_limits<int64_t>::max()}, NamesOf(laws)),
        laws_(laws) {}

  void Random() {
    const AlgebraCaseSource source =
        options_.patterns.empty() ? AlgebraCaseSource() : AlgebraCaseSource(options_.patterns);
    if (source.empty()) return;
    ends_only_by_time_ = options_.cases == CheckOptions::kEndless;
    const auto ask = [&](size_t thread, uint64_t case_number) {
      RandomChoices choices(options_.seed, case_number);
      const LayoutPattern* const pattern = source.PatternOf(case_number);
      const AlgebraCase drawn = AlgebraCaseSource::Draw(choices, pattern);
      LawAnswers answers = Ask(thread, [&](size_t law) { return laws_[law]->arguments_of(drawn); });
      return Answered{case_number, std::move(answers), choices.taken(), pattern};
    };
    Work(NumbersBelow(options_.cases), ask, [&](Answered answered) { Count(std::move(answered)); });
  }

  void Enumerated(const ShardingScope& scope) {
    CountedChoices choices;
    uint64_t number = 0;
    bool is_over = false;
    const auto next = [&]() -> std::optional<std::pair<uint64_t, std::string>> {
      while (!is_over) {
        std::pair<uint64_t, std::string> item{number, DrawShardedArray(choices, scope)};
        is_over = !choices.Advance();
        if (number++ % options_.shard_count == options_.shard_index) return item;
      }
      return std::nullopt;
    };
    const auto ask = [&](size_t thread, const std::pair<uint64_t, std::string>& item) {
      PartsOfOneArray parts(pool_.OfThread(thread));
      const ArgumentTexts arguments{item.second};
      return Answered{item.first, Ask(pool_.OfThread(thread), parts, [&](size_t) { return arguments; }), {}};
    };
    Work(next, ask, [&](Answered answered) { Count(std::move(answered)); });
  }

  void Given(std::span<const ArgumentTexts> cases) {
    const auto ask = [&](size_t thread, uint64_t case_number) {
      return Answered{case_number, Ask(thread, [&](size_t) { return cases[case_number]; }), {}};
    };
    Work(NumbersBelow(cases.size()), ask, [&](Answered answered) { Count(std::move(answered)); });
  }

 private:
  struct Answered {
    uint64_t case_number;
    LawAnswers answers;
    std::vector<uint64_t> choices;  // that drew the arguments; none for arguments from a person, which are not shrunk
    const LayoutPattern* pattern = nullptr;  // from which they were drawn, or null
  };

  static std::vector<std::string_view> NamesOf(std::span<const AlgebraLaw* const> laws) {
    std::vector<std::string_view> names;
    for (const AlgebraLaw* law : laws) names.push_back(law->name);
    return names;
  }

  LawAnswers Ask(size_t thread, const std::function<ArgumentTexts(size_t law)>& arguments_of) {
    Subject& subject = pool_.OfThread(thread);
    return Ask(subject, subject, arguments_of);
  }
  // Checks the laws on `asked`, which asks the subject.
  LawAnswers Ask(Subject& subject, Subject& asked, const std::function<ArgumentTexts(size_t law)>& arguments_of) {
    const EarlyResults early = CheckEarly(subject, [&](size_t law) {
      return LawQuestion{.about = LawQuestion::About::kArguments, .arguments = arguments_of(law)};
    });
    return AskLaws(subject, early, [&](size_t law) {
      const ArgumentTexts arguments = arguments_of(law);
      LawAnswer answer{.result = laws_[law]->check(asked, arguments), .layout = "", .base = {}};
      if (answer.result.verdict == LawResult::Verdict::kDisagree || answer.result.is_refusal) {
        answer.layout = ArgumentsText(arguments);
      }
      return answer;
    });
  }

  void Count(Answered answered) {
    if (answered.pattern != nullptr && options_.patterns.empty()) ++summary_.families["cute (algebra)"];
    if (IsAnswered(answered.answers)) {
      if (answered.choices.empty()) RecordAnsweredCase(answered.case_number);
      if (answered.pattern != nullptr && !options_.patterns.empty()) RecordAnsweredPattern(answered.pattern);
    }
    Conclude(answered.case_number, std::move(answered.answers), [&](size_t law) {
      Question question;
      question.ask = [this, law](Subject& subject, const std::string& layout) {
        return laws_[law]->check(subject, ReadArguments(layout));
      };
      if (answered.choices.empty()) return question;
      question.shrink = [&, law](Subject& subject, const LawFailure& failure, const StillFails& still_fails) {
        return Simplest(law, answered, subject, failure, still_fails);
      };
      return question;
    });
  }

  LawFailure Simplest(size_t law, const Answered& answered, Subject& subject, LawFailure failure,
                      const StillFails& still_fails) {
    std::map<ArgumentTexts, LawResult> asked;               // many streams of choices draw the same arguments
    const std::string key = CausesKey("", failure.layout);  // shrinking keeps the tag
    const LayoutPattern* pattern = answered.pattern;
    const auto draw_failing = [&](std::span<const uint64_t> candidate) -> std::optional<std::vector<uint64_t>> {
      if (IsOver()) return std::nullopt;
      ReplayedChoices replayed(candidate);
      const ArgumentTexts arguments = laws_[law]->arguments_of(AlgebraCaseSource::Draw(replayed, pattern));
      const auto [entry, is_new] = asked.try_emplace(arguments);
      if (is_new) entry->second = laws_[law]->check(subject, arguments);
      LawFailure simpler{ArgumentsText(arguments), entry->second, failure.requests};
      if (CausesKey("", simpler.layout) != key || !still_fails(simpler)) return std::nullopt;
      failure = std::move(simpler);
      return replayed.taken();
    };
    std::optional<std::vector<uint64_t>> failing = answered.choices;
    if (pattern != nullptr && options_.patterns.empty()) {
      // A random case that fails in the same way shows that the family is not needed, and shrinks further.
      pattern = nullptr;
      failing.reset();
      for (uint64_t number = 0; !failing && number < kRandomCases; ++number) {
        RandomChoices random(options_.seed, number);
        AlgebraCaseSource::Draw(random, nullptr);
        failing = draw_failing(random.taken());
      }
      if (!failing) {
        pattern = answered.pattern;
        failing = answered.choices;
      }
    }
    draw_failing(ShrinkChoices(*failing, draw_failing, options_.shrink_evaluations));
    // No family has a part in layouts by tag, nor in arguments that are no shape:stride layouts.
    const bool may_need_family = key.empty() && laws_[law]->topic == AlgebraLaw::Topic::kLayouts;
    if (pattern != nullptr && options_.patterns.empty() && may_need_family && !IsOver()) {
      failure.tilings = StrCat("only in the family cute: ", kRandomCases, " random cases do not show it");
    }
    return failure;
  }

  std::span<const AlgebraLaw* const> laws_;
};

}  // namespace

CheckSummary CheckAlgebra(const AskedSubjects& subjects, std::span<const AlgebraLaw* const> laws,
                          const CheckOptions& options) {
  AlgebraRun run(subjects.pool(), laws, options);
  run.Random();
  return run.Finish();
}

CheckSummary CheckArguments(const AskedSubjects& subjects, std::span<const AlgebraLaw* const> laws,
                            std::span<const std::vector<std::string>> cases, const CheckOptions& options) {
  AlgebraRun run(subjects.pool(), laws, options);
  run.Given(cases);
  return run.Finish();
}

CheckSummary CheckShardings(const AskedSubjects& subjects, std::span<const AlgebraLaw* const> laws,
                            const ShardingScope& scope, const CheckOptions& options) {
  std::vector<const AlgebraLaw*> of_one;
  std::ranges::copy_if(laws, std::back_inserter(of_one),
                       [](const AlgebraLaw* law) { return law->topic == AlgebraLaw::Topic::kShards; });
  ShardingScope answered = scope;
  const std::vector<ShardingNotation> notations = NotationsOfShards(subjects.pool().OfThread(0));
  std::erase_if(answered.notations,
                [&](ShardingNotation notation) { return std::ranges::find(notations, notation) == notations.end(); });
  if (answered.notations.empty()) answered.notations = scope.notations;
  AlgebraRun run(subjects.pool(), of_one, options);
  run.Enumerated(answered);
  CheckSummary summary = run.Finish();
  if (answered.notations != scope.notations) {
    summary.warnings.push_back(StrCat("left out the shardings of other notations than ", answered.NotationsText(),
                                      ", because the subject declines them"));
  }
  return summary;
}

bool TakesAlgebra(Subject& subject) {
  const std::string layout = "(2,2):(1,2)";
  return !std::holds_alternative<Declined>(subject.Apply("coalesce", std::span(&layout, 1))) ||
         !std::holds_alternative<Declined>(subject.Make("zN", 16, std::array<int64_t, 2>{16, 16})) ||
         !std::holds_alternative<Declined>(subject.ViewOf(
             {.layout = layout, .extents = {2, 2}, .at = {0, 0}, .tile = {1, 1}, .of = {}, .coordinates = {{0, 0}}}));
}

std::vector<const AlgebraLaw*> AlgebraLawsTakenBy(Subject& subject) {
  const bool takes_algebra = TakesAlgebra(subject);
  const std::string arguments[] = {"ll{dim0:[1]} -> [2]", "1"};
  const bool takes_bits = !std::holds_alternative<Declined>(subject.Apply("linear_apply", arguments));
  const bool takes_axes = !std::holds_alternative<Declined>(subject.AxisInfoOf("range(0,2)"));
  const bool takes_shards = !NotationsOfShards(subject).empty();
  const bool takes_reshards = AnswersReshards(subject);
  const bool takes_shard_views = AnswersShardViews(subject);
  const auto takes = [&](AlgebraLaw::Topic topic) {
    switch (topic) {
      case AlgebraLaw::Topic::kLayouts: return takes_algebra;
      case AlgebraLaw::Topic::kBits: return takes_bits;
      case AlgebraLaw::Topic::kAxes: return takes_axes;
      case AlgebraLaw::Topic::kShards: return takes_shards;
      case AlgebraLaw::Topic::kReshards: return takes_reshards;
      case AlgebraLaw::Topic::kShardViews: return takes_shard_views;
    }
    std::unreachable();
  };
  std::vector<const AlgebraLaw*> taken;
  std::ranges::copy_if(AlgebraLaws(), std::back_inserter(taken),
                       [&](const AlgebraLaw* law) { return takes(law->topic); });
  return taken;
}

void Merge(CheckSummary& summary, CheckSummary more) {
  summary.cases = std::max(summary.cases, more.cases);
  summary.largest_elements = std::max(summary.largest_elements, more.largest_elements);
  summary.largest_bytes = std::max(summary.largest_bytes, more.largest_bytes);
  summary.complete = summary.complete && more.complete;
  summary.laws.merge(more.laws);
  for (const auto& [family, cases] : more.families) summary.families[family] += cases;
  std::ranges::move(more.findings, std::back_inserter(summary.findings));
  std::ranges::move(more.failures, std::back_inserter(summary.failures));
  std::ranges::move(more.warnings, std::back_inserter(summary.warnings));
}

}  // namespace layoutcheck
