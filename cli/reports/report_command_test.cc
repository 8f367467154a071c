// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Runs `layoutcheck report` as a user does.
#include <gtest/gtest.h>
#include <string>
#include "layoutcheck/cli/testing/run_program.h"

namespace layoutcheck {
namespace {

TEST(ReportCommand, DoesNotReplaceItsFindings) {
  const TemporaryDirectory directory;
  const std::string findings =
      WriteFile(directory, "f.jsonl", R"({"subject":"s","law":"l","layout":"f32[2]","expected":"1","actual":"2"})");
  const std::string content = ReadFile(findings);
  for (const char* option : {"--html", "--junit", "--sarif"}) {
    for (const std::string& argument : {findings, findings + ":1"}) {
      const ProgramResult result = RunLayoutcheck({"report", argument, option, findings});
      EXPECT_EQ(result.exit_code, 2);
      EXPECT_NE(result.err.find(std::string(option) + " " + findings + " would replace FINDINGS " + findings),
                std::string::npos)
          << result.err;
    }
  }
  EXPECT_EQ(ReadFile(findings), content);
}

}  // namespace
}  // namespace layoutcheck
