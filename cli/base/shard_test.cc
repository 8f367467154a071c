// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/cli/base/shard.h"
#include <gtest/gtest.h>
#include <map>

namespace layoutcheck {
namespace {

using Variables = std::map<std::string, std::string>;

// Returns the share as text, or the error's message.
std::string ShardText(std::string_view text, const Variables& variables = {}) {
  const auto shard = ReadShard(text, [&](const char* name) -> std::optional<std::string> {
    const auto found = variables.find(name);
    return found == variables.end() ? std::nullopt : std::optional(found->second);
  });
  return shard ? shard->ToString() : shard.error().message;
}

Variables Slurm(const std::string& id, const std::string& first, const std::string& last, const std::string& count,
                const std::string& step = "1") {
  return {{"SLURM_ARRAY_TASK_ID", id},
          {"SLURM_ARRAY_TASK_MIN", first},
          {"SLURM_ARRAY_TASK_MAX", last},
          {"SLURM_ARRAY_TASK_COUNT", count},
          {"SLURM_ARRAY_TASK_STEP", step}};
}

TEST(Shard, Numbers) {
  EXPECT_EQ(ShardText("1/1"), "1/1");
  EXPECT_EQ(ShardText("64/64"), "64/64");
  for (const char* text : {"", "0/3", "4/3", "1", "1/", "/3", "1/3x", "-1/3", "1/0", " 1/3", "Auto"}) {
    EXPECT_EQ(ShardText(text), "expected auto, or K/N with 1 <= K <= N, got '" + std::string(text) + "'");
  }
}

TEST(Shard, EverySchedulerNumbersItsShares) {
  EXPECT_EQ(ShardText("auto", Slurm("1", "1", "64", "64")), "1/64");
  EXPECT_EQ(ShardText("auto", Slurm("0", "0", "3", "4")), "1/4");
  EXPECT_EQ(ShardText("auto", Slurm("10", "4", "10", "3", "3")), "3/3");
  // --array=0-10:4 is 0, 4, 8; Slurm says that the last one is 8 or, in some versions, 10.
  EXPECT_EQ(ShardText("auto", Slurm("8", "0", "10", "3", "4")), "3/3");
  EXPECT_EQ(ShardText("auto", {{"JOB_COMPLETION_INDEX", "0"}, {"JOB_COMPLETIONS", "8"}}), "1/8");
  EXPECT_EQ(ShardText("auto", {{"GTEST_SHARD_INDEX", "7"}, {"GTEST_TOTAL_SHARDS", "8"}}), "8/8");
  EXPECT_EQ(ShardText("auto", {{"TEST_SHARD_INDEX", "2"}, {"TEST_TOTAL_SHARDS", "3"}}), "3/3");
}

TEST(Shard, MissingVariablesAreNamed) {
  const std::string none = ShardText("auto");
  for (const char* name : {"SLURM_ARRAY_TASK_ID", "JOB_COMPLETION_INDEX", "GTEST_SHARD_INDEX", "TEST_TOTAL_SHARDS"}) {
    EXPECT_NE(none.find(name), std::string::npos) << none;
  }
  EXPECT_EQ(ShardText("auto", {{"JOB_COMPLETION_INDEX", "0"}}),
            "Kubernetes: JOB_COMPLETION_INDEX is set, but JOB_COMPLETIONS is not");
  EXPECT_EQ(ShardText("auto", {{"GTEST_TOTAL_SHARDS", "2"}}),
            "GoogleTest: GTEST_TOTAL_SHARDS is set, but GTEST_SHARD_INDEX is not");
  Variables slurm = Slurm("1", "1", "4", "4");
  slurm.erase("SLURM_ARRAY_TASK_MIN");
  EXPECT_EQ(ShardText("auto", slurm), "Slurm: SLURM_ARRAY_TASK_ID is set, but SLURM_ARRAY_TASK_MIN is not");
}

TEST(Shard, InconsistentVariablesAreQuoted) {
  EXPECT_EQ(ShardText("auto", {{"TEST_SHARD_INDEX", "3"}, {"TEST_TOTAL_SHARDS", "3"}}),
            "Bazel: expected an index of the array, got TEST_SHARD_INDEX=3, TEST_TOTAL_SHARDS=3");
  EXPECT_EQ(ShardText("auto", {{"TEST_SHARD_INDEX", "x"}, {"TEST_TOTAL_SHARDS", "3"}}),
            "TEST_SHARD_INDEX: expected an integer >= 0, got 'x'");
  EXPECT_EQ(ShardText("auto", {{"TEST_SHARD_INDEX", "0"}, {"TEST_TOTAL_SHARDS", "0"}}),
            "Bazel: expected at least one share, got TEST_SHARD_INDEX=0, TEST_TOTAL_SHARDS=0");
  // --array=1,3,7: the index does not say which of the three it is.
  EXPECT_NE(ShardText("auto", Slurm("3", "1", "7", "3")).find("expected an array without gaps"), std::string::npos);
  EXPECT_NE(ShardText("auto", Slurm("5", "4", "10", "3", "3")).find("expected an index of the array"),
            std::string::npos);
}

TEST(Shard, SchedulersInOneAnotherMustAgree) {
  Variables both = Slurm("2", "1", "4", "4");
  both["GTEST_SHARD_INDEX"] = "1";
  both["GTEST_TOTAL_SHARDS"] = "4";
  EXPECT_EQ(ShardText("auto", both), "2/4");
  both["GTEST_SHARD_INDEX"] = "2";
  EXPECT_EQ(ShardText("auto", both),
            "SLURM_ARRAY_TASK_ID and SLURM_ARRAY_TASK_COUNT say 2/4, but GTEST_SHARD_INDEX and GTEST_TOTAL_SHARDS say "
            "3/4");
}

}  // namespace
}  // namespace layoutcheck
