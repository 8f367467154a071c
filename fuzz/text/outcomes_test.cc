// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/fuzz/text/outcomes.h"
#include <gtest/gtest.h>
#include <fstream>
#include <sstream>
#include <string>

namespace layoutcheck {
namespace {

TEST(OutcomesTest, OfATextThatIsAcceptedMalformedAndInvalid) {
  EXPECT_EQ(OutcomeOf(TextKind::kShape, "f32[ 2 ]"), "accepted: f32[2]{0}");
  EXPECT_EQ(OutcomeOf(TextKind::kLayout, "{1,0:T(02)}"), "accepted: {1,0:T(2)}");
  EXPECT_EQ(OutcomeOf(TextKind::kShape, "f32[2]{1}"),
            "layout, column 7: layout minor_to_major field has out-of-bounds value 1 at position 0: expected 0 to 0");
  EXPECT_EQ(OutcomeOf(TextKind::kShape, "f32[2]\t\xff"),
            "syntax, column 8: expected end of text after the shape, found byte 0xff");
  EXPECT_EQ(OutcomeOf(TextKind::kInstruction, "a = f32[] add(), n=\"\\\n\"").find('\n'), std::string::npos);
}

TEST(OutcomesTest, TheCorpusIsReadAsItIsWrittenThere) {
  std::ifstream file(LAYOUTCHECK_CORPUS "/fuzz/outcomes.txt");
  std::istringstream now(OutcomesOfCorpus(LAYOUTCHECK_CORPUS));
  int lines = 0;
  for (std::string expected, actual; std::getline(now, actual); ++lines) {
    std::getline(file, expected);
    ASSERT_EQ(actual, expected) << "if that is right, run: write_outcomes corpus > corpus/fuzz/outcomes.txt";
  }
  std::string more;
  EXPECT_FALSE(std::getline(file, more)) << more;
  std::printf("%d texts\n", lines);
  EXPECT_GT(lines, 300);
}

}  // namespace
}  // namespace layoutcheck
