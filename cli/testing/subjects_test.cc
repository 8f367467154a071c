// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gtest/gtest.h>
#include <string>
#include "layoutcheck/cli/testing/run_program.h"

namespace layoutcheck {
namespace {

TEST(Subjects, SelfTestSaysWhatASubjectGotWrong) {
  const ProgramResult right = RunLayoutcheck({"subjects", "--self-test", "exec:" + kFaulty});
  EXPECT_EQ(right.exit_code, 0) << right.out << right.err;
  EXPECT_TRUE(right.out.ends_with("33 right, 0 declined, 0 wrong\n")) << right.out;
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
  EXPECT_TRUE(result.out.ends_with("{\"right\":33,\"declined\":0,\"wrong\":0}\n")) << result.out;
}

TEST(Subjects, SelfTestOfNoSubjectIsUnusable) {
  for (const char* subject : {"exec:layoutcheck-no-such-program", "lib:mine.so", "reference", ""}) {
    const ProgramResult result = RunLayoutcheck({"subjects", "--self-test", subject});
    EXPECT_EQ(result.exit_code, 2) << subject << result.out;
    EXPECT_NE(result.err.find("--self-test"), std::string::npos) << result.err;
  }
}

}  // namespace
}  // namespace layoutcheck
