// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Runs find nothing in correct subjects that answer little or have narrow limits. LAYOUTCHECK_CASES is the number of
// cases per subject; `./run faults` sets a million.
#include <gtest/gtest.h>
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <memory>
#include <string>
#include <vector>
#include "layoutcheck/core/base/hash.h"
#include "layoutcheck/core/shape_stride/text.h"
#include "layoutcheck/properties/algebra/algebra_runner.h"
#include "layoutcheck/properties/reference/reference_subject.h"
#include "layoutcheck/properties/run/runner.h"

namespace layoutcheck {
namespace {

uint64_t Cases() {
#ifdef LAYOUTCHECK_SANITIZED
  constexpr uint64_t kCases = 30;
#else
  constexpr uint64_t kCases = 400;
#endif
  const char* const cases = std::getenv("LAYOUTCHECK_CASES");
  return cases == nullptr ? kCases : std::strtoull(cases, nullptr, 10);
}

// Answers like the reference if takes(operation, layout), and otherwise declines.
class Partial final : public Subject {
 public:
  using Takes = bool (*)(std::string_view operation, const Shape& shape);
  Partial(SubjectInfo info, Takes takes) : info_(std::move(info)), takes_(takes) {}

  const SubjectInfo& info() const override { return info_; }
  Answer<ParseAnswer> Parse(std::string_view kind, std::string_view text) override {
    return takes_("parse", Shape()) ? reference_.Parse(kind, text) : Subject::Parse(kind, text);
  }
  Answer<int64_t> Offset(const Shape& shape, std::span<const int64_t> coordinate) override {
    return takes_("offset", shape) ? reference_.Offset(shape, coordinate) : Subject::Offset(shape, coordinate);
  }
  Answer<std::vector<int64_t>> Table(const Shape& shape) override {
    return takes_("table", shape) ? reference_.Table(shape) : Subject::Table(shape);
  }
  Answer<std::optional<Coordinate>> CoordinateAt(const Shape& shape, int64_t offset) override {
    return takes_("coordinate", shape) ? reference_.CoordinateAt(shape, offset) : Subject::CoordinateAt(shape, offset);
  }
  Answer<SizeAnswer> Size(const Shape& shape) override {
    return takes_("size", shape) ? reference_.Size(shape) : Subject::Size(shape);
  }
  Answer<std::vector<int64_t>> Relayout(const Shape& from, const Shape& to, std::span<const int64_t> data) override {
    return takes_("relayout", from) && takes_("relayout", to) ? reference_.Relayout(from, to, data)
                                                              : Subject::Relayout(from, to, data);
  }

 private:
  SubjectInfo info_;
  Takes takes_;
  ReferenceSubject reference_;
};

// Gives one kind of size per layout, chosen by the layout.
class OneSize final : public Subject {
 public:
  const SubjectInfo& info() const override { return info_; }
  Answer<SizeAnswer> Size(const Shape& shape) override {
    auto answer = reference_.Size(shape);
    if (auto* sizes = std::get_if<SizeAnswer>(&answer)) {
      const size_t kept = HashValue(shape) % 4;
      if (kept != 0) sizes->elements.reset();
      if (kept != 1) sizes->padded_elements.reset();
      if (kept != 2) sizes->bytes.reset();
      if (kept != 3) sizes->extent.reset();
    }
    return answer;
  }

 private:
  SubjectInfo info_{"one-size", "1", {}, {}, {}, {}};
  ReferenceSubject reference_;
};

bool TakesEverything(std::string_view, const Shape&) { return true; }

std::vector<std::unique_ptr<Subject>> CorrectSubjects() {
  std::vector<std::unique_ptr<Subject>> subjects;
  const auto add = [&](const char* name, Partial::Takes takes, std::optional<int64_t> max_rank = {},
                       std::optional<int64_t> max_tiles = {}, std::optional<int64_t> max_table_elements = {},
                       std::optional<int64_t> max_questions = {}) {
    subjects.push_back(std::make_unique<Partial>(
        SubjectInfo{name, "1", max_rank, max_tiles, max_table_elements, max_questions}, takes));
  };
  add("everything", TakesEverything);
  add("scalars-only", TakesEverything, 0);
  add("vectors-of-one-tile", TakesEverything, 1, 1);
  add("no-tiles", TakesEverything, 3, 0);
  add("tables-of-one-element", TakesEverything, {}, {}, 1);
  add("few-questions", TakesEverything, {}, {}, {}, 3);
  add("offsets-only", [](std::string_view operation, const Shape&) { return operation == "offset"; }, 3, {}, 64);
  add("texts-only", [](std::string_view operation, const Shape&) { return operation == "parse"; });
  add("relayouts-only", [](std::string_view operation, const Shape&) { return operation == "relayout"; });
  // Declines three of four questions, chosen by layout and operation.
  add("moody",
      [](std::string_view operation, const Shape& shape) { return (HashValue(shape) + operation.size()) % 4 == 0; });
  subjects.push_back(std::make_unique<OneSize>());
  return subjects;
}

// Applies functions like the reference if takes(function, arguments), and otherwise rejects or declines. Results may
// have strides other than the reference's.
class PartialAlgebra final : public ReferenceSubject {
 public:
  using Takes = bool (*)(std::string_view function, std::span<const std::string> arguments);
  using Spelling = IntTuple (*)(const IntTuple& shape, const IntTuple& stride);

  PartialAlgebra(const char* name, Takes takes, bool rejects = false, Spelling stride_of = nullptr)
      : info_{name, "1", {}, {}, {}, {}}, takes_(takes), rejects_(rejects), stride_of_(stride_of) {}

  const SubjectInfo& info() const override { return info_; }
  Answer<std::string> Make(std::string_view tag, int64_t element_bits, std::span<const int64_t> sizes) override {
    if (!takes_("make", {})) return Declined{"make"};
    return ReferenceSubject::Make(tag, element_bits, sizes);
  }
  Answer<ApplyAnswer> Apply(std::string_view function, std::span<const std::string> arguments) override {
    if (!takes_(function, arguments)) {
      if (!rejects_) return Declined{"apply"};
      ApplyAnswer rejected;
      rejected.rejected = "not this one";
      return rejected;
    }
    auto answer = ReferenceSubject::Apply(function, arguments);
    auto* const given = std::get_if<ApplyAnswer>(&answer);
    if (given == nullptr || !given->layout || stride_of_ == nullptr) return answer;
    if (auto layout = ParseShapeStrideLayout(*given->layout)) {
      layout->stride = stride_of_(layout->shape, layout->stride);
      given->layout = ToString(*layout);
    }
    return answer;
  }

 private:
  SubjectInfo info_;
  Takes takes_;
  bool rejects_;
  Spelling stride_of_;
};

// Replaces the strides of modes of one element, along which no coordinate moves.
IntTuple OtherStridesAlongOne(const IntTuple& shape, const IntTuple& stride) {
  if (shape.is_tuple()) {
    std::vector<IntTuple> modes;
    for (size_t i = 0; i < shape.elements().size(); ++i) {
      modes.push_back(OtherStridesAlongOne(shape.elements()[i], stride.elements()[i]));
    }
    return IntTuple::Tuple(std::move(modes));
  }
  return shape.value() == 1 ? IntTuple(7) : stride;
}

std::vector<std::unique_ptr<Subject>> CorrectAlgebras() {
  const auto everything = [](std::string_view, std::span<const std::string>) { return true; };
  const auto one_of_four = [](std::string_view function, std::span<const std::string> arguments) {
    uint64_t hash = HashText(function);
    for (const std::string& argument : arguments) hash = HashText(argument, hash);
    return hash % 4 == 0;
  };
  std::vector<std::unique_ptr<Subject>> subjects;
  subjects.push_back(std::make_unique<PartialAlgebra>("algebra", everything));
  subjects.push_back(std::make_unique<PartialAlgebra>("rejects-much", one_of_four, true));
  subjects.push_back(std::make_unique<PartialAlgebra>("declines-much", one_of_four));
  subjects.push_back(std::make_unique<PartialAlgebra>(
      "few-functions", [](std::string_view function, std::span<const std::string>) { return function.size() < 9; }));
  subjects.push_back(std::make_unique<PartialAlgebra>(
      "static", everything, false,
      [](const IntTuple&, const IntTuple& stride) { return WithStaticLeaves(stride, true); }));
  subjects.push_back(
      std::make_unique<PartialAlgebra>("other-strides-along-one", everything, false, OtherStridesAlongOne));
  return subjects;
}

// Expects that nothing is found in the subjects, each with another seed.
void ExpectNothing(const std::vector<std::unique_ptr<Subject>>& subjects,
                   const std::function<CheckSummary(Subject&, const CheckOptions&)>& check) {
  uint64_t cases = 0;
  uint64_t seed = 20261121;
  for (const auto& subject : subjects) {
    CheckOptions options;
    options.cases = Cases();
    options.seed = seed++;
    const CheckSummary summary = check(*subject, options);
    cases += summary.cases;
    EXPECT_TRUE(summary.AnythingChecked()) << subject->info().name;
    for (const Finding& finding : summary.findings) {
      ADD_FAILURE() << subject->info().name << ", seed " << options.seed << ": " << finding.law << " " << finding.layout
                    << ": expected " << finding.expected << ", actual " << finding.actual;
    }
  }
  std::printf("%llu cases of correct subjects\n", static_cast<unsigned long long>(cases));
}

TEST(CorrectSubjects, YieldNothing) {
  ExpectNothing(CorrectSubjects(),
                [](Subject& subject, const CheckOptions& options) { return CheckRandom(subject, options); });
}

TEST(CorrectSubjects, OfTheAlgebraYieldNothing) {
  ExpectNothing(CorrectAlgebras(), [](Subject& subject, const CheckOptions& options) {
    return CheckAlgebra(subject, AlgebraLaws(), options);
  });
}

}  // namespace
}  // namespace layoutcheck
