// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Runs on several threads, one finding per cause, confirmed findings, and runs that end early.
#include "layoutcheck/properties/run/law_run.h"
#include <gtest/gtest.h>
#include <algorithm>
#include <functional>
#include <memory>
#include <set>
#include "layoutcheck/core/hlo/parser.h"
#include "layoutcheck/core/hlo/printer.h"
#include "layoutcheck/core/tiling/sizes.h"
#include "layoutcheck/json/json.h"
#include "layoutcheck/properties/algebra/algebra_runner.h"
#include "layoutcheck/properties/reference/reference_subject.h"
#include "layoutcheck/properties/run/law_order.h"

namespace layoutcheck {
namespace {

// Answers tables as the reference does for a distorted layout, if distort(shape) returns true.
class WrongTables final : public ReferenceSubject {
 public:
  explicit WrongTables(std::function<bool(const Shape&)> is_wrong) : is_wrong_(std::move(is_wrong)) {}
  Answer<std::vector<int64_t>> Table(const Shape& shape) override {
    auto answer = ReferenceSubject::Table(shape);
    auto* const offsets = std::get_if<std::vector<int64_t>>(&answer);
    if (offsets != nullptr && !offsets->empty() && is_wrong_(shape)) offsets->back() += 1;
    return answer;
  }

 private:
  std::function<bool(const Shape&)> is_wrong_;
};

bool HasTiles(const Shape& shape) { return !shape.layout->tiles.empty(); }

// Returns all that must not depend on the number of threads.
Json Outcome(const CheckSummary& summary) {
  Json outcome = {
      {"cases", summary.cases},       {"huge", summary.huge_cases},   {"evaluations", summary.index_evaluations},
      {"complete", summary.complete}, {"warnings", summary.warnings}, {"statistics", summary.statistics.ToString()},
      {"families", summary.families}};
  for (const Finding& finding : summary.findings) outcome["findings"].push_back(ToJson(finding));
  for (const auto& [law, tally] : summary.laws) {
    outcome["laws"][law] = Json::array(
        {tally.agreed, tally.disagreed, tally.known, tally.declined, tally.outside_domain, tally.explained});
  }
  return outcome;
}

TEST(LawRun, TheOutcomeIsTheSameForEveryNumberOfThreads) {
  const std::function<bool(const Shape&)> defects[] = {
      [](const Shape&) { return false; }, HasTiles,
      [](const Shape& shape) { return shape.rank() == 3 || shape.element_type == ElementType::kS4; }};
  for (const auto& defect : defects) {
    for (const bool stops : {false, true}) {
      Json expected;
      for (const size_t jobs : {1u, 2u, 3u, 8u}) {
        WrongTables first(defect);
        SubjectPool pool(first, jobs, [&] { return std::make_unique<WrongTables>(defect); });
        ASSERT_EQ(pool.jobs(), jobs);
        CheckOptions options;
        options.cases = 200;
        options.stop_at_first = stops;
        const Json outcome = Outcome(CheckRandom(pool, options));
        if (jobs == 1) expected = outcome;
        EXPECT_EQ(outcome, expected) << jobs << " jobs";
      }
    }
  }
}

TEST(LawRun, AScopeIsEnumeratedTheSameByEveryNumberOfThreads) {
  Json expected;
  for (const size_t jobs : {1u, 2u, 3u, 8u}) {
    WrongTables first(HasTiles);
    SubjectPool pool(first, jobs, [] { return std::make_unique<WrongTables>(HasTiles); });
    const Json outcome = Outcome(CheckExhaustive(pool, ExhaustiveLadder()[0], {}));
    if (jobs == 1) expected = outcome;
    EXPECT_EQ(outcome, expected) << jobs << " jobs";
  }
  EXPECT_EQ(expected["findings"].size(), 1u) << expected["findings"];
}

TEST(LawRun, OneDefectIsOneFindingUnderTheLawOnWhichTheOthersRest) {
  WrongTables subject(HasTiles);
  CheckOptions options;
  options.cases = 300;
  const CheckSummary summary = CheckRandom(subject, options);
  ASSERT_EQ(summary.findings.size(), 1u);
  EXPECT_EQ(summary.findings[0].law, "linear-index");
  EXPECT_GT(summary.laws.at("equals-pad-reshape-transpose").explained, 10);
  EXPECT_GT(summary.laws.at("linear-index").disagreed, 10);
  // Without that law, a law that rests on it has its own finding.
  options.laws = {FindLaw("equals-pad-reshape-transpose")};
  const CheckSummary alone = CheckRandom(subject, options);
  ASSERT_EQ(alone.findings.size(), 1u);
  EXPECT_EQ(alone.findings[0].law, "equals-pad-reshape-transpose");
}

// Gives a wrong coordinate for layouts in another order than row major. Tables are wrong where there are tiles.
class WrongTablesAndCoordinates final : public ReferenceSubject {
 public:
  Answer<std::vector<int64_t>> Table(const Shape& shape) override { return tables_.Table(shape); }
  Answer<std::optional<Coordinate>> CoordinateAt(const Shape& shape, int64_t offset) override {
    if (!std::ranges::is_sorted(shape.layout->minor_to_major, std::ranges::greater{})) return std::nullopt;
    return ReferenceSubject::CoordinateAt(shape, offset);
  }
  Answer<CoordinateList> CoordinatesAt(const Shape& shape, std::span<const int64_t> offsets) override {
    // NOLINTNEXTLINE(bugprone-parent-virtual-call): by CoordinateAt
    return Subject::CoordinatesAt(shape, offsets);
  }

 private:
  WrongTables tables_{HasTiles};
};

TEST(LawRun, ADefectOfItsOwnIsFoundBesideOneOnWhichItsLawRests) {
  WrongTablesAndCoordinates subject;
  CheckOptions options;
  options.cases = 300;
  const CheckSummary summary = CheckRandom(subject, options);
  ASSERT_EQ(summary.findings.size(), 2u);
  EXPECT_EQ(summary.findings[0].law, "linear-index");
  EXPECT_EQ(summary.findings[1].law, "inverse");
  const auto shape = ParseShape(summary.findings[1].layout);
  ASSERT_TRUE(shape);
  EXPECT_TRUE(shape->layout->tiles.empty()) << "not shrunk into the other defect: " << summary.findings[1].layout;
}

TEST(LawRun, ADefectThatOnlyACounterpartShowsIsReportedForThat) {
  // No random layout has rank 9, but unit-dimension asks for one.
  WrongTables subject([](const Shape& shape) { return shape.rank() == 9; });
  CheckOptions options;
  options.cases = 400;
  const CheckSummary summary = CheckRandom(subject, options);
  ASSERT_FALSE(summary.findings.empty());
  EXPECT_EQ(summary.findings[0].law, "linear-index");
  EXPECT_EQ(ParseShape(summary.findings[0].layout)->rank(), 9);
}

TEST(LawRun, LawsRestOnLaws) {
  size_t count = 0;
  for (const Law* law : AllLaws()) {
    const std::string_view base = RestsOn(law->name);
    if (base.empty()) continue;
    ++count;
    EXPECT_NE(FindLaw(base), nullptr) << law->name;
    EXPECT_NE(base, law->name);
  }
  EXPECT_GE(count, 10u);
}

// Dies or is wrong depending on the requests before.
class Unsteady final : public ReferenceSubject {
 public:
  enum class How { kDiesAtTwentieth, kWrongAfterTwenty, kWrongEveryOther };
  explicit Unsteady(How how) : how_(how) {}
  Answer<std::vector<int64_t>> Table(const Shape& shape) override {
    auto answer = ReferenceSubject::Table(shape);
    ++requests_;
    if (how_ == How::kDiesAtTwentieth && requests_ == 20) return Failed{Failed::Kind::kCrash, "killed"};
    const bool is_wrong =
        (how_ == How::kWrongAfterTwenty && requests_ > 20) || (how_ == How::kWrongEveryOther && requests_ % 2 == 0);
    auto* const offsets = std::get_if<std::vector<int64_t>>(&answer);
    if (is_wrong && offsets != nullptr && !offsets->empty()) offsets->back() += 1;
    return answer;
  }
  int64_t Requests() const override { return requests_; }

 private:
  How how_;
  int64_t requests_ = 0;
};

TEST(LawRun, AFindingSaysIfItsQuestionAloneDoesNotShowIt) {
  using How = Unsteady::How;
  const auto found = [](How how) {
    Unsteady first(how);
    SubjectPool pool(first, 1, [&] { return std::make_unique<Unsteady>(how); });
    CheckOptions options;
    options.cases = 60;
    options.laws = {FindLaw("linear-index")};
    return CheckRandom(pool, options);
  };
  const CheckSummary died = found(How::kDiesAtTwentieth);
  ASSERT_EQ(died.findings.size(), 1u);
  EXPECT_EQ(died.findings[0].law, "subject-crash");
  EXPECT_EQ(died.findings[0].repeats, "not reproduced alone, after 20 requests");
  EXPECT_EQ(died.findings[0].asked_by, "linear-index");
  const CheckSummary later = found(How::kWrongAfterTwenty);
  ASSERT_EQ(later.findings.size(), 1u);
  EXPECT_TRUE(later.findings[0].repeats.starts_with("not reproduced alone, after 2")) << later.findings[0].repeats;
  EXPECT_EQ(later.findings[0].count, later.laws.at("linear-index").disagreed);
  const CheckSummary flaky = found(How::kWrongEveryOther);
  ASSERT_FALSE(flaky.findings.empty());
  for (const Finding& finding : flaky.findings) EXPECT_EQ(finding.repeats, "flaky");
}

// Hangs on tiles.
class Hanging final : public ReferenceSubject {
 public:
  Answer<std::vector<int64_t>> Table(const Shape& shape) override {
    if (HasTiles(shape)) return Failed{Failed::Kind::kTimeout, "no answer"};
    return ReferenceSubject::Table(shape);
  }
};

TEST(LawRun, ALawIsGivenUpAfterTheSameCaseForEveryNumberOfThreads) {
  for (const size_t jobs : {1u, 3u}) {
    Hanging first;
    SubjectPool pool(first, jobs, [] { return std::make_unique<Hanging>(); });
    CheckOptions options;
    options.cases = 100;
    options.laws = {FindLaw("linear-index"), FindLaw("sizes")};
    const CheckSummary summary = CheckRandom(pool, options);
    EXPECT_EQ(summary.laws.at("linear-index").disagreed, 4) << jobs;
    EXPECT_GT(summary.laws.at("linear-index").declined, 50) << jobs;
    EXPECT_EQ(summary.laws.at("sizes").declined, 0) << jobs;
    ASSERT_EQ(summary.warnings.size(), 1u);
    EXPECT_TRUE(summary.warnings[0].starts_with("law linear-index was given up")) << summary.warnings[0];
    EXPECT_TRUE(summary.complete);
    // Nothing is left to ask once every law is given up.
    options.laws = {FindLaw("linear-index")};
    const CheckSummary alone = CheckRandom(pool, options);
    EXPECT_EQ(alone.laws.at("linear-index").disagreed, 4) << jobs;
    EXPECT_LT(alone.cases, 100u) << jobs;
    EXPECT_FALSE(alone.complete);
  }
}

// Declines every question.
class Mute final : public Subject {
 public:
  const SubjectInfo& info() const override { return info_; }

 private:
  SubjectInfo info_{"mute", "1", {}, {}, {}};
};

TEST(LawRun, NoLawAgreesWithASubjectThatDeclinesEverything) {
  Mute mute;
  CheckOptions options;
  options.cases = 1000;
  std::vector<Shape> shapes;
  for (const char* text : {"f32[]", "f32[0]{0}", "f32[2,0]{1,0:T(2,2)}", "f32[8,8]{1,0:T(2,2)(2,1)}"}) {
    shapes.push_back(*ParseShape(text));
  }
  for (const CheckSummary& summary :
       {CheckRandom(mute, options), CheckExhaustive(mute, ExhaustiveLadder()[0], options),
        CheckLayouts(mute, shapes, options), CheckAlgebra(mute, AlgebraLaws(), options)}) {
    EXPECT_FALSE(summary.AnythingChecked());
    EXPECT_GT(summary.declined(), 0);
    for (const auto& [name, tally] : summary.laws) EXPECT_EQ(tally.agreed + tally.disagreed, 0) << name;
  }
}

// Answers as the reference, and checks that it is not asked beyond its limits.
class Limited final : public ReferenceSubject {
 public:
  const SubjectInfo& info() const override { return info_; }
  Answer<int64_t> Offset(const Shape& shape, std::span<const int64_t> coordinate) override {
    Look(shape);
    return ReferenceSubject::Offset(shape, coordinate);
  }
  Answer<std::vector<int64_t>> Table(const Shape& shape) override {
    Look(shape);
    EXPECT_LE(*ElementsIn(shape), 12) << ToString(shape);
    return ReferenceSubject::Table(shape);
  }
  Answer<std::optional<Coordinate>> CoordinateAt(const Shape& shape, int64_t offset) override {
    Look(shape);
    return ReferenceSubject::CoordinateAt(shape, offset);
  }
  Answer<SizeAnswer> Size(const Shape& shape) override {
    Look(shape);
    return ReferenceSubject::Size(shape);
  }
  Answer<std::vector<int64_t>> Relayout(const Shape& from, const Shape& to, std::span<const int64_t> data) override {
    Look(from);
    Look(to);
    return ReferenceSubject::Relayout(from, to, data);
  }
  Answer<bool> Bitcast(const Shape& from, const Shape& to, std::optional<std::span<const int64_t>> transpose) override {
    Look(from);
    Look(to);
    return ReferenceSubject::Bitcast(from, to, transpose);
  }
  Answer<bool> AreEqual(const Shape& a, const Shape& b, std::span<const std::string> ignored_parts) override {
    Look(a);
    Look(b);
    return ReferenceSubject::AreEqual(a, b, ignored_parts);
  }
  Answer<EditAnswer> Edit(std::string_view function, const Shape& shape, std::span<const int64_t> arguments) override {
    Look(shape);
    return ReferenceSubject::Edit(function, shape, arguments);
  }

 private:
  static void Look(const Shape& shape) {
    EXPECT_LE(shape.rank(), 2) << ToString(shape);
    EXPECT_TRUE(!shape.layout || shape.layout->tiles.size() <= 1) << ToString(shape);
  }

  SubjectInfo info_{"limited", "1", 2, 1, 12};
};

TEST(LawRun, KeepsWithinTheLimitsOfASubject) {
  Limited limited;
  CheckOptions options;
  options.cases = 500;
  std::vector<Shape> shapes;
  for (const char* text : {"f32[2,3]{1,0}", "f32[8,8]{1,0:T(2,2)(2,1)}", "f32[8,8]{1,0}", "f32[2,2,2]{2,1,0}"}) {
    shapes.push_back(*ParseShape(text));
  }
  EXPECT_TRUE(CheckRandom(limited, options).findings.empty());
  EXPECT_TRUE(CheckExhaustive(limited, ExhaustiveLadder()[0], options).findings.empty());
  EXPECT_TRUE(CheckLayouts(limited, shapes, options).findings.empty());
  options.laws = {FindLaw("linear-index")};  // laws of text have no limit
  const CheckSummary given = CheckLayouts(limited, shapes, options);
  EXPECT_TRUE(given.findings.empty());
  EXPECT_EQ(given.answered_cases, (std::set<uint64_t>{0, 2}));
}

TEST(LawRun, IsCompleteOnlyIfAllThatWasAskedWasChecked) {
  ReferenceSubject reference;
  CheckOptions options;
  options.cases = 10;
  options.time = std::chrono::hours(1);
  EXPECT_TRUE(CheckRandom(reference, options).complete);
  options.time = std::chrono::milliseconds(0);
  EXPECT_FALSE(CheckRandom(reference, options).complete);
  EXPECT_FALSE(CheckExhaustive(reference, ExhaustiveLadder()[0], options).complete);
  const Shape shape = *ParseShape("f32[2]{0}");
  EXPECT_FALSE(CheckLayouts(reference, std::span(&shape, 1), options).complete);
  options.cases = CheckOptions::kEndless;
  options.time = std::chrono::milliseconds(20);
  EXPECT_TRUE(CheckRandom(reference, options).complete);
  options.stop_requested = [] { return true; };
  EXPECT_FALSE(CheckRandom(reference, options).complete);
}

}  // namespace
}  // namespace layoutcheck
