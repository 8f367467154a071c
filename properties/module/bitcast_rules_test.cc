// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// bitcast-changes-size and bitcast-reads-padding on small modules with known answers.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <string>
#include "layoutcheck/core/base/str_cat.h"
#include "layoutcheck/properties/testing/module_findings.h"

namespace layoutcheck {
namespace {

// Returns the finding about a bitcast from one shape to another, or "right".
std::string Judged(const std::string& operand, const std::string& result) {
  const auto found = FoundIn(StrCat("HloModule m\n\nENTRY %e {\n  %p = ", operand,
                                    " parameter(0)\n  ROOT %b = ", result, " bitcast(", operand, " %p)\n}\n"));
  EXPECT_LE(found.size(), 1U);
  return found.empty() ? "right" : found[0];
}

TEST(BitcastRules, AnOperandWithoutAShapeIsUndecided) {
  EXPECT_THAT(
      FoundIn("b = f32[2]{0} bitcast(a)\n"),
      ::testing::ElementsAre("1 bitcast-changes-size (undecided): the text does not say what shape the operand has"));
}

TEST(BitcastRules, Right) {
  const struct {
    const char* what;
    const char* operand;
    const char* result;
  } kBitcasts[] = {
      {"a reshape", "f32[6,4]{1,0}", "f32[2,3,4]{2,1,0}"},
      {"a transpose", "f32[6,4]{1,0}", "f32[4,6]{0,1}"},
      {"a reshape and a transpose", "f32[6,4]{1,0}", "f32[4,2,3]{0,2,1}"},
      {"only dimensions of size 1 change places", "f32[1,8]{1,0}", "f32[1,8]{0,1}"},
      {"a scalar", "f32[]", "f32[1,1]{0,1}"},
      {"an empty array", "f32[0,3]{1,0}", "f32[4,0]{1,0}"},
      {"narrower elements", "f32[8]{0}", "s8[32]{0}"},
      {"narrower elements in tiles", "f32[3,128]{1,0:T(8,128)}", "f32[3,128]{1,0:T(8,128)}"},
      {"narrower elements and padding", "f32[3]{0:T(4)}", "bf16[6]{0:T(8)}"},
      {"elements of four bits", "s4[16]{0:E(4)}", "s8[8]{0}"},
      {"whole tiles", "f32[16,128]{1,0:T(8,128)}", "f32[2,8,128]{2,1,0:T(8,128)}"},
      {"padding at the same places", "f32[2,8,100]{2,1,0:T(8,128)}", "f32[16,100]{1,0:T(8,128)}"},
      {"the order of whole tiles", "f32[8,256]{1,0:T(8,128)}", "f32[2,8,128]{2,1,0}"},
      {"another memory space", "f32[8]{0:T(128)}", "f32[8]{0:T(128)S(1)}"},
      {"a bounded dynamic dimension", "f32[<=8,4]{1,0}", "f32[4,<=8]{0,1}"},
      {"huge", "f32[1000000,8,100]{2,1,0:T(8,128)}", "f32[8000000,100]{1,0:T(8,128)}"},
      {"huge, without padding", "f32[3000000000,100]{1,0}", "bf16[100,3000000000,2]{0,2,1}"},
  };
  for (const auto& bitcast : kBitcasts) EXPECT_EQ(Judged(bitcast.operand, bitcast.result), "right") << bitcast.what;
}

TEST(BitcastRules, OtherSize) {
  EXPECT_EQ(Judged("f32[1,8]{1,0}", "f32[1,8]{1,0:T(16)}"),
            "5 bitcast-changes-size: the operand f32[1,8]{1,0} allocates 32 bytes, and the result 64");
  EXPECT_EQ(Judged("f32[8]{0}", "s8[33]{0}"),
            "5 bitcast-changes-size: the operand f32[8]{0} allocates 32 bytes, and the result 33");
  EXPECT_EQ(Judged("s4[8]{0}", "s4[8]{0:E(4)}"),
            "5 bitcast-changes-size: the operand s4[8]{0} allocates 8 bytes, and the result 4");
  EXPECT_EQ(Judged("f32[3,100]{1,0:T(8,128)}", "f32[3,100]{0,1:T(8,128)}"),
            "5 bitcast-changes-size: the operand f32[3,100]{1,0:T(8,128)} allocates 4096 bytes, and the result 53248");
}

TEST(BitcastRules, ReadsPadding) {
  EXPECT_EQ(Judged("f32[3]{0:T(4)}", "f32[4]{0}"),
            "5 bitcast-reads-padding: bit 96 holds element (3) of the result, and padding of the operand: the result "
            "reads padding; the operand is "
            "f32[3]{0:T(4)}");
  EXPECT_EQ(Judged("f32[2,3]{1,0:T(2,4)}", "f32[6]{0:T(8)}"),
            "5 bitcast-reads-padding: bit 96 holds element (3) of the result, and padding of the operand: the result "
            "reads padding; the operand is "
            "f32[2,3]{1,0:T(2,4)}");
  EXPECT_EQ(Judged("bf16[3]{0:T(8)}", "f32[2]{0:T(4)}"),
            "5 bitcast-reads-padding: bit 48 holds element (1) of the result, and padding of the operand: the result "
            "reads padding; the operand is "
            "bf16[3]{0:T(8)}");
  EXPECT_EQ(Judged("f32[1000000,8,100]{2,1,0:T(8,128)}", "f32[8000000,101]{1,0:T(8,128)}"),
            "5 bitcast-reads-padding: bit 3200 holds element (0,100) of the result, and padding of the operand: the "
            "result reads padding; the operand is f32[1000000,8,100]{2,1,0:T(8,128)}");
}

TEST(BitcastRules, LeavesElementsOut) {
  EXPECT_EQ(Judged("u32[10]{0:T(128)}", "u32[5]{0:T(128)}"),
            "5 bitcast-reads-padding: bit 160 holds element (5) of the operand, and padding of the result: the result "
            "leaves it out; the operand is u32[10]{0:T(128)}");
  EXPECT_EQ(
      Judged("f32[33712,8,128]{2,1,0:T(8,128)}", "f32[33708,1024]{1,0:T(8,128)}"),
      "5 bitcast-reads-padding: elements of the operand fill 1104674816 bits, and those of the result 1104543744: "
      "they are not at the same places; the operand is f32[33712,8,128]{2,1,0:T(8,128)}");
}

TEST(BitcastRules, Undecided) {
  EXPECT_EQ(Judged("f32[6]{0:T(8)SC(0:3)}", "f32[3,2]{1,0:T(4,2)}"),
            "5 bitcast-reads-padding (undecided): split configs have no order of addresses; the operand is "
            "f32[6]{0:T(8)SC(0:3)}");
}

TEST(BitcastRules, WhatIsNoArrayIsNotJudged) {
  EXPECT_EQ(Judged("(f32[2]{0}, f32[3]{0})", "(f32[3]{0}, f32[2]{0})"), "right");
  EXPECT_EQ(Judged("token[]", "token[]"), "right");
}

TEST(BitcastRules, InFusionsToo) {
  EXPECT_THAT(RulesBrokenIn("%f {\n  %p = f32[3]{0:T(4)} parameter(0)\n  ROOT %b = f32[4]{0} bitcast(%p)\n}\n"
                            "ENTRY %e {\n  %p = f32[3]{0:T(4)} parameter(0)\n"
                            "  ROOT %r = f32[4]{0} fusion(%p), kind=kLoop, calls=%f\n}\n"),
              ::testing::ElementsAre("4 bitcast-reads-padding"));
}

TEST(BitcastRules, TheWitnessIsTheFirstPlaceThatIsRead) {
  const HloModule module =
      ReadModule("HloModule m\nENTRY %e {\n  %p = f32[3]{0:T(4)} parameter(0)\n  ROOT %b = f32[4]{0} bitcast(%p)\n}\n");
  ModuleFacts facts(module);
  const ModuleVerdict verdict = CheckModule(facts);
  ASSERT_EQ(verdict.findings.size(), 1U);
  EXPECT_EQ(verdict.findings[0].witness, (OccupancyDifference{.bit = 96, .is_element_of_a = false, .coordinate = {3}}));
}

}  // namespace
}  // namespace layoutcheck
