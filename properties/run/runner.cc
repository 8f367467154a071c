#include "layoutcheck/properties/run/runner.h"

#include <algorithm>
#include <unordered_map>
#include <utility>

#include "layoutcheck/core/hlo/printer.h"
#include "layoutcheck/properties/run/law_run.h"
#include "layoutcheck/properties/run/shrink.h"
#include "layoutcheck/properties/run/witness_class.h"

namespace layoutcheck {
namespace {

using Clock = std::chrono::steady_clock;

// Shrinking costs hundreds of questions. After this many causes under one law, further failures are counted with its
// first finding and no longer shrunk.
constexpr size_t kCausesPerLaw = 4;
constexpr uint64_t kHugeEvery = 8;
// The same after this many failures in a row that shrank to causes already found.
constexpr int64_t kRepetitionsPerLaw = 3;

// Given layouts are checked as a whole up to this many padded elements.
constexpr int64_t kMostTabulated = int64_t{1} << 20;

// What was asked about the last few layouts: the laws that compare a layout with another way to say the same ask again
// and again for the same tables and sizes.
template <class T>
class Remembered {
 public:
  // The answer for this layout, asked for where it is not among them.
  template <class Ask>
  const Answer<T>& For(const Shape& shape, Ask ask) {
    for (const auto& [known, answer] : entries_) {
      if (known == shape) return answer;
    }
    constexpr size_t kLayouts = 8;
    if (entries_.size() < kLayouts) return entries_.emplace_back(shape, ask()).second;
    auto& oldest = entries_[next_++ % kLayouts];
    oldest = {shape, ask()};
    return oldest.second;
  }

 private:
  std::vector<std::pair<Shape, Answer<T>>> entries_;
  size_t next_ = 0;
};

class RememberAnswers final : public Subject {
 public:
  explicit RememberAnswers(Subject& subject) : subject_(subject) {}

  const SubjectInfo& info() const override { return subject_.info(); }
  Answer<ParseAnswer> Parse(std::string_view kind, std::string_view text) override {
    return subject_.Parse(kind, text);
  }
  std::vector<Answer<ParseAnswer>> Parses(std::string_view kind, std::span<const std::string> texts) override {
    return subject_.Parses(kind, texts);
  }
  Answer<int64_t> Offset(const Shape& shape, std::span<const int64_t> coordinate) override {
    return subject_.Offset(shape, coordinate);
  }
  Answer<std::vector<int64_t>> Offsets(const Shape& shape, std::span<const Coordinate> coordinates) override {
    return subject_.Offsets(shape, coordinates);
  }
  Answer<std::vector<int64_t>> Table(const Shape& shape) override {
    return tables_.For(shape, [&] { return subject_.Table(shape); });
  }
  Answer<std::optional<Coordinate>> CoordinateAt(const Shape& shape, int64_t offset) override {
    return subject_.CoordinateAt(shape, offset);
  }
  Answer<std::vector<std::optional<Coordinate>>> CoordinatesAt(const Shape& shape,
                                                               std::span<const int64_t> offsets) override {
    return subject_.CoordinatesAt(shape, offsets);
  }
  Answer<SizeAnswer> Size(const Shape& shape) override {
    return sizes_.For(shape, [&] { return subject_.Size(shape); });
  }
  Answer<std::vector<int64_t>> Relayout(const Shape& from, const Shape& to, std::span<const int64_t> data) override {
    return subject_.Relayout(from, to, data);
  }
  Answer<ApplyAnswer> Apply(std::string_view function, std::span<const std::string> arguments) override {
    return subject_.Apply(function, arguments);
  }

 private:
  Subject& subject_;
  Remembered<std::vector<int64_t>> tables_;
  Remembered<SizeAnswer> sizes_;
};

class Run : LawRun {
 public:
  Run(Subject& subject, const CheckOptions& options)
      : LawRun(subject, options), subject_(subject), laws_(options.laws) {
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
    const Clock::time_point start = Clock::now();
    for (uint64_t number = options_.shard_index; number < options_.cases; number += options_.shard_count) {
      if (OutOfTime(start)) return;
      RandomChoices choices(options_.seed, number);
      if (number % kHugeEvery == kHugeEvery - 1) {
        CheckHuge(DrawHugeLayout(choices, summary_.scope), true);
        ++summary_.cases;
        ++summary_.huge_cases;
      } else {
        CheckShape(DrawLayout(choices, summary_.scope), true);
        ++summary_.cases;
      }
      if (options_.on_case && !options_.on_case(summary_.cases)) return;
    }
  }

  // In single places, and as a whole where a table is not too large. Each layout that fails is listed.
  void CheckGiven(const Shape& shape) {
    one_finding_a_cause_ = false;
    const auto sizes = SizesOf(shape);
    if (!sizes) return;
    ++summary_.cases;
    if (sizes->padded_elements > kMostTabulated) {
      ++summary_.huge_cases;
    } else {
      CheckShape(shape, false);
    }
    // What is wrong in a single place need not be wrong in a table, where the subject answers both.
    CheckHuge(shape, false);
  }

  void Exhaustive(const ExhaustiveScope& scope) {
    const Clock::time_point start = Clock::now();
    const SubjectInfo& info = subject_.info();
    CountedChoices choices;
    uint64_t number = 0;
    do {
      if (number++ % options_.shard_count != options_.shard_index) {
        DrawFromScope(choices, scope);
        continue;
      }
      if (OutOfTime(start)) return;
      const Shape shape = DrawFromScope(choices, scope);
      if (info.max_rank && shape.rank() > *info.max_rank) continue;
      if (info.max_tiles && static_cast<int64_t>(shape.layout->tiles.size()) > *info.max_tiles) continue;
      CheckShape(shape, false);
      ++summary_.cases;
      if (options_.on_case && !options_.on_case(summary_.cases)) return;
    } while (choices.Advance());
  }

  void CheckShape(const Shape& shape, bool shrink) {
    const Expected<LayoutCase> layout_case = LayoutCase::Create(shape);
    if (!layout_case) return;
    summary_.statistics.Count(shape);
    const Question question = [&](const Law& law, const Shape& candidate) -> std::optional<LawResult> {
      const auto created = LayoutCase::Create(candidate);
      if (!created) return std::nullopt;
      return law.Check(subject_, *created);
    };
    for (const Law* law : laws_) {
      Ask(*law, shape, shrink, question, [&] { return law->Check(subject_, *layout_case); });
      summary_.index_evaluations += static_cast<int64_t>(layout_case->offsets.size());
    }
  }

 private:
  bool OutOfTime(Clock::time_point start) {
    summary_.complete = !options_.time || Clock::now() - start < *options_.time;
    return !summary_.complete;
  }

  // How a law is asked about a layout: as a whole or in single places. Nothing for what is no layout to ask about.
  using Question = std::function<std::optional<LawResult>(const Law&, const Shape&)>;

  void CheckHuge(const Shape& shape, bool shrink) {
    const Expected<HugeCase> huge_case = HugeCase::Create(shape);
    if (!huge_case) return;
    const Question question = [&](const Law& law, const Shape& candidate) -> std::optional<LawResult> {
      const auto created = HugeCase::Create(candidate);
      if (!created) return std::nullopt;
      return law.CheckHuge(subject_, *created);
    };
    for (const Law* law : laws_) {
      Ask(*law, shape, shrink, question, [&] { return law->CheckHuge(subject_, *huge_case); });
    }
  }

  template <class Check>
  void Ask(const Law& law, const Shape& shape, bool shrink, const Question& question, Check check) {
    const LawResult result = Counted(law.name(), check);
    if (result.verdict == LawResult::Verdict::kDisagree) Report(law, shape, result, shrink, question);
  }

 public:
  CheckSummary Finish() { return std::move(summary_); }

 private:
  void Report(const Law& law, const Shape& shape, const LawResult& result, bool shrink, const Question& question) {
    const std::string reported = NameInFindings(law.name(), result);
    LawTally& tally = TallyOf(law.name());
    if (IsKnown(reported, ToString(shape), result, true)) {
      ++tally.known;
      return;
    }
    Shrunk& shrunk = shrunk_[reported];
    if (shrunk.causes.size() >= kCausesPerLaw || shrunk.repetitions >= kRepetitionsPerLaw) {
      if (!shrunk.causes.empty()) ++summary_.findings[shrunk.causes.front().finding].count;
      return;
    }
    Shape smallest = shape;
    LawResult smallest_result = result;
    if (shrink) Shrink(law, reported, question, smallest, smallest_result);
    Finding finding = FindingOf(reported, ToString(smallest), smallest_result);
    const auto same = std::ranges::find_if(shrunk.causes, [&](const Cause& cause) {
      return cause.smallest == smallest || (one_finding_a_cause_ && MayHaveOneCause(cause.smallest, smallest));
    });
    if (same != shrunk.causes.end()) {
      ++summary_.findings[same->finding].count;
      ++shrunk.repetitions;
      return;
    }
    if (options_.known != nullptr && options_.known->MatchesLayout(reported, finding.layout)) {
      ++shrunk.repetitions;
      ++tally.known;
      return;
    }
    shrunk.causes.push_back({smallest, summary_.findings.size()});
    shrunk.repetitions = 0;
    if (options_.on_finding) options_.on_finding(finding);
    summary_.findings.push_back(std::move(finding));
  }

  void Shrink(const Law& law, const std::string& reported, const Question& question, Shape& smallest,
              LawResult& smallest_result) {
    const std::string why = smallest_result.why;
    // The subject is asked once about each layout.
    std::unordered_map<Shape, bool> asked;
    const auto fails = [&](const Shape& shape) {
      const auto [entry, is_new] = asked.try_emplace(shape, false);
      if (!is_new) return entry->second;
      std::optional<LawResult> result = question(law, shape);
      entry->second = result && result->verdict == LawResult::Verdict::kDisagree && result->why == why &&
                      !IsKnown(reported, ToString(shape), *result, false);
      if (entry->second) smallest_result = *std::move(result);
      return entry->second;
    };
    smallest = ShrinkShape(smallest, fails, options_.shrink_evaluations).shape;
  }

  RememberAnswers subject_;
  std::vector<const Law*> laws_;
  struct Cause {
    Shape smallest;
    size_t finding = 0;  // its place in the summary
  };
  // The failures under a law (by its name in findings) that were shrunk.
  struct Shrunk {
    std::vector<Cause> causes;
    int64_t repetitions = 0;  // in a row
  };
  bool one_finding_a_cause_ = true;
  std::map<std::string, Shrunk> shrunk_;
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
  Run run(subject, options);
  run.Random();
  return run.Finish();
}

CheckSummary CheckExhaustive(Subject& subject, const ExhaustiveScope& scope, const CheckOptions& options) {
  Run run(subject, options);
  run.Exhaustive(scope);
  return run.Finish();
}

CheckSummary CheckLayouts(Subject& subject, std::span<const Shape> shapes, const CheckOptions& options) {
  Run run(subject, options);
  for (const Shape& shape : shapes) run.CheckGiven(shape);
  return run.Finish();
}

}  // namespace layoutcheck
