// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Problems with the names of a module as a whole.
#include <gtest/gtest.h>
#include <string>
#include <vector>
#include "layoutcheck/core/module/module_reader.h"
#include "layoutcheck/core/testing/module_problems.h"

namespace layoutcheck {
namespace {

using Texts = std::vector<std::string>;

TEST(ModuleCompletion, NamesThatAreNotDefinedOrNotUnique) {
  const HloModule module = ReadModule(R"(HloModule m, is_scheduled=true
ENTRY main {
  a = (f32[2]{0}, f32[3]{0}) parameter(0)
  b = f32[2]{0} get-tuple-element(a), index=7
  c = f32[2]{0} negate(f32[2]{0} nowhere)
  d = f32[2]{0} add(e, a#2)
  e = f32[2]{0} fusion(c), kind=kLoop, calls=missing
  b = f32[4]{0} parameter(0)
  ROOT f = f32[2]{0} bitcast(b)
}
)");
  EXPECT_EQ(Problems(module),
            (Texts{"3:3: the computation has another parameter(0)",
                   "4:3: expected the index of one of the 2 elements of the operand, found index=7",
                   "5:3: the operand 'nowhere' names no instruction that comes before in its computation",
                   "6:3: the operand 'e' names no instruction that comes before in its computation",
                   "6:3: the operand 'a#2' names no element of 'a'",
                   "7:3: the instruction calls 'missing', which is no computation of the module",
                   "8:3: this is a second instruction with the name 'b' in its computation"}));
  // Nothing is judged against one of two definitions.
  EXPECT_EQ(module.Entry()->Root()->operands.at(0).instruction, ModuleOperand::kUnknown);
}

TEST(ModuleCompletion, TheLastComputationIsTheEntryIfNoneIsMarked) {
  const HloModule module =
      ReadModule("HloModule m\nf {\n  a = f32[] parameter(0)\n}\ng {\n  b = f32[] parameter(0)\n}\n");
  EXPECT_EQ(Problems(module), Texts{});
  ASSERT_NE(module.Entry(), nullptr);
  EXPECT_EQ(module.Entry()->name, "g");
}

TEST(ModuleCompletion, ComputationsThatAreCutOrNotUnique) {
  EXPECT_EQ(Problems(ReadModule("HloModule m\nf {\n  a = f32[] parameter(0)\n}\nf {\n  b = f32[] parameter(0)\n}\n")),
            Texts{"5:1: this is a second computation with the name 'f'"});
  EXPECT_EQ(Problems(ReadModule("HloModule m\nENTRY f {\n  a = f32[] parameter(0)\n")),
            Texts{"2:1: expected '}' at the end of the computation that begins here, found none"});
}

TEST(ModuleCompletion, WhatMayBeInAMissingPartIsUnknown) {
  // The root, where none is marked and the end or a line is missing.
  const HloModule cut = ReadModule("HloModule m\nENTRY f {\n  a = f32[] parameter(0)\n  b = f32[] negate(a)\n");
  EXPECT_EQ(cut.Entry()->Root(), nullptr);
  const HloModule lost = ReadModule("HloModule m\nENTRY f {\n  a = f32[] parameter(0)\n  ROOT b = f32[ add(a)\n}\n");
  EXPECT_EQ(lost.Entry()->Root(), nullptr);
  const HloModule marked = ReadModule("HloModule m\nENTRY f {\n  ROOT a = f32[] parameter(0)\n  b = f32[ add(a)\n");
  EXPECT_EQ(marked.Entry()->Root()->name, "a");
  // The entry, where XLA's header describes it.
  const HloModule entry_is_missing =
      ReadModule("HloModule m, entry_computation_layout={(f32[2]{0})->f32[2]{0}}\nf {\n  a = f32[] parameter(0)\n}\n");
  EXPECT_EQ(Problems(entry_is_missing),
            Texts{"1:1: expected a computation marked ENTRY, which entry_computation_layout describes, found none"});
  EXPECT_EQ(entry_is_missing.Entry(), nullptr);
  // The callee, where a name is not unique, as after the header of a second module is lost.
  const HloModule twice = ReadModule(
      "HloModule m\nf {\n  a = f32[] parameter(0)\n}\nf {\n  a = f32[] parameter(0)\n}\n"
      "ENTRY e {\n  b = f32[] parameter(0)\n  ROOT c = f32[] call(b), to_apply=f\n}\n");
  EXPECT_EQ(Problems(twice), Texts{"5:1: this is a second computation with the name 'f'"});
  EXPECT_EQ(twice.Entry()->Root()->calls.at(0).computation, ModuleOperand::kUnknown);
}

TEST(ModuleCompletion, TheLastLineOfACutTextIsNotRead) {
  const std::string text =
      "HloModule m\nENTRY f {\n  a = (f32[], f32[]) parameter(0)\n  b = f32[] get-tuple-element(a), ";
  const HloModule cut = ReadModule(text + "index=1");
  EXPECT_EQ(Problems(cut), Texts{"4:42: expected the end of this line and '}' behind it, found end of text"});
  EXPECT_EQ(cut.Entry()->instructions.size(), 1U);
  EXPECT_EQ(ReadModule(text + "index=1\n").Entry()->instructions.size(), 2U);
  EXPECT_EQ(Problems(ReadModule(text + "index=1\n}")), Texts{});
}

TEST(ModuleCompletion, PartsOfModulesNeedNotBeWhole) {
  EXPECT_EQ(Problems(ReadModule("a = f32[2]{0} fusion(f32[2]{0} %x), kind=kLoop, calls=%f\nb = f32[2]{0} negate(a)\n")),
            Texts{});
  EXPECT_EQ(Problems(ReadModule("a = f32[2]{0} bitcast(x)\n")), Texts{});
  // The uses of what a lost line defines are no problems of their own.
  EXPECT_EQ(
      Problems(ReadModule("HloModule m\nENTRY f {\n  a = f32[2 parameter(0)\n  ROOT b = f32[2]{0} negate(a)\n}\n"))
          .size(),
      1U);
}

}  // namespace
}  // namespace layoutcheck
