// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/properties/run/runner.h"
#include <algorithm>
#include <unordered_map>
#include <utility>
#include "layoutcheck/core/hlo/parser.h"
#include "layoutcheck/properties/generate/draw_case.h"
#include "layoutcheck/properties/run/law_run.h"
#include "layoutcheck/properties/run/remember_answers.h"
#include "layoutcheck/properties/run/shrink_pattern.h"
#include "layoutcheck/properties/run/witness_class.h"

namespace layoutcheck {
namespace {

// largest number of padded elements of a given layout that is checked completely
constexpr int64_t kMostTabulated = int64_t{1} << 20;

class Run final : public LawRun {
 public:
  // Random layouts are shrunk. Layouts that a person gave are listed, one finding each.
  enum class Mode { kRandom, kExhaustive, kGiven };

  Run(Subject& subject, const CheckOptions& options, Mode mode)
      : LawRun(subject, options, {.causes = 4, .repetitions = 3}), mode_(mode), subject_(subject), laws_(options.laws) {
    if (laws_.empty()) laws_.assign(AllLaws().begin(), AllLaws().end());
    summary_.scope = options.scope;
    const SubjectInfo& info = subject.info();
    LayoutScope& scope = summary_.scope;
    if (info.max_rank) scope.max_rank = std::min(scope.max_rank, *info.max_rank);
    if (info.max_tiles) scope.max_tiles = std::min(scope.max_tiles, *info.max_tiles);
    if (info.max_table_elements)
      scope.max_elements = std::max<int64_t>(1, std::min(scope.max_elements, *info.max_table_elements));
    for (const Law* law : laws_) TallyOf(law->name());
  }

  void Random() {
    const CaseSource source = options_.patterns.empty()
                                  ? CaseSource(summary_.scope)
                                  : CaseSource(summary_.scope, options_.patterns, options_.family);
    ForEachNumber([&](uint64_t number) {
      const std::optional<DrawnCase> drawn = source.Draw(options_.seed, number);
      if (!drawn) return;
      if (!drawn->family.empty()) ++summary_.families[std::string(drawn->family)];
      if (drawn->is_huge) {
        CheckSomeElements(*drawn);
        ++summary_.huge_cases;
      } else {
        CheckAllElements(*drawn);
      }
    });
  }

  void Exhaustive(const ExhaustiveScope& scope) {
    const SubjectInfo& info = subject_.info();
    CountedChoices choices;
    uint64_t number = 0;
    do {
      const Shape shape = DrawFromScope(choices, scope);
      if (number++ % options_.shard_count != options_.shard_index) continue;
      if (IsOutOfTime()) return;
      if (info.max_rank && shape.rank() > *info.max_rank) continue;
      if (info.max_tiles && static_cast<int64_t>(shape.layout->tiles.size()) > *info.max_tiles) continue;
      CheckAllElements({.shape = shape});
      if (!EndCase()) return;
    } while (choices.Advance());
  }

  // Checks some elements of a layout, and all of them unless its table is too large.
  void CheckGiven(const Shape& shape) {
    const auto sizes = SizesOf(shape);
    if (!sizes) return;
    ++summary_.cases;
    if (sizes->padded_elements > kMostTabulated) {
      ++summary_.huge_cases;
    } else {
      CheckAllElements({.shape = shape});
    }
    // A subject's table may differ from its answers for single elements.
    CheckSomeElements({.shape = shape});
  }

 private:
  void CheckAllElements(const DrawnCase& drawn) {
    const Expected<LayoutCase> layout_case = LayoutCase::Create(drawn.shape);
    if (!layout_case) return;
    summary_.statistics.Count(drawn.shape);
    summary_.index_evaluations += static_cast<int64_t>(layout_case->offsets.size() * laws_.size());
    AskEveryLaw(*layout_case, drawn, &Law::Check);
  }

  void CheckSomeElements(const DrawnCase& drawn) {
    if (const Expected<HugeCase> huge_case = HugeCase::Create(drawn.shape)) {
      AskEveryLaw(*huge_case, drawn, &Law::CheckHuge);
    }
  }

  template <class Case>
  using Check = LawResult (Law::*)(Subject&, const Case&) const;

  template <class Case>
  void AskEveryLaw(const Case& checked, const DrawnCase& drawn, Check<Case> check) {
    for (const Law* law : laws_) {
      LawResult result = Counted(law->name(), [&] { return (law->*check)(subject_, checked); });
      if (result.verdict != LawResult::Verdict::kDisagree) continue;
      const Failure failure{checked.text, std::move(result)};
      Shrink shrink;
      if (mode_ == Mode::kRandom) {
        shrink = [&](const StillFails& still_fails) {
          return Simplest<Case>(*law, check, drawn, failure, still_fails);
        };
      }
      Report(law->name(), failure, shrink);
    }
  }

  template <class Case>
  Failure Simplest(const Law& law, Check<Case> check, const DrawnCase& drawn, const Failure& first,
                   const StillFails& still_fails) {
    // The failure of each layout, so that the subject is asked once about it.
    std::unordered_map<Shape, std::optional<Failure>> asked = {{drawn.shape, first}};
    const auto fails = [&](const Shape& candidate) {
      const auto [entry, is_new] = asked.try_emplace(candidate);
      if (!is_new) return entry->second.has_value();
      const auto simpler = Case::Create(candidate);
      if (!simpler) return false;
      Failure failure{simpler->text, (law.*check)(subject_, *simpler)};
      if (still_fails(failure)) entry->second = std::move(failure);
      return entry->second.has_value();
    };
    const ShrunkCase shrunk = ShrinkCase(drawn, fails, options_.shrink_evaluations);
    Failure failure = *asked.at(shrunk.shape);
    failure.shown = shrunk.text;
    if (failure.result.why != "subject-timeout") failure.tilings = DescribeTilings(shrunk, drawn.shape, fails);
    return failure;
  }

  bool HaveOneCause(const std::string& layout, const std::string& other) const override {
    if (layout == other || mode_ == Mode::kGiven) return layout == other;
    const auto a = ParseShape(layout);
    const auto b = ParseShape(other);
    return a && b && MayHaveOneCause(*a, *b);
  }

  Mode mode_;
  RememberAnswers subject_;
  std::vector<const Law*> laws_;
};

}  // namespace

int64_t CheckSummary::declined() const {
  int64_t sum = 0;
  for (const auto& [name, tally] : laws) sum += tally.declined;
  return sum;
}

bool CheckSummary::AnythingChecked() const {
  return std::ranges::any_of(laws, [](const auto& law) { return law.second.agreed + law.second.disagreed > 0; });
}

CheckSummary CheckRandom(Subject& subject, const CheckOptions& options) {
  Run run(subject, options, Run::Mode::kRandom);
  run.Random();
  return run.Finish();
}

CheckSummary CheckExhaustive(Subject& subject, const ExhaustiveScope& scope, const CheckOptions& options) {
  Run run(subject, options, Run::Mode::kExhaustive);
  run.Exhaustive(scope);
  return run.Finish();
}

CheckSummary CheckLayouts(Subject& subject, std::span<const Shape> shapes, const CheckOptions& options) {
  Run run(subject, options, Run::Mode::kGiven);
  for (const Shape& shape : shapes) run.CheckGiven(shape);
  return run.Finish();
}

}  // namespace layoutcheck
