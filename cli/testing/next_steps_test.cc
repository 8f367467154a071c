// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tests that the commands in `next` of a refutation run, and say what it says.
#include <gtest/gtest.h>
#include <string>
#include <vector>
#include "layoutcheck/cli/testing/run_program.h"

namespace layoutcheck {
namespace {

// Runs each command of `next` in the documents that the arguments print. Returns them with the first line of their
// output.
std::vector<std::string> RunNext(const std::vector<std::string>& arguments) {
  const TemporaryDirectory directory;
  std::vector<std::string> answers;
  for (const Json& document : JsonLines(RunLayoutcheck(arguments).out)) {
    for (const Json& command : document["next"]["commands"]) {
      const ProgramResult result = RunShell(command.text(), directory.path());
      EXPECT_EQ(result.exit_code, 0) << command << result.out;
      answers.push_back(command.text() + " -> " + result.out.substr(0, result.out.find('\n')));
    }
  }
  return answers;
}

using Answers = std::vector<std::string>;

TEST(NextSteps, OfProofsNameTheLayoutInNumbers) {
  EXPECT_EQ(
      RunNext({"prove", "f32[M,N]{0,1}", "--formula", "i0*N+i1", "--json"}),
      (Answers{"layoutcheck show 'f32[2,2]{0,1}' -> f32[2,2]{0,1}", "layoutcheck index 'f32[2,2]{0,1}' 0,1 -> 2"}));
  EXPECT_EQ(RunNext({"prove", "(3,4):(5,1)", "--law", "onto", "--json"}),
            (Answers{"layoutcheck show '(3,4):(5,1)' -> (3,4):(5,1)", "layoutcheck coord '(3,4):(5,1)' 4 -> padding"}));
  EXPECT_EQ(RunNext({"prove", "(3,4):(3,1)", "--law", "injective", "--json"}),
            (Answers{"layoutcheck show '(3,4):(3,1)' -> (3,4):(3,1)", "layoutcheck index '(3,4):(3,1)' 0,3 -> 3",
                     "layoutcheck index '(3,4):(3,1)' 1,0 -> 3"}));
  EXPECT_EQ(RunNext({"prove", "ll{lane:[1,1]} -> [4]", "--law", "injective", "--json"}).size(), 3u);
}

TEST(NextSteps, AreOnlyOfRefutations) {
  EXPECT_EQ(RunLayoutcheck({"prove", "f32[M,N]{1,0}", "--json"}).out.find("\"next\""), std::string::npos);
  EXPECT_EQ(RunLayoutcheck({"compare", "f32[2,3]{1,0}", "f32[2,3]{1,0}", "--json"}).out.find("\"next\""),
            std::string::npos);
}

TEST(NextSteps, OfTwoLayoutsAreTheElementThatMoves) {
  EXPECT_EQ(
      RunNext({"compare", "f32[2,3]{1,0}", "f32[2,3]{0,1}", "--json"}),
      (Answers{"layoutcheck show 'f32[2,3]{1,0}' -> f32[2,3]{1,0}", "layoutcheck index 'f32[2,3]{1,0}' 0,1 -> 1",
               "layoutcheck show 'f32[2,3]{0,1}' -> f32[2,3]{0,1}", "layoutcheck index 'f32[2,3]{0,1}' 0,1 -> 2"}));
}

TEST(NextSteps, OfAFindingHaveItsTest) {
  const TemporaryDirectory directory;
  const std::vector<std::string> arguments = {"check",
                                              "--subject",
                                              "exec:" + kFaulty + " --fault floor-tile-count",
                                              "--law",
                                              "linear-index",
                                              "--jobs",
                                              "1",
                                              "--json",
                                              "--out",
                                              directory.path()};
  const Json finding = JsonLines(RunLayoutcheck(arguments).out).at(0);
  const Json& test = finding["next"]["test"];
  // The reference answers the test as it expects.
  EXPECT_EQ(RunLayoutcheck({"serve"}, test["send"].text() + "\n").out, test["expect"].text() + "\n");
  const Answers answers = RunNext(arguments);
  ASSERT_GE(answers.size(), 2u);
  EXPECT_TRUE(answers[1].ends_with(" -> " + finding["expected"].text())) << answers[1];
  // The saved finding has no `next`, which follows from the rest.
  EXPECT_EQ(ReadFile(directory.path() + "/findings.jsonl").find("\"next\""), std::string::npos);
}

}  // namespace
}  // namespace layoutcheck
