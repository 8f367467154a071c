// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/properties/run/runner.h"
#include <algorithm>
#include <atomic>
#include <memory>
#include <unordered_map>
#include <utility>
#include "layoutcheck/core/hlo/parser.h"
#include "layoutcheck/core/hlo/printer.h"
#include "layoutcheck/properties/generate/draw_case.h"
#include "layoutcheck/properties/run/law_order.h"
#include "layoutcheck/properties/run/law_run.h"
#include "layoutcheck/properties/run/reach.h"
#include "layoutcheck/properties/run/remember_answers.h"
#include "layoutcheck/properties/run/shrink.h"

namespace layoutcheck {
namespace {

// largest number of padded elements of a given layout that is checked completely
constexpr int64_t kMostTabulated = int64_t{1} << 20;
// largest number of padded elements that is drawn for a subject that answers tables alone
constexpr int64_t kMostInTable = int64_t{1} << 18;

// A case that takes longer makes the next ones smaller, in a run that its time ends.
constexpr std::chrono::milliseconds kSlowCase(100);
constexpr int64_t kFewElements = 64;
constexpr int64_t kFewPadded = 1024;

constexpr std::string_view kElementLaw = "linear-index";

class Run final : public LawRun {
 public:
  // Random layouts are shrunk. Layouts that a person gave are listed, one finding each.
  enum class Mode { kRandom, kExhaustive, kGiven };

  Run(SubjectPool& pool, const CheckOptions& options, Mode mode)
      : Run(pool, options, mode, options.laws.empty() ? AllLaws() : std::span<const Law* const>(options.laws)) {}

  void Random() {
    ends_only_by_time_ = options_.cases == CheckOptions::kEndless;
    NarrowToReach();
    const auto source_of = [&](const LayoutScope& scope) {
      return options_.patterns.empty() ? CaseSource(scope) : CaseSource(scope, options_.patterns, options_.family);
    };
    const CaseSource source = source_of(summary_.scope);
    // A slow subject is asked about more layouts instead of larger ones, where the time ends the run.
    LayoutScope few = summary_.scope;
    few.max_elements = std::min(few.max_elements, kFewElements);
    few.max_padded_elements = std::min(few.max_padded_elements, kFewPadded);
    const CaseSource source_of_few = source_of(few);
    const Clock::time_point start = Clock::now();
    std::atomic<int64_t> asked = 0;
    const auto is_slow = [&] {
      const int64_t count = asked++;
      return options_.time && count > 0 && (Clock::now() - start) / count > kSlowCase;
    };
    WorkOn(NumbersBelow(options_.cases), [&](size_t thread, uint64_t case_number) {
      auto drawn = (is_slow() ? source_of_few : source).Draw(options_.seed, case_number);
      if (!drawn) return Answered{};  // there is no layout to draw
      // Without single offsets, a table is the only way to ask about a large array.
      const bool all = !drawn->is_huge || reach_.has_only_tables();
      const bool some = !all || IsBeyondQuestions(drawn->shape);
      return AskAbout(thread, {*std::move(drawn), case_number, all, some});
    });
  }

  void Exhaustive(const ExhaustiveScope& scope) {
    const SubjectInfo& info = pool_.info();
    CountedChoices choices;
    uint64_t number = 0;
    bool is_at_end = false;
    const auto next = [&]() -> std::optional<Drawn> {
      while (!is_at_end) {
        Shape shape = DrawFromScope(choices, scope);
        is_at_end = !choices.Advance();
        const uint64_t case_number = number++;
        if (case_number % options_.shard_count != options_.shard_index) continue;
        if (info.max_rank && shape.rank() > *info.max_rank) continue;
        if (info.max_tiles && static_cast<int64_t>(shape.layout->tiles.size()) > *info.max_tiles) continue;
        const bool all = FitsTable(shape);
        return Drawn{{.shape = std::move(shape)}, case_number, all, !all};
      }
      return std::nullopt;
    };
    WorkOn(next, [&](size_t thread, Drawn drawn) { return AskAbout(thread, std::move(drawn)); });
  }

  // Checks some elements of each layout, and all of them unless its table is too large.
  void Given(std::span<const Shape> shapes) {
    const auto next = [&, next_number = NumbersBelow(shapes.size())]() mutable -> std::optional<Drawn> {
      while (const auto case_number = next_number()) {
        const Shape& shape = shapes[*case_number];
        const auto sizes = SizesOf(shape);
        // A subject's table may differ from its answers for single elements.
        if (!sizes) continue;
        const bool all = sizes->padded_elements <= kMostTabulated && FitsTable(shape);
        return Drawn{{.shape = shape}, *case_number, all, true};
      }
      return std::nullopt;
    };
    WorkOn(next, [&](size_t thread, Drawn drawn) { return AskAbout(thread, std::move(drawn)); });
  }

 private:
  // A layout of which all elements are to be checked, some elements, or both, one after the other.
  struct Drawn {
    DrawnCase layout;
    uint64_t case_number = 0;  // in the whole run
    bool all = true;
    bool some = false;
  };
  struct Answered {
    std::optional<Drawn> drawn;
    std::optional<LawAnswers> all;
    std::optional<LawAnswers> some;
  };

  Run(SubjectPool& pool, const CheckOptions& options, Mode mode, std::span<const Law* const> laws)
      : LawRun(pool, options, {.causes = 4, .repetitions = 3, .by_features = mode != Mode::kGiven},
               LayoutLaws(laws).names()),
        mode_(mode),
        laws_(laws) {
    for (size_t thread = 0; thread < pool.jobs(); ++thread) {
      subjects_.push_back(std::make_unique<RememberAnswers>(pool.OfThread(thread)));
    }
    summary_.scope = options.scope;
    const SubjectInfo& info = pool.info();
    LayoutScope& scope = summary_.scope;
    if (info.max_rank) scope.max_rank = std::min(scope.max_rank, *info.max_rank);
    if (info.max_tiles) scope.max_tiles = std::min(scope.max_tiles, *info.max_tiles);
    if (info.max_table_elements)
      scope.max_elements = std::max<int64_t>(1, std::min(scope.max_elements, *info.max_table_elements));
  }

  // Narrows the scope to what the subject answers.
  void NarrowToReach() {
    reach_ = ReachOf(pool_.OfThread(0));
    LayoutScope& scope = summary_.scope;
    scope.max_array_elements = std::min(scope.max_array_elements, reach_.max_array_elements);
    scope.max_array_bytes = std::min(scope.max_array_bytes, reach_.max_array_bytes);
    if (!reach_.has_only_tables()) return;
    scope.max_array_elements =
        std::min({scope.max_array_elements, kMostInTable, pool_.info().max_table_elements.value_or(kMostInTable)});
  }

  // Returns true if the subject has no tables, and more elements than it is to be asked for one by one.
  bool IsBeyondQuestions(const Shape& shape) const {
    const auto most = pool_.info().max_questions;
    const auto elements = ElementsIn(shape);
    return most && !reach_.has_tables && elements && *elements > *most;
  }

  // Returns true if the subject's limits allow to ask for a table.
  bool FitsTable(const Shape& shape) const {
    const auto elements = ElementsIn(shape);
    return elements && *elements <= pool_.info().max_table_elements.value_or(*elements);
  }

  template <class Next, class Ask>
  void WorkOn(Next next, Ask ask) {
    Work(next, ask, [&](Answered answered) { Count(std::move(answered)); });
  }

  Answered AskAbout(size_t thread, Drawn drawn) {
    Answered answered{std::move(drawn), {}, {}};
    const Shape& shape = answered.drawn->layout.shape;
    if (answered.drawn->all) answered.all = AskEveryLaw<LayoutCase>(thread, shape);
    if (answered.drawn->some) answered.some = AskEveryLaw<HugeCase>(thread, shape);
    return answered;
  }

  void Count(Answered answered) {
    if (!answered.drawn) return;
    const Drawn& drawn = *answered.drawn;
    if (!drawn.layout.family.empty()) ++summary_.families[std::string(drawn.layout.family)];
    if (!drawn.all) ++summary_.huge_cases;
    if ((answered.all && IsAnswered(*answered.all)) || (answered.some && IsAnswered(*answered.some))) {
      if (mode_ == Mode::kGiven) RecordAnsweredCase(drawn.case_number);
      if (drawn.layout.pattern != nullptr && !options_.patterns.empty()) RecordAnsweredPattern(drawn.layout.pattern);
    }
    for (const auto* answers : {&answered.all, &answered.some}) {
      if (*answers && AnswersElements(**answers)) RecordSizes(drawn.layout.shape);
    }
    if (answered.all) {
      summary_.statistics.Count(drawn.layout.shape);
      int64_t elements = 1;
      for (const int64_t size : drawn.layout.shape.dimensions) elements *= size;
      summary_.index_evaluations += elements * static_cast<int64_t>(laws_.names().size());
      Conclude(drawn.case_number, *std::move(answered.all),
               [&](size_t law) { return QuestionOf<LayoutCase>(law, drawn.layout); });
    }
    if (answered.some) {
      Conclude(drawn.case_number, *std::move(answered.some),
               [&](size_t law) { return QuestionOf<HugeCase>(law, drawn.layout); });
    }
  }

  // Returns true if the subject answered the law about single elements, or any law if that one is not asked.
  bool AnswersElements(const LawAnswers& answers) const {
    const auto law = static_cast<size_t>(std::ranges::find(laws_.names(), kElementLaw) - laws_.names().begin());
    if (law == laws_.names().size()) return IsAnswered(answers);
    return law < answers.size() && IsAnswered({answers[law]});
  }

  void RecordSizes(const Shape& shape) {
    const auto sizes = SizesOf(shape);
    if (!sizes) return;
    summary_.largest_elements = std::max(summary_.largest_elements, sizes->padded_elements);
    summary_.largest_bytes = std::max(summary_.largest_bytes, sizes->bytes);
  }

  // Returns nothing if there is no such case of the layout.
  template <class Case>
  std::optional<LawAnswers> AskEveryLaw(size_t thread, const Shape& shape) {
    constexpr auto kAbout =
        std::is_same_v<Case, LayoutCase> ? LawQuestion::About::kAllElements : LawQuestion::About::kSomeElements;
    const EarlyResults early = CheckEarly(
        pool_.OfThread(thread), [&](size_t) { return LawQuestion{.about = kAbout, .arguments = {ToString(shape)}}; });
    if (early.DecidesAll()) return AskLaws(pool_.OfThread(thread), early, {});
    const auto checked = Case::Create(shape);
    if (!checked) return std::nullopt;
    RememberAnswers& subject = *subjects_[thread];
    return AskLaws(subject, early, [&](size_t law) {
      subject.BeginLaw();
      LawAnswer answer{.result = laws_.Ask(law, subject, *checked), .layout = "", .base = {}};
      if (answer.result.verdict == LawResult::Verdict::kDisagree) {
        answer.layout = checked->text;
        if (answer.result.why.empty()) answer.base = laws_.FailureOfBase(law, subject, checked->shape);
      }
      return answer;
    });
  }

  // `drawn` must outlive the question.
  template <class Case>
  Question QuestionOf(size_t law, const DrawnCase& drawn) {
    Question question;
    question.ask = [this, law](Subject& subject, const std::string& layout) {
      const auto shape = ParseShape(layout);
      const auto checked = shape ? Case::Create(*shape) : std::unexpected(shape.error());
      RememberAnswers within_limits(subject);
      return checked ? laws_.Ask(law, within_limits, *checked) : LawResult::OutsideDomain();
    };
    if (mode_ != Mode::kRandom) return question;
    question.shrink = [this, law, &drawn](Subject& subject, const LawFailure& failure, const StillFails& still_fails) {
      return Simplest<Case>(law, drawn, subject, failure, still_fails);
    };
    return question;
  }

  // Shrinks a failure on the drawn layout, or on another one for which a law asked.
  template <class Case>
  LawFailure Simplest(size_t law, const DrawnCase& drawn, Subject& minimized, const LawFailure& first,
                      const StillFails& still_fails) {
    const auto shape = ParseShape(first.layout);
    if (!shape) return first;
    const DrawnCase start = *shape == drawn.shape ? drawn : DrawnCase{.shape = *shape};
    RememberAnswers subject(minimized);
    // The failure of each layout, so that the subject is asked once about it.
    std::unordered_map<Shape, std::optional<LawFailure>> asked = {{start.shape, first}};
    const auto fails = [&](const Shape& candidate) {
      if (IsOver()) return false;
      const auto [entry, is_new] = asked.try_emplace(candidate);
      if (!is_new) return entry->second.has_value();
      const auto simpler = Case::Create(candidate);
      if (!simpler) return false;
      subject.BeginLaw();
      LawFailure failure{simpler->text, laws_.Ask(law, subject, *simpler), first.requests};
      if (!still_fails(failure)) return false;
      if (failure.result.why.empty() && laws_.RestOnFailure(law, subject, *simpler)) return false;
      if (IsOver()) return false;  // the laws on which it rests may have been declined for that
      entry->second = std::move(failure);
      return true;
    };
    const ShrunkCase shrunk = ShrinkCase(start, fails, options_.shrink_evaluations);
    LawFailure failure = *asked.at(shrunk.shape);
    failure.shown = shrunk.text;
    if (failure.result.why != "subject-timeout") failure.tilings = DescribeTilings(shrunk, start.shape, fails);
    if (IsOver()) failure.tilings.clear();  // not every tiling was tried
    return failure;
  }

  Mode mode_;
  LayoutLaws laws_;
  Reach reach_;
  std::vector<std::unique_ptr<RememberAnswers>> subjects_;  // one per thread
};

}  // namespace

void LawTally::Add(const LawTally& other) {
  agreed += other.agreed;
  disagreed += other.disagreed;
  known += other.known;
  explained += other.explained;
  outside_domain += other.outside_domain;
  declined += other.declined;
  refused += other.refused;
  if (!first_known) {
    first_known = other.first_known;
    first_known_case = other.first_known_case;
  }
  if (!first_refused) {
    first_refused = other.first_refused;
    first_refused_case = other.first_refused_case;
  }
  given_up = given_up || other.given_up;
  seconds += other.seconds;
}

int64_t CheckSummary::declined() const {
  int64_t sum = 0;
  for (const auto& [name, tally] : laws) sum += tally.declined;
  return sum;
}

bool CheckSummary::AnythingChecked() const {
  return std::ranges::any_of(laws, [](const auto& law) { return law.second.is_answered(); });
}

CheckSummary CheckRandom(const AskedSubjects& subjects, const CheckOptions& options) {
  Run run(subjects.pool(), options, Run::Mode::kRandom);
  run.Random();
  return run.Finish();
}

CheckSummary CheckExhaustive(const AskedSubjects& subjects, const ExhaustiveScope& scope, const CheckOptions& options) {
  Run run(subjects.pool(), options, Run::Mode::kExhaustive);
  run.Exhaustive(scope);
  return run.Finish();
}

CheckSummary CheckLayouts(const AskedSubjects& subjects, std::span<const Shape> shapes, const CheckOptions& options) {
  Run run(subjects.pool(), options, Run::Mode::kGiven);
  run.Given(shapes);
  return run.Finish();
}

}  // namespace layoutcheck
