// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gtest/gtest.h>
#include <string>
#include "layoutcheck/cli/testing/run_program.h"

namespace layoutcheck {
namespace {

TEST(Subjects, SelfTestSaysWhatASubjectGotWrong) {
  const ProgramResult right = RunLayoutcheck({"subjects", "--self-test", "exec:" + kFaulty});
  EXPECT_EQ(right.exit_code, 0) << right.out << right.err;
  EXPECT_TRUE(right.out.ends_with("37 right, 0 declined, 0 wrong\n")) << right.out;
  const ProgramResult wrong =
      RunLayoutcheck({"subjects", "--self-test", "exec:" + kFaulty + " --fault floor-tile-count"});
  EXPECT_EQ(wrong.exit_code, 1) << wrong.err;
  EXPECT_NE(wrong.out.find("wrong     offset f32[3,5]{1,0:T(2,2)}\n"
                           "  sent:     {\"op\":\"offset\",\"layout\":\"f32[3,5]{1,0:T(2,2)}\",\"coordinate\":[2,3]}\n"
                           "  expected: {\"offset\":17}\n"
                           "  received: {\"offset\":13}\n"),
            std::string::npos)
      << wrong.out;
}

TEST(Subjects, SelfTestAsJson) {
  const ProgramResult result = RunLayoutcheck({"subjects", "--json", "--self-test", "exec:" + kFaulty});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_TRUE(result.out.starts_with("{\"step\":\"hello\",\"result\":\"right\",")) << result.out;
  EXPECT_TRUE(result.out.ends_with("{\"right\":37,\"declined\":0,\"wrong\":0}\n")) << result.out;
}

TEST(Subjects, SelfTestOfNoSubjectIsUnusable) {
  for (const char* subject : {"exec:layoutcheck-no-such-program", "lib:mine.so", "reference", ""}) {
    const ProgramResult result = RunLayoutcheck({"subjects", "--self-test", subject});
    EXPECT_EQ(result.exit_code, 2) << subject << result.out;
    EXPECT_NE(result.err.find("--self-test"), std::string::npos) << result.err;
  }
}

TEST(Check, TakesExpressionsOfTensors) {
  const TemporaryDirectory directory;
  const auto check = [&](const std::string& arguments) {
    return RunShell("layoutcheck check " + arguments + " 2>&1", directory.path());
  };
  const std::string quotient = "'divsi(subi(range(0,4),constant(4,[4])),constant(4,[4]))'";
  EXPECT_EQ(check(quotient).exit_code, 0);
  const std::string subject = " --subject 'exec:" + kFaulty + " --fault axis-quotient-of-negatives'";
  const ProgramResult found = check(quotient + subject);
  EXPECT_EQ(found.exit_code, 1) << found.out;
  EXPECT_NE(found.out.find("actual     4, but the element is 0 after -1\n"), std::string::npos) << found.out;
  EXPECT_EQ(RunShell("layoutcheck replay $(ls layoutcheck-out/*/findings.jsonl):1", directory.path()).exit_code, 1);
  EXPECT_EQ(check("'range(0,6)'").out, "layoutcheck check: range(0,6): column 1: size 6: expected a power of two\n");
  EXPECT_EQ(check("--law axis-constancy 'f32[2]{0}'").out,
            "layoutcheck check: --law axis-constancy takes expressions such as 'muli(range(0,8),range(0,8))', got "
            "'f32[2]{0}'\n");
}

TEST(Check, ArraysWithShardingsAreArguments) {
  const TemporaryDirectory directory;
  const auto check = [&](const std::string& arguments) {
    return RunShell("layoutcheck check " + arguments + " 2>&1", directory.path());
  };
  EXPECT_EQ(check("'f32[7,4] mesh[2,2] S(0),_StridedShard(1,sf=2)'").exit_code, 0);
  EXPECT_EQ(check("'f32[4] mesh[2] S(0); f32[4] mesh[2] R'").exit_code, 0);
  const std::string subject = " --subject 'exec:" + kFaulty + " --fault shard-floor-for-ceil'";
  const ProgramResult found = check("'f32[7] mesh[2] S(0)'" + subject);
  EXPECT_EQ(found.exit_code, 1) << found.out;
  EXPECT_NE(found.out.find("  with       device=0\n  expected   [0,4)\n  actual     elements 0,1,2\n"),
            std::string::npos)
      << found.out;
  EXPECT_NE(found.out.find("send    {\"op\":\"shard\",\"layout\":\"f32[7] mesh[2] S(0)\",\"device\":0}\n"),
            std::string::npos)
      << found.out;
  EXPECT_EQ(RunShell("layoutcheck replay $(ls layoutcheck-out/*/findings.jsonl):1", directory.path()).exit_code, 1);
  EXPECT_EQ(
      check("'f32[7] mesh[2] S(1)'").out,
      "layoutcheck check: f32[7] mesh[2] S(1): column 18: expected a dimension of the array, which has 1, found 1\n");
  EXPECT_EQ(check("--law shard-cover 'f32[2]{0}'").out,
            "layoutcheck check: --law shard-cover takes arrays with a sharding such as 'f32[8] mesh[2] S(0)', got "
            "'f32[2]{0}'\n");
}

// A scope is also one of shardings. Its first failing array is the smallest.
TEST(Check, ExhaustiveEnumeratesShardings) {
  const TemporaryDirectory directory;
  const std::string check = "layoutcheck check --exhaustive 1 --law shard-elements --subject 'exec:" + kFaulty;
  const ProgramResult right = RunShell(check + "' 2>&1", directory.path());
  EXPECT_NE(right.out.find("scope 1: shardings of HLO, JAX and DTensor, rank <= 1, sizes <= 6,"), std::string::npos);
  EXPECT_TRUE(right.out.ends_with("406 cases, 1 laws, 0 findings, 0 known, 0 declined\n")) << right.out;
  const ProgramResult wrong = RunShell(check + " --fault shard-split-factor-ignored' 2>/dev/null", directory.path());
  EXPECT_NE(wrong.out.find("  arguments  f32[2]{0} mesh[2] _StridedShard(0,sf=2)\n"), std::string::npos) << wrong.out;
}

// The finding says at which expression the subject crashed.
TEST(Check, FindingOfACrashNamesTheExpression) {
  const TemporaryDirectory directory;
  const ProgramResult result = RunShell("layoutcheck check --law axis-constancy --cases 20 --subject 'exec:" + kFaulty +
                                            " --do crash --on range' 2>/dev/null",
                                        directory.path());
  EXPECT_EQ(result.exit_code, 1) << result.out;
  EXPECT_NE(result.out.find("breaks subject-crash\n"), std::string::npos) << result.out;
  EXPECT_NE(result.out.find("  layout     range(0,2)\n"), std::string::npos) << result.out;
}

}  // namespace
}  // namespace layoutcheck
