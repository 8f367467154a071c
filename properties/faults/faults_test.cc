// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The laws find every seeded fault, and nothing in the correct reference.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <algorithm>
#include <chrono>
#include <iterator>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>
#include "layoutcheck/properties/algebra/algebra_law.h"
#include "layoutcheck/properties/algebra/algebra_runner.h"
#include "layoutcheck/properties/faults/fault.h"
#include "layoutcheck/properties/run/runner.h"

namespace layoutcheck {
namespace {

// The first finding of a run and the number of cases up to it, or 0.
struct Catch {
  uint64_t cases = 0;
  Finding first;
  double seconds = 0;
};

Catch RunUntilFound(const Fault& fault, uint64_t cases, uint64_t seed = 1) {
  const auto subject = MakeFaultySubject(fault);
  Catch result;
  uint64_t finished = 0;
  CheckOptions options;
  options.cases = cases;
  options.seed = seed;
  options.on_case = [&](uint64_t number) {
    finished = number;
    return result.cases == 0;
  };
  options.on_finding = [&](Finding& finding) {
    if (result.cases != 0) return;
    result.cases = finished + 1;
    result.first = finding;
  };
  const auto start = std::chrono::steady_clock::now();
  CheckRandom(*subject, options);
  result.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return result;
}

TEST(Faults, AreManyAndEachHasItsOwnName) {
  const std::vector<Fault> all = AllFaults();
  EXPECT_GE(all.size(), 80u);
  std::set<std::string_view> names;
  std::set<std::string_view> kinds;
  for (const Fault& fault : all) {
    EXPECT_TRUE(names.insert(fault.name).second) << fault.name;
    EXPECT_FALSE(fault.stands_for.empty()) << fault.name;
    kinds.insert(fault.kind);
  }
  EXPECT_EQ(kinds, (std::set<std::string_view>{"affine", "bitcast", "coordinate", "edit", "equal", "family", "index",
                                               "memref", "middle-size", "relayout", "size", "text"}));
}

TEST(Faults, EachIsFound) {
  constexpr uint64_t kCases = 1000;  // the default of layoutcheck check
  std::vector<uint64_t> taken;
  for (const Fault& fault : AllFaults()) {
    const Catch caught = RunUntilFound(fault, kCases);
    fmt::print("{:36} {:>6} cases {:6.2f} s  {:28} {}\n", fault.name,
               caught.cases == 0 ? "no" : std::to_string(caught.cases), caught.seconds, caught.first.law,
               caught.first.layout);
    EXPECT_GT(caught.cases, 0u) << fault.name << " is not found within " << kCases << " cases: " << fault.stands_for;
    taken.push_back(caught.cases);
  }
  std::ranges::sort(taken);
  fmt::print("{} faults, median {} cases\n", taken.size(), taken[taken.size() / 2]);
  // A subject that needs a second for three answers is asked no more than this in a short run.
  const auto found_within = [&](uint64_t limit) {
    return std::ranges::count_if(taken, [&](uint64_t count) { return count > 0 && count <= limit; });
  };
  fmt::print("{} found within 20 cases, {} within 30\n", found_within(20), found_within(30));
  EXPECT_GE(found_within(20), 155);
  EXPECT_GE(found_within(30), 175);
}

// Random layouts do not find these faults: the families do.
TEST(Faults, EachOfAFamilyIsFoundWithAnySeed) {
  for (const Fault& fault : FamilyFaults()) {
    for (uint64_t seed = 1; seed <= 4; ++seed) {
      const Catch caught = RunUntilFound(fault, 1000, seed);
      fmt::print("{:36} seed {} {:>6} cases  {} {}\n", fault.name, seed, caught.cases, caught.first.layout,
                 caught.first.tilings);
      EXPECT_GT(caught.cases, 0u) << fault.name << " is not found with seed " << seed;
    }
  }
}

AlgebraLaw::Topic TopicOf(std::string_view fault) {
  using enum AlgebraLaw::Topic;
  for (const auto& [prefix, topic] : {std::pair{"bits-", kBits},
                                      {"axis-", kAxes},
                                      {"shard-view-", kShardViews},
                                      {"shard-", kShards},
                                      {"reshard-", kReshards}}) {
    if (fault.starts_with(prefix)) return topic;
  }
  return kLayouts;
}

TEST(Faults, EachOfTheAlgebraIsFound) {
  constexpr uint64_t kCases = 1000;
  std::vector<uint64_t> taken;
  std::set<std::string_view> names;
  for (const Fault& fault : AlgebraFaults()) {
    EXPECT_TRUE(names.insert(fault.name).second) << fault.name;
    const auto subject = MakeFaultySubject(fault);
    CheckOptions options;
    options.cases = kCases;
    uint64_t finished = 0;
    uint64_t cases = 0;
    Finding first;
    options.on_case = [&](uint64_t number) {
      finished = number;
      return cases == 0;
    };
    options.on_finding = [&](Finding& finding) {
      if (cases == 0) {
        cases = finished + 1;
        first = finding;
      }
    };
    // Laws about other things than the fault's do not see it.
    const AlgebraLaw::Topic topic = TopicOf(fault.name);
    std::vector<const AlgebraLaw*> laws;
    std::ranges::copy_if(AlgebraLaws(), std::back_inserter(laws),
                         [&](const AlgebraLaw* law) { return law->topic == topic; });
    CheckAlgebra(*subject, laws, options);
    fmt::print("{:32} {:>4} cases  {:18} {}\n", fault.name, cases == 0 ? "no" : std::to_string(cases), first.law,
               first.layout);
    EXPECT_GT(cases, 0u) << fault.name << " is not found within " << kCases << " cases: " << fault.stands_for;
    if (topic != AlgebraLaw::Topic::kLayouts) {
      EXPECT_EQ(first.tilings, "") << fault.name;
    }
    if (fault.name == "extent-in-six-bits") {
      EXPECT_EQ(first.tilings, "only in the family cute: 100 random cases do not show it");
    }
    taken.push_back(cases);
  }
  EXPECT_GE(taken.size(), 20u);
  std::ranges::sort(taken);
  fmt::print("{} faults of the algebra, median {} cases\n", taken.size(), taken[taken.size() / 2]);
}

}  // namespace
}  // namespace layoutcheck
