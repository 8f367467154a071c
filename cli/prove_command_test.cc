// layoutcheck prove, run as a program.
#include <gtest/gtest.h>

#include <filesystem>
#include <nlohmann/json.hpp>
#include <sstream>

#include "layoutcheck/cli/run_program.h"

namespace layoutcheck {
namespace {

std::vector<nlohmann::json> JsonLines(const std::string& text) {
  std::vector<nlohmann::json> lines;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) lines.push_back(nlohmann::json::parse(line));
  return lines;
}

TEST(ProveCommand, ProvesAllLaws) {
  const ProgramResult result = RunLayoutcheck({"prove", "f32[M,N]{1,0:T(P,128)}"});
  EXPECT_EQ(result.exit_code, 0) << result.out << result.err;
  EXPECT_EQ(result.out.find("refuted"), std::string::npos) << result.out;
  EXPECT_EQ(result.out.find("unknown"), std::string::npos) << result.out;
  EXPECT_NE(result.out.find(" proved for all M, N, P and every index (mixed-radix, "), std::string::npos) << result.out;
  EXPECT_EQ(result.err, "");
}

TEST(ProveCommand, JsonHasTheFieldsOfTheContract) {
  const ProgramResult result =
      RunLayoutcheck({"prove", "f32[M,N]{1,0:T(8,128)}", "--law", "injective", "--law", "in-bounds", "--json"});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  const auto lines = JsonLines(result.out);
  ASSERT_EQ(lines.size(), 2u);
  EXPECT_EQ(lines[0]["layout"], "f32[M,N]{1,0:T(8,128)}");
  EXPECT_EQ(lines[0]["law"], "injective");
  EXPECT_EQ(lines[0]["verdict"], "proved");
  EXPECT_EQ(lines[0]["for_all"], nlohmann::json({"M", "N"}));
  EXPECT_EQ(lines[0]["method"], "mixed-radix");
  EXPECT_GT(lines[0]["seconds"].get<double>(), 0);
  EXPECT_FALSE(lines[0].contains("counterexample"));
  EXPECT_FALSE(lines[0].contains("reason"));
}

TEST(ProveCommand, ARefutedLawHasACounterexampleThatTheProgramConfirms) {
  const ProgramResult result =
      RunLayoutcheck({"prove", "f32[8,128]{1,0:T(8,128)(3,1)}", "--law", "onto-padded-box", "--json"});
  EXPECT_EQ(result.exit_code, 1) << result.err;
  const auto lines = JsonLines(result.out);
  ASSERT_EQ(lines.size(), 1u);
  EXPECT_EQ(lines[0]["verdict"], "refuted");
  const auto& counterexample = lines[0]["counterexample"];
  EXPECT_EQ(counterexample["expected"], 1);
  EXPECT_EQ(counterexample["actual"], 0);
  // The array is its own padded box, so an offset without a point is padding.
  const ProgramResult coordinate =
      RunLayoutcheck({"coord", "f32[8,128]{1,0:T(8,128)(3,1)}", counterexample["offset"].dump()});
  EXPECT_EQ(coordinate.out, "padding\n");
}

TEST(ProveCommand, UndecidedIsNeitherProvedNorRefuted) {
  const ProgramResult result =
      RunLayoutcheck({"prove", "f32[M,N]{1,0:T(P,Q)}", "--law", "injective", "--rlimit", "50", "--json"});
  EXPECT_EQ(result.exit_code, 3);
  const auto lines = JsonLines(result.out);
  ASSERT_EQ(lines.size(), 1u);
  EXPECT_EQ(lines[0]["verdict"], "unknown");
  EXPECT_NE(lines[0]["reason"], "");
}

TEST(ProveCommand, SolversThatDisagreeAreAnError) {
  const ProgramResult result =
      RunLayoutcheck({"prove", "f32[M]{0:T(8)}", "--law", "injective", "--second-solver", "echo sat"});
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_NE(result.err.find("echo sat answers sat, not unsat"), std::string::npos) << result.err;
  EXPECT_EQ(result.out.find(" proved"), std::string::npos) << result.out;
}

TEST(ProveCommand, WritesSmtLib) {
  const TemporaryDirectory directory;
  const ProgramResult result =
      RunLayoutcheck({"prove", "f32[M]{0:T(P)}", "--law", "in-bounds", "--emit-smt2", directory.path() + "/queries"});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  size_t files = 0;
  for (const auto& entry : std::filesystem::directory_iterator(directory.path() + "/queries")) {
    ++files;
    EXPECT_EQ(entry.path().extension(), ".smt2");
    EXPECT_NE(ReadFile(entry.path().string()).find("\n; expected: "), std::string::npos) << entry.path();
  }
  EXPECT_GE(files, 6u);
}

}  // namespace
}  // namespace layoutcheck
