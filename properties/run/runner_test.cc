// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/properties/run/runner.h"
#include <gtest/gtest.h>
#include <algorithm>
#include <cstdio>
#include <functional>
#include "layoutcheck/core/hlo/parser.h"
#include "layoutcheck/core/hlo/printer.h"
#include "layoutcheck/core/testing/share.h"
#include "layoutcheck/core/tiling/offset_table.h"
#include "layoutcheck/json/json.h"
#include "layoutcheck/properties/reference/reference_subject.h"
#include "layoutcheck/properties/run/causes.h"

namespace layoutcheck {
namespace {

// Asks the reference about a distorted layout.
class Distorted final : public ReferenceSubject {
 public:
  explicit Distorted(std::function<void(Shape&)> distort) : distort_(std::move(distort)) {}
  const SubjectInfo& info() const override { return info_; }
  Answer<std::vector<int64_t>> Table(const Shape& shape) override {
    Shape changed = shape;
    distort_(changed);
    return ReferenceSubject::Table(changed);
  }

 private:
  std::function<void(Shape&)> distort_;
  SubjectInfo info_{"distorted", "1", {}, {}, {}};
};

CheckSummary CheckFor(Subject& subject, const char* law, uint64_t cases = 2000) {
  CheckOptions options;
  options.cases = cases;
  options.laws = {FindLaw(law)};
  return CheckRandom(subject, options);
}

const uint64_t kReferenceCases = 10000 / EveryNth(2, 8);

TEST(Runner, TheReferenceKeepsEveryLaw) {
  ReferenceSubject reference;
  CheckOptions options;
  options.cases = kReferenceCases;
  const CheckSummary summary = CheckRandom(reference, options);
  EXPECT_EQ(summary.cases, kReferenceCases);
  for (const Finding& finding : summary.findings) {
    ADD_FAILURE() << finding.law << " " << finding.layout << ": expected " << finding.expected << ", actual "
                  << finding.actual;
  }
  for (const auto& [name, tally] : summary.laws) {
    EXPECT_GT(tally.agreed, static_cast<int64_t>(kReferenceCases / 50)) << name;
    EXPECT_EQ(tally.declined, 0) << name;
    std::printf("%s: %lld agreed, %lld outside the domain\n", name.c_str(), static_cast<long long>(tally.agreed),
                static_cast<long long>(tally.outside_domain));
  }
}

TEST(Runner, FindsTheSmallestLayoutOfADroppedTile) {
  Distorted subject([](Shape& shape) {
    if (shape.layout->tiles.size() > 1) shape.layout->tiles.pop_back();
  });
  const CheckSummary summary = CheckFor(subject, "linear-index");
  ASSERT_FALSE(summary.findings.empty());
  const Finding& finding = summary.findings.front();
  std::printf("%s expected %s actual %s\n", finding.layout.c_str(), finding.expected.c_str(), finding.actual.c_str());
  const auto shape = ParseShape(finding.layout);
  ASSERT_TRUE(shape.has_value());
  EXPECT_EQ(shape->layout->tiles.size(), 2u);
  EXPECT_LE(shape->rank(), 2);
  ASSERT_TRUE(finding.coordinate.has_value());
  const auto index = MakeTiledIndex(*shape);
  EXPECT_EQ(finding.expected, std::to_string((*index)(*finding.coordinate)));
}

TEST(Runner, FindsAReversedDimensionOrder) {
  Distorted subject([](Shape& shape) {
    std::ranges::reverse(shape.layout->minor_to_major);
    shape.layout->split_configs.clear();
  });
  EXPECT_FALSE(CheckFor(subject, "linear-index").findings.empty());
  EXPECT_FALSE(CheckFor(subject, "equals-pad-reshape-transpose").findings.empty());
}

// Computes offsets in 32 bits, like code whose index type is int.
class Narrow final : public ReferenceSubject {
 public:
  const SubjectInfo& info() const override { return info_; }
  Answer<int64_t> Offset(const Shape& shape, std::span<const int64_t> coordinate) override {
    auto answer = ReferenceSubject::Offset(shape, coordinate);
    if (auto* offset = std::get_if<int64_t>(&answer)) *offset = static_cast<int32_t>(static_cast<uint32_t>(*offset));
    return answer;
  }

 private:
  SubjectInfo info_{"narrow", "1", {}, {}, {}};
};

TEST(Runner, FindsIntegersThatAreTooNarrowWithoutATable) {
  Narrow subject;
  const CheckSummary summary = CheckFor(subject, "linear-index", 200);
  ASSERT_FALSE(summary.findings.empty());
  std::printf("%s expected %s actual %s\n", summary.findings[0].layout.c_str(), summary.findings[0].expected.c_str(),
              summary.findings[0].actual.c_str());
  EXPECT_EQ(ParseShape(summary.findings[0].layout)->rank(), 1);
}

// Each of these causes has several smallest layouts, such as f32[2]{0:T(2,1)} and f32[2]{0:T(1)(2)}, or one per rank.
TEST(Runner, TheSameCauseIsReportedOnceWithItsCount) {
  const std::function<void(Shape&)> causes[] = {
      [](Shape& shape) { shape.layout->tiles.clear(); },
      [](Shape& shape) { std::ranges::reverse(shape.layout->minor_to_major); },
      [](Shape& shape) {
        if (shape.rank() > 2) std::ranges::sort(shape.layout->minor_to_major, std::ranges::greater{});
      },
      [](Shape& shape) {
        if (shape.layout->tiles.size() > 1) shape.layout->tiles.pop_back();
      },
  };
  for (const auto& cause : causes) {
    Distorted subject(cause);
    for (uint64_t seed = 1; seed <= 4; ++seed) {
      int reported = 0;
      CheckOptions options;
      options.seed = seed;
      options.cases = 200;
      options.laws = {FindLaw("linear-index")};
      options.on_finding = [&](const Finding&) { ++reported; };
      const CheckSummary summary = CheckRandom(subject, options);
      EXPECT_EQ(reported, 1);
      ASSERT_EQ(summary.findings.size(), 1u) << summary.findings[0].layout << " " << summary.findings.back().layout;
      EXPECT_EQ(summary.findings[0].count, summary.laws.at("linear-index").disagreed);
    }
  }
}

TEST(Runner, TwoCausesUnderOneLawAreTwoFindings) {
  // Drops the tiles of row-major layouts, and reverses every other order.
  Distorted subject([](Shape& shape) {
    std::vector<int64_t>& order = shape.layout->minor_to_major;
    if (std::ranges::is_sorted(order, std::ranges::greater{})) {
      shape.layout->tiles.clear();
    } else {
      std::ranges::reverse(order);
    }
  });
  const CheckSummary summary = CheckFor(subject, "linear-index", 300);
  ASSERT_EQ(summary.findings.size(), 2u);
  EXPECT_EQ(summary.findings[0].count + summary.findings[1].count, summary.laws.at("linear-index").disagreed);
  const auto shape = [](const char* text) { return *ParseShape(text); };
  EXPECT_FALSE(MayHaveOneCause(shape("f32[2]{0:T(2,1)}"), shape("f32[1,2,2]{1,2,0}")));
  EXPECT_TRUE(MayHaveOneCause(shape("f32[2]{0:T(2,1)}"), shape("f32[1,2]{0,1:T(1)(2)}")));
  EXPECT_FALSE(MayHaveOneCause(shape("s4[2]{0:E(4)}"), shape("f32[0,2]{1,0}")));
  const Shape given[] = {shape("f32[4]{0:T(2,1)}"), shape("f32[8]{0:T(2,1)}"), shape("f32[9]{0:T(2,1)}")};
  CheckOptions options;
  options.laws = {FindLaw("linear-index")};
  EXPECT_EQ(CheckLayouts(subject, given, options).findings.size(), 3u);
}

TEST(Runner, ShardsTogetherAreTheRun) {
  Distorted subject([](Shape& shape) { shape.layout->tiles.clear(); });
  CheckOptions options;
  options.cases = 1000;
  options.laws = {FindLaw("linear-index")};
  const int64_t whole = CheckRandom(subject, options).laws.at("linear-index").disagreed;
  int64_t parts = 0;
  uint64_t cases = 0;
  options.shard_count = 3;
  for (options.shard_index = 0; options.shard_index < 3; ++options.shard_index) {
    const CheckSummary part = CheckRandom(subject, options);
    parts += part.laws.at("linear-index").disagreed;
    cases += part.cases;
  }
  EXPECT_EQ(cases, 1000u);
  EXPECT_EQ(parts, whole);
}

class Silent final : public Subject {
 public:
  const SubjectInfo& info() const override { return info_; }

 private:
  SubjectInfo info_{"silent", "1", 2, 1, 10};
};

TEST(Runner, ASubjectThatDeclinesEverythingWasNotChecked) {
  Silent subject;
  CheckOptions options;
  options.cases = 100;
  const CheckSummary summary = CheckRandom(subject, options);
  EXPECT_FALSE(summary.AnythingChecked());
  EXPECT_TRUE(summary.findings.empty());
  EXPECT_GT(summary.declined(), 0);
  EXPECT_EQ(summary.scope.max_rank, 2);
  EXPECT_EQ(summary.scope.max_elements, 10);
}

TEST(Finding, JsonRoundTrip) {
  Finding finding;
  finding.subject = "exec:./mine";
  finding.law = "linear-index";
  finding.layout = "f32[9,1]{1,0:T(8,128)}";
  finding.coordinate = {8, 0};
  finding.expected = "1024";
  finding.actual = "8";
  finding.seed = 7;
  EXPECT_FALSE(ToJson(finding).contains("repeats"));
  finding.request = R"({"op":"table"})";
  finding.asked_by = "inverse";
  finding.repeats = "flaky";
  finding.directory = "/home/me";
  finding.tilings = "only with T(8,128): 9 other tilings do not show it";
  const auto back = FindingFromJson(ToJson(finding).Dump());
  ASSERT_TRUE(back.has_value());
  EXPECT_EQ(ToJson(*back), ToJson(finding));
  for (const char* bad : {"", "[]", "{}", "{\"subject\":1}", "{\"subject\":\"s\",\"law\":\"l\",\"layout\":3}"}) {
    EXPECT_FALSE(FindingFromJson(bad).has_value()) << bad;
  }
}

}  // namespace
}  // namespace layoutcheck
