// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/core/module/module_header.h"
#include <gtest/gtest.h>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>
#include "layoutcheck/core/base/str_cat.h"
#include "layoutcheck/core/hlo/printer.h"

namespace layoutcheck {
namespace {

std::string ProblemOf(const Expected<void>& read) {
  return read ? "none" : StrCat(read.error().column, ": ", read.error().message);
}

std::string HeaderProblem(std::string_view line) {
  HloModule module;
  return ProblemOf(ReadModuleHeader(line, module));
}

std::string HeadProblem(std::string_view line) {
  HloModule module;
  ModuleComputation computation;
  return ProblemOf(ReadComputationHead(line, module, computation));
}

TEST(ModuleHeader, AttributesThatSayNothingOfLayoutsAreSkippedWithTheirBrackets) {
  for (const std::string_view skipped : {"a=(1,b=2)", "a=[1,b=2]", "a={1,b=2}", "a={[1,(b=2)],3}", "a=x y", "a="}) {
    HloModule module;
    EXPECT_EQ(ProblemOf(ReadModuleHeader(StrCat("HloModule m, ", skipped, ", is_scheduled=true"), module)), "none");
    EXPECT_TRUE(module.is_scheduled) << skipped;
  }
}

TEST(ModuleHeader, NamesAndSchedules) {
  for (const auto& [line, name, is_scheduled] :
       {std::tuple("HloModule jit_f.7", "jit_f.7", false), std::tuple("HloModule %m, is_scheduled=false", "m", false),
        std::tuple("HloModule a+b, is_scheduled=true", "a", true), std::tuple("HloModule", "", false)}) {
    HloModule module;
    EXPECT_EQ(ProblemOf(ReadModuleHeader(line, module)), "none");
    EXPECT_EQ(module.name, name);
    EXPECT_EQ(module.is_scheduled, is_scheduled);
  }
}

TEST(ModuleHeader, AHeaderThatIsReadAgainCountsOnce) {
  HloModule module;
  for (int readings = 0; readings < 2; ++readings) {
    EXPECT_TRUE(
        ReadModuleHeader("HloModule m, entry_computation_layout={(f32[2]{0}, s32[])->f32[2]{0}}, "
                         "input_output_alias={ {}: (0, {}), {2,5}: (7, {3,4}, must-alias) }",
                         module));
  }
  EXPECT_EQ(module.entry_parameters.size(), 2);
  ASSERT_EQ(module.aliases.size(), 2);
  EXPECT_EQ(module.aliases[0].output, std::vector<int64_t>{});
  EXPECT_EQ(module.aliases[0].parameter, 0);
  EXPECT_FALSE(module.aliases[0].must_alias);
  EXPECT_EQ(module.aliases[1].output, (std::vector<int64_t>{2, 5}));
  EXPECT_EQ(module.aliases[1].parameter, 7);
  EXPECT_EQ(module.aliases[1].index, (std::vector<int64_t>{3, 4}));
  EXPECT_TRUE(module.aliases[1].must_alias);
}

TEST(ModuleHeader, ProblemsOfHeaders) {
  EXPECT_EQ(HeaderProblem("HloModule m, 5"), "14: expected an attribute of the module, found integer 5");
  EXPECT_EQ(HeaderProblem("HloModule m, a=1,"), "18: expected an attribute of the module, found end of text");
  EXPECT_EQ(HeaderProblem("HloModule m, entry_computation_layout=(f32[2])->f32[2]"),
            "39: expected '{' at the start of the entry's layout, found '('");
  EXPECT_EQ(HeaderProblem("HloModule m, entry_computation_layout={f32[2]->f32[2]}"),
            "40: expected '(' in front of the parameters, found 'f32'");
  EXPECT_EQ(HeaderProblem("HloModule m, entry_computation_layout={(f32[2] f32[3])->f32[2]}"),
            "48: expected ',' or ')' after a parameter, found 'f32'");
  EXPECT_EQ(HeaderProblem("HloModule m, entry_computation_layout={(f32[2, f32[3])->f32[2]}"),
            "48: expected a dimension (an integer >= 0, '<=' or '?'), found 'f32'");
  EXPECT_EQ(HeaderProblem("HloModule m, entry_computation_layout={(f32[2])f32[2]}"),
            "48: expected '->' after the parameters, found 'f32'");
  EXPECT_EQ(HeaderProblem("HloModule m, entry_computation_layout={(f32[2])->x}"),
            "50: expected a shape (an element type, '(' or 'b('), found 'x'");
  EXPECT_EQ(HeaderProblem("HloModule m, entry_computation_layout={(f32[2])->f32[2]"),
            "56: expected '}' at the end of the entry's layout, found end of text");
  EXPECT_EQ(HeaderProblem("HloModule m, input_output_alias=1"),
            "33: expected '{' at the start of the aliases, found integer 1");
  EXPECT_EQ(HeaderProblem("HloModule m, input_output_alias={0: (1, {})}"),
            "34: expected '{' in front of an index, found integer 0");
  EXPECT_EQ(HeaderProblem("HloModule m, input_output_alias={{0 1}: (1, {})}"),
            "37: expected ',' or '}' in an index, found integer 1");
  EXPECT_EQ(HeaderProblem("HloModule m, input_output_alias={{-1}: (1, {})}"),
            "35: expected an index >= 0, found integer -1");
  EXPECT_EQ(HeaderProblem("HloModule m, input_output_alias={{x}: (1, {})}"), "35: expected an index >= 0, found 'x'");
  EXPECT_EQ(HeaderProblem("HloModule m, input_output_alias={{0} (1, {})}"),
            "38: expected ':' after the index of an output, found '('");
  EXPECT_EQ(HeaderProblem("HloModule m, input_output_alias={{0}: 1}"),
            "39: expected '(' in front of a parameter, found integer 1");
  EXPECT_EQ(HeaderProblem("HloModule m, input_output_alias={{0}: (-1, {})}"),
            "40: expected the number of a parameter, found integer -1");
  EXPECT_EQ(HeaderProblem("HloModule m, input_output_alias={{0}: (1)}"),
            "41: expected ',' after the number of a parameter, found ')'");
  EXPECT_EQ(HeaderProblem("HloModule m, input_output_alias={{0}: (1, 2)}"),
            "43: expected '{' in front of an index, found integer 2");
  EXPECT_EQ(HeaderProblem("HloModule m, input_output_alias={{0}: (1, {} may-alias)}"),
            "46: expected ')' after an alias, found 'may-alias'");
  EXPECT_EQ(HeaderProblem("HloModule m, input_output_alias={{0}: (1, {}, may-alias"),
            "56: expected ')' after an alias, found end of text");
  EXPECT_EQ(HeaderProblem("HloModule m, input_output_alias={{0}: (1, {}) {1}: (2, {})}"),
            "47: expected ',' or '}' after an alias, found '{'");
}

TEST(ModuleHeader, HeadsOfComputations) {
  HloModule module;
  ModuleComputation entry;
  EXPECT_TRUE(
      ReadComputationHead("ENTRY %main.1 (a: f32[2], %b.2 : (s32[], s8[3]{0}), f32[4]) -> f32[5] {", module, entry));
  EXPECT_TRUE(entry.is_entry);
  EXPECT_EQ(entry.name, "main.1");
  ASSERT_EQ(entry.head_parameters.size(), 3);
  EXPECT_EQ(ToString(*entry.head_parameters[0]), "f32[2]");
  EXPECT_EQ(ToString(*entry.head_parameters[1]), "(s32[], s8[3]{0})");
  EXPECT_EQ(ToString(*entry.head_parameters[2]), "f32[4]");
  EXPECT_EQ(ToString(*entry.head_result), "f32[5]");

  ModuleComputation bare;
  EXPECT_TRUE(ReadComputationHead("region {", module, bare));
  EXPECT_FALSE(bare.is_entry);
  EXPECT_EQ(bare.name, "region");
  EXPECT_EQ(bare.head_result, nullptr);

  ModuleComputation nameless;
  EXPECT_TRUE(ReadComputationHead("ENTRY () -> pred[] {", module, nameless));
  EXPECT_TRUE(nameless.is_entry);
  EXPECT_EQ(nameless.name, "");
  EXPECT_EQ(ToString(*nameless.head_result), "pred[]");
}

TEST(ModuleHeader, ProblemsOfHeads) {
  EXPECT_EQ(HeadProblem("g (a: f32[2] b: f32[2]) -> f32[2] {"),
            "14: expected ',' or ')' after a parameter, found 'b:'");
  EXPECT_EQ(HeadProblem("g (a: f32[2]) f32[2] {"), "15: expected '->' after the parameters, found 'f32'");
  EXPECT_EQ(HeadProblem("g (a: f32[2]) -> {"), "18: expected a shape (an element type, '(' or 'b('), found '{'");
  EXPECT_EQ(HeadProblem("g (a:) -> f32[2] {"), "6: expected a shape (an element type, '(' or 'b('), found ')'");
  EXPECT_EQ(HeadProblem("g (a: f32[2]) -> f32[2]"),
            "24: expected '{' at the end of a computation's head, found end of text");
  EXPECT_EQ(HeadProblem("ENTRY g { x"), "11: expected the end of the line after '{', found 'x'");
}

using Place = std::pair<std::string_view, int64_t>;

TEST(StackFrameTables, AFrameNamesAFileAndALine) {
  StackFrameTables tables;
  for (const std::string_view line :
       {"FileNames", "1 \"a.py\"", "2 \"b.py\"", "FunctionNames", "1 \"f\"", "2 \"g\"", "FileLocations",
        "3 {file_name_id=1 function_name_id=2 line=50 end_line=60 column=7 end_column=8}",
        "4 {file_name_id=9 function_name_id=1 line=70 end_line=70 column=2 end_column=9}", "5 {file_name_id=1 line 80}",
        "StackFrames", "6 {file_location_id=3 parent_frame_id=1}", "7 {file_location_id=4}", "8 {file_location_id=9}",
        "9 {parent_frame_id=1}", "10 {file_location_id=5}", "x {file_location_id=3}"}) {
    tables.Read(line);
  }
  EXPECT_EQ(tables.Find(6), Place("a.py", 50));
  EXPECT_EQ(tables.Find(7), Place("", 70));  // of a file without a name
  EXPECT_EQ(tables.Find(8), Place("", 0));   // of a location that is not in the table
  EXPECT_EQ(tables.Find(9), Place("", 0));
  EXPECT_EQ(tables.Find(10), Place("a.py", 0));
  EXPECT_EQ(tables.Find(3), Place("", 0));
}

TEST(StackFrameTables, RowsBelongToTheTableAboveThem) {
  StackFrameTables tables;
  for (const std::string_view line : {"FileNames", "1 {file_name_id=1 line=2 file_location_id=1}", "FileLocations",
                                      "1 \"a.py\"", "StackFrames", "1 \"b.py\"", "1 {file_location_id=1}"}) {
    tables.Read(line);
  }
  EXPECT_EQ(tables.Find(1), Place("", 0));
}

}  // namespace
}  // namespace layoutcheck
