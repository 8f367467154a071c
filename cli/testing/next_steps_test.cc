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

TEST(NextSteps, OfShardingsNameTheArraysInNumbers) {
  EXPECT_EQ(RunNext({"prove", "f32[M] mesh[x=X] S(0)", "--equals", "f32[M] mesh[x=X] R", "--json"}),
            (Answers{"layoutcheck show 'f32[1] mesh[x=2] S(0)' -> f32[1]{0} mesh[x=2] S(0)",
                     "layoutcheck index 'f32[1] mesh[x=2] S(0)' 0 -> devices 0  offset 0",
                     "layoutcheck show 'f32[1] mesh[x=2] R' -> f32[1]{0} mesh[x=2] R",
                     "layoutcheck index 'f32[1] mesh[x=2] R' 0 -> devices 0,1  offset 0"}));
}

#ifdef LAYOUTCHECK_HAS_LLVM
TEST(NextSteps, OfAKernelShowItsArraysInNumbers) {
  EXPECT_EQ(RunNext({"prove-kernel", LAYOUTCHECK_SOURCE "/corpus/trial/vector-tail/copy.cu", "--function", "copy4",
                     "--array", "from=f32[N]{0}", "--array", "to=f32[N]{0}", "--args", "from,to,N", "--grid",
                     "N ceildiv 1024", "--block", "256", "--law", "complete", "--json"}),
            (Answers{"layoutcheck show 'f32[1]{0}' -> f32[1]{0}", "layoutcheck index 'f32[1]{0}' 0 -> 0"}));
}
#endif

// The comparison at another size names the element whose offset decides.
TEST(NextSteps, OfWhatIsNotDeterminedTellLayoutsApart) {
  const TemporaryDirectory directory;
  const std::string table = WriteFile(directory, "table", "0 1 2 3 4");
  const Json found = JsonLines(RunLayoutcheck({"find", "f32[1,5]", "--table", table, "--json"}).out).at(0);
  EXPECT_EQ(found["not_determined"], Json::array({"f32[1,5]{0,1}"}));
  EXPECT_EQ(found["next"]["commands"], Json::array({"layoutcheck compare 'f32[3,11]{1,0}' 'f32[3,11]{0,1}'"}));
  EXPECT_EQ(RunLayoutcheck({"compare", "f32[3,11]{1,0}", "f32[3,11]{0,1}"}).exit_code, 1);
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
