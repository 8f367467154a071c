// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// copy-is-free, copy-of-copy and padding-waste on small modules with known answers.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <string>
#include <vector>
#include "layoutcheck/core/base/str_cat.h"
#include "layoutcheck/properties/testing/module_findings.h"

namespace layoutcheck {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

// Returns the findings of an entry computation with these lines; the first of them has number 3.
std::vector<std::string> InEntry(const std::string& lines) {
  return FoundIn(StrCat("HloModule m, is_scheduled=true\nENTRY %e {\n", lines, "}\n"));
}

TEST(CopyIsFree, MovesThatMoveNothing) {
  EXPECT_THAT(
      InEntry("  %p = f32[6,4]{1,0} parameter(0)\n  ROOT %r = f32[3,8]{1,0} reshape(%p)\n"),
      ElementsAre("4 copy-is-free (advice): the reshape of f32[6,4]{1,0} moves none of 96 bytes: a bitcast would "
                  "do"));
  EXPECT_THAT(InEntry("  %p = f32[6,4]{1,0} parameter(0)\n  ROOT %r = f32[4,6]{0,1} transpose(%p), dimensions={1,0}\n"),
              ElementsAre("4 copy-is-free (advice): the transpose of f32[6,4]{1,0} moves none of 96 bytes: a bitcast "
                          "would do"));
  EXPECT_THAT(InEntry("  %p = f32[1,8]{1,0} parameter(0)\n  ROOT %r = f32[1,8]{0,1} copy(%p)\n"),
              ElementsAre("4 copy-is-free (advice): the copy of f32[1,8]{1,0} moves none of 32 bytes: a bitcast would "
                          "do"));
}

TEST(CopyIsFree, MovesThatMove) {
  for (const char* move :
       {"f32[6,4]{1,0} copy(%p)",  // gives the value a buffer of its own
        "f32[6,4]{0,1} copy(%p)", "f32[3,8]{0,1} reshape(%p)", "f32[4,6]{1,0} transpose(%p), dimensions={1,0}",
        "f32[6,4]{1,0:T(2,2)} copy(%p)", "f32[6,4]{1,0:S(1)} copy(%p)", "f32[6,4]{1,0:S(5)} copy(%p)",
        "f32[3,8]{1,0:T(1,128)} reshape(%p)"}) {
    EXPECT_THAT(InEntry(StrCat("  %p = f32[6,4]{1,0} parameter(0)\n  ROOT %r = ", move, "\n")),
                Not(Contains(HasSubstr("copy-is-free"))))
        << move;
  }
}

TEST(CopyIsFree, NotInFusions) {
  EXPECT_THAT(RulesBrokenIn("%f {\n  %p = f32[6,4]{1,0} parameter(0)\n  ROOT %r = f32[3,8]{1,0} reshape(%p)\n}\n"
                            "ENTRY %e {\n  %p = f32[6,4]{1,0} parameter(0)\n"
                            "  ROOT %c = f32[3,8]{1,0} fusion(%p), kind=kLoop, calls=%f\n}\n"),
              IsEmpty());
}

TEST(CopyOfCopy, BackAndForth) {
  const std::string there = "  %p = f32[6,4]{1,0} parameter(0)\n  %there = f32[6,4]{0,1} copy(%p)\n";
  EXPECT_THAT(
      InEntry(there + "  ROOT %back = f32[6,4]{1,0} copy(%there)\n"),
      ElementsAre("5 copy-of-copy (advice): back to the layout from which there came, through f32[6,4]{0,1}: two "
                  "copies of 96 bytes"));
  EXPECT_THAT(InEntry(there + "  ROOT %on = f32[6,4]{1,0:T(2,2)} copy(%there)\n"), IsEmpty());
  EXPECT_THAT(InEntry(there + "  %n = f32[6,4]{0,1} negate(%there)\n  ROOT %back = f32[6,4]{1,0} copy(%n)\n"),
              IsEmpty());
}

TEST(PaddingWaste, MostlyPadding) {
  EXPECT_THAT(InEntry("  ROOT %p = f32[4096,2]{1,0:T(8,128)} parameter(0)\n"),
              ElementsAre("3 padding-waste (advice): allocates 2097152 bytes for 32768 bytes of elements; "
                          "f32[4096,2]{0,1:T(8,128)} would take 131072"));
  EXPECT_THAT(
      InEntry("  ROOT %p = f32[4097]{0:T(65536)} parameter(0)\n"),
      ElementsAre("3 padding-waste (advice): allocates 262144 bytes for 16388 bytes of elements; no order of its "
                  "dimensions takes less"));
  EXPECT_THAT(InEntry("  ROOT %p = f32[128,100]{1,0:T(8,128)} parameter(0)\n"), IsEmpty());
  EXPECT_THAT(InEntry("  ROOT %p = f32[8,2]{1,0:T(8,128)} parameter(0)\n"), IsEmpty()) << "less than 64 KiB";
  EXPECT_THAT(
      InEntry("  %p = f32[2,4096]{1,0:T(8,128)} parameter(0)\n"
              "  ROOT %b = f32[2,4096]{1,0:T(8,128)} bitcast(%p)\n"),
      ElementsAre("3 padding-waste (advice): allocates 131072 bytes for 32768 bytes of elements; no order of its "
                  "dimensions takes less"))
      << "a bitcast allocates nothing";
}

}  // namespace
}  // namespace layoutcheck
