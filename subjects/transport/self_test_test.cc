// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/subjects/transport/self_test.h"
#include <gtest/gtest.h>
#include <algorithm>
#include <array>
#include <fstream>
#include <iterator>
#include <map>
#include <string>

namespace layoutcheck {
namespace {

using Result = SelfTestStep::Result;
using std::chrono::milliseconds;

constexpr milliseconds kTimeout{10'000};
const std::string kExamples = LAYOUTCHECK_SOURCE "/subjects/examples/";

std::array<int, 3> CountsOf(const std::vector<SelfTestStep>& steps) {
  std::array<int, 3> counts{};
  for (const SelfTestStep& step : steps) ++counts[static_cast<size_t>(step.result)];
  return counts;
}

const SelfTestStep* FindStep(const std::vector<SelfTestStep>& steps, std::string_view name) {
  const auto found = std::ranges::find(steps, name, &SelfTestStep::name);
  return found == steps.end() ? nullptr : &*found;
}

void ExpectNothingWrong(const std::vector<SelfTestStep>& steps) {
  for (const SelfTestStep& step : steps) {
    EXPECT_NE(step.result, Result::kWrong) << step.name << "\n"
                                           << step.sent << "\n"
                                           << step.expected << "\n"
                                           << step.received;
  }
}

TEST(SelfTest, TheReferenceIsRightEverywhere) {
  const auto steps = RunSelfTest(LAYOUTCHECK_FAULTY_SUBJECT, kTimeout);
  ASSERT_TRUE(steps) << steps.error().ToString();
  ExpectNothingWrong(*steps);
  EXPECT_EQ(CountsOf(*steps), (std::array{static_cast<int>(steps->size()), 0, 0}));
  EXPECT_EQ(steps->front().name, "hello");
  EXPECT_EQ(steps->back().name, "end of file");
  const SelfTestStep* const padding = FindStep(*steps, "coordinate f32[3,5]{1,0:T(2,2)} at 19");
  ASSERT_NE(padding, nullptr);
  EXPECT_EQ(padding->received, "{\"coordinate\":null}");
}

TEST(SelfTest, TheExamplesAreRightAboutWhatTheyTake) {
  for (const char* name : {"python_subject.py", "shape_stride_subject.py"}) {
    const auto steps = RunSelfTest("exec python3 " + kExamples + name, kTimeout);
    ASSERT_TRUE(steps) << steps.error().ToString();
    ExpectNothingWrong(*steps);
    for (const char* step : {"offset f32[2,3]{0,1}", "table f32[2,3]{0,1}", "64 requests under way"}) {
      const SelfTestStep* const found = FindStep(*steps, step);
      ASSERT_NE(found, nullptr) << step;
      EXPECT_EQ(found->result, Result::kRight) << name << ": " << step << ": " << found->received;
    }
    EXPECT_EQ(FindStep(*steps, "make zN")->result, Result::kDeclined);
    EXPECT_EQ(FindStep(*steps, "make zN")->received, "\"make\" is not among its ops");
  }
}

TEST(SelfTest, AFaultIsInAStepOfItsOperation) {
  const std::map<std::string, std::string> faults = {{"floor-tile-count", "offset"},
                                                     {"tiles-ignored", "table"},
                                                     {"coordinate-of-padding", "coordinate"},
                                                     {"size-unpadded", "size"},
                                                     {"relayout-padding-not-cleared", "relayout"},
                                                     {"text-tiles-lost", "parse"},
                                                     {"composition-swapped", "apply"},
                                                     {"bitcast-permutation-inverted", "bitcast"},
                                                     {"bitcast-same-rank-only", "bitcast"},
                                                     {"equal-option-unused", "equal"},
                                                     {"edit-delete-by-position", "edit"}};
  for (const auto& [fault, operation] : faults) {
    const auto steps = RunSelfTest(std::string(LAYOUTCHECK_FAULTY_SUBJECT) + " --fault " + fault, kTimeout);
    ASSERT_TRUE(steps) << fault << ": " << steps.error().ToString();
    EXPECT_TRUE(std::ranges::any_of(*steps, [&](const SelfTestStep& step) {
      return step.result == Result::kWrong && step.name.starts_with(operation + " ") && !step.sent.empty();
    })) << fault;
  }
}

std::vector<SelfTestStep> StepsOfScript(const std::string& answer, milliseconds timeout = kTimeout) {
  const std::string hello = R"({"name":"s","ops":["parse","offset"]})";
  const auto steps = RunSelfTest("read line; echo '" + hello + "'; while read line; do " + answer + "; done", timeout);
  EXPECT_TRUE(steps) << steps.error().ToString();
  return steps.value_or(std::vector<SelfTestStep>());
}

TEST(SelfTest, WhatAProcessDoesWrongIsAWrongStep) {
  std::vector<SelfTestStep> steps = StepsOfScript("echo nonsense");
  EXPECT_EQ(FindStep(steps, "offset f32[2,3]{0,1}")->result, Result::kWrong);
  EXPECT_EQ(FindStep(steps, "offset f32[2,3]{0,1}")->received, "nonsense");
  EXPECT_EQ(FindStep(steps, "offset f32[2,3]{0,1}")->expected, "{\"offset\":5}");
  EXPECT_EQ(steps.back().result, Result::kRight);
  // The process is started again after each crash.
  steps = StepsOfScript("exit 3");
  EXPECT_EQ(CountsOf(steps)[2], 6);
  EXPECT_EQ(FindStep(steps, "offset f32[2,3]{0,1}")->received, "ended with status 3 without an answer");
  steps = StepsOfScript("sleep 1000", milliseconds(100));
  EXPECT_EQ(CountsOf(steps)[2], 6);
  EXPECT_EQ(CountsOf(StepsOfScript("echo '{\"unsupported\":\"no\"}'"))[2], 0);
  // This process does not exit at the end of its input.
  const auto stays =
      RunSelfTest("read line; echo '{\"name\":\"s\",\"ops\":[]}'; read line; echo '{\"error\":\"no\"}'; sleep 1000",
                  milliseconds(300));
  ASSERT_TRUE(stays);
  EXPECT_EQ(stays->back().result, Result::kWrong);
  EXPECT_EQ(stays->back().received, "it still ran 300 ms after the end of its input");
}

TEST(SelfTest, ASubjectWithoutAProperHello) {
  EXPECT_FALSE(RunSelfTest("exec layoutcheck-no-such-program", kTimeout));
  EXPECT_FALSE(RunSelfTest("read line; echo '{\"unsupported\":\"not today\"}'", kTimeout));
  const auto steps = RunSelfTest("cat", kTimeout);
  ASSERT_TRUE(steps);
  ASSERT_EQ(steps->size(), 1U);
  EXPECT_EQ(steps->front().result, Result::kWrong);
}

TEST(SelfTest, ItsTextsAreAmongTheVectors) {
  std::ifstream file(LAYOUTCHECK_SOURCE "/corpus/vectors/xla.jsonl");
  const std::string vectors{std::istreambuf_iterator<char>(file), {}};
  const auto steps = RunSelfTest(LAYOUTCHECK_FAULTY_SUBJECT, kTimeout);
  ASSERT_TRUE(steps);
  int texts = 0;
  for (const SelfTestStep& step : *steps) {
    if (!step.name.starts_with("parse ")) continue;
    EXPECT_NE(vectors.find("\"text\": \"" + step.name.substr(6) + "\""), std::string::npos) << step.name;
    ++texts;
  }
  EXPECT_EQ(texts, 3);
}

}  // namespace
}  // namespace layoutcheck
