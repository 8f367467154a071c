// Nothing is found in subjects that are right, however little they answer and however narrow their limits are.
//
// LAYOUTCHECK_CASES sets the cases of each subject; ./run faults takes a million.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string>
#include <vector>

#include "layoutcheck/properties/runner.h"

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

// The reference where `takes(operation, layout)`; everything else is declined.
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

// One kind of size a layout, which one depends on the layout.
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

bool Everything(std::string_view, const Shape&) { return true; }

std::vector<std::unique_ptr<Subject>> CorrectSubjects() {
  std::vector<std::unique_ptr<Subject>> subjects;
  const auto add = [&](const char* name, Partial::Takes takes, std::optional<int64_t> max_rank = {},
                       std::optional<int64_t> max_tiles = {}, std::optional<int64_t> max_table_elements = {},
                       std::optional<int64_t> max_questions = {}) {
    subjects.push_back(std::make_unique<Partial>(
        SubjectInfo{name, "1", max_rank, max_tiles, max_table_elements, max_questions}, takes));
  };
  add("everything", Everything);
  add("scalars-only", Everything, 0);
  add("vectors-of-one-tile", Everything, 1, 1);
  add("no-tiles", Everything, 3, 0);
  add("tables-of-one-element", Everything, {}, {}, 1);
  add("few-questions", Everything, {}, {}, {}, 3);
  add(
      "offsets-only", [](std::string_view operation, const Shape&) { return operation == "offset"; }, 3, {}, 64);
  add("texts-only", [](std::string_view operation, const Shape&) { return operation == "parse"; });
  add("relayouts-only", [](std::string_view operation, const Shape&) { return operation == "relayout"; });
  // Three questions of four are declined, by layout and operation.
  add("moody",
      [](std::string_view operation, const Shape& shape) { return (HashValue(shape) + operation.size()) % 4 == 0; });
  subjects.push_back(std::make_unique<OneSize>());
  return subjects;
}

TEST(CorrectSubjects, YieldNothing) {
  uint64_t cases = 0;
  uint64_t seed = 20261121;
  for (const auto& subject : CorrectSubjects()) {
    CheckOptions options;
    options.cases = Cases();
    options.seed = seed++;
    const CheckSummary summary = CheckRandom(*subject, options);
    cases += summary.cases;
    EXPECT_TRUE(summary.AnythingChecked()) << subject->info().name;
    for (const Finding& finding : summary.findings) {
      ADD_FAILURE() << subject->info().name << ", seed " << options.seed << ": " << finding.law << " " << finding.layout
                    << ": expected " << finding.expected << ", actual " << finding.actual;
    }
  }
  std::printf("%llu cases of correct subjects\n", static_cast<unsigned long long>(cases));
}

}  // namespace
}  // namespace layoutcheck
