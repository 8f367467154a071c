// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tests that `explain` knows every name that the program prints.
#include <gtest/gtest.h>
#include <string>
#include <vector>
#include "layoutcheck/cli/manual/topics.h"
#include "layoutcheck/cli/testing/run_program.h"

namespace layoutcheck {
namespace {

TEST(Explain, KnowsEveryLawAndFamily) {
  const std::vector<Topic> topics = TopicsOf(ManualPages());
  size_t count = 0;
  for (const std::vector<std::string>& arguments :
       {std::vector<std::string>{"laws", "--json"}, {"laws", "--families", "--json"}}) {
    for (const Json& line : JsonLines(RunLayoutcheck(arguments).out)) {
      const std::string& name = line[arguments.size() == 2 ? "law" : "family"].text();
      EXPECT_FALSE(FindTopics(topics, name).empty()) << name;
      ++count;
    }
  }
  EXPECT_GE(count, 100u);
}

TEST(Explain, KnowsVerdictsNotationsAndPages) {
  const std::vector<Topic> topics = TopicsOf(ManualPages());
  for (const std::string name :
       {"proved",  "refuted",        "unknown",        "FOUND",      "flaky",       "declined", "permuted",
        "bitcast", "different size", "undecided",      "hlo",        "fractal",     "zN",       "linear",
        "prove",   "scan",           "bank conflicts", "exit codes", "loses-field", "tpu"}) {
    EXPECT_FALSE(FindTopics(topics, name).empty()) << name;
  }
}

TEST(Explain, PrintsTheSection) {
  const ProgramResult unknown = RunLayoutcheck({"explain", "unknown"});
  EXPECT_EQ(unknown.exit_code, 0);
  EXPECT_TRUE(unknown.out.starts_with("unknown\n\n")) << unknown.out;
  EXPECT_EQ(RunLayoutcheck({"explain", "Bank", "conflicts"}).out, RunLayoutcheck({"explain", "bank conflicts"}).out);
  EXPECT_EQ(RunLayoutcheck({"explain", "index"}).out, RunLayoutcheck({"index", "--help=all"}).out);
  const std::vector<Json> lines = JsonLines(RunLayoutcheck({"explain", "injective", "--json"}).out);
  EXPECT_GE(lines.size(), 3u);
  EXPECT_EQ(lines[0]["page"], "laws");
}

TEST(Explain, ListsTheTopicsAndNamesTheNearest) {
  const std::string list = RunLayoutcheck({"explain"}).out;
  for (const char* name : {"verdicts", "never answered", "zN", "race-free", "merge"}) {
    EXPECT_NE(list.find(name), std::string::npos) << name;
  }
  const ProgramResult nearest = RunLayoutcheck({"explain", "unkown"});
  EXPECT_EQ(nearest.exit_code, 2);
  EXPECT_EQ(nearest.err,
            "layoutcheck explain: no topic 'unkown' (did you mean 'unknown'?); layoutcheck explain lists all topics\n");
}

}  // namespace
}  // namespace layoutcheck
