// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How ReadModule cuts a text into instructions and heads, and what it takes from single lines.
#include <gtest/gtest.h>
#include <string>
#include <string_view>
#include <utility>
#include <vector>
#include "layoutcheck/core/base/str_cat.h"
#include "layoutcheck/core/hlo/printer.h"
#include "layoutcheck/core/module/module_reader.h"

namespace layoutcheck {
namespace {

// Returns the line and column of each problem.
std::vector<TextPlace> ProblemPlaces(const HloModule& module) {
  std::vector<TextPlace> places;
  for (const ReadProblem& problem : module.problems) places.push_back(problem.place);
  return places;
}

const ModuleInstruction& Last(const HloModule& module) { return module.computations.back().instructions.back(); }

using Places = std::vector<TextPlace>;

TEST(ModuleLines, ALineThatBeginsAnewEndsAnIncompleteOne) {
  for (const std::string_view next :
       {"y = f32[2]{0} negate(a)", "%y = f32[2]{0} negate(a)", "ROOT y = f32[2]{0} negate(a)", "y=f32[2]{0} negate(a)",
        "y=(f32[2]{0}) tuple(a)", "y=negate(a)", "ENTRY e {", "g {", "g (a: f32[2]) -> f32[2] {", "%g {", "HloModule n",
        "FileNames", "}"}) {
    const HloModule module = ReadModule(StrCat("\nx = f32[2]{0} add(a,\n", next, "\n"));
    EXPECT_EQ(ProblemPlaces(module), (Places{{2, 21}})) << next;
  }
}

TEST(ModuleLines, AnInstructionEndsAnIncompleteAttribute) {
  const HloModule module = ReadModule("x = f32[2]{0} custom-call(a), backend_config={\ny = f32[2]{0} negate(a)");
  EXPECT_EQ(ProblemPlaces(module).size(), 1);
  EXPECT_EQ(Last(module).name, "y");
}

TEST(ModuleLines, AnIncompleteTextEndsWithTheFile) {
  EXPECT_EQ(ProblemPlaces(ReadModule("x = f32[2]{0} add(a,")), (Places{{1, 21}}));
  EXPECT_EQ(ProblemPlaces(ReadModule("x = f32[2]{0} add(a,\n")), (Places{{1, 21}}));
}

TEST(ModuleLines, AnArrowBeginsAComputationInItsLineAlone) {
  const HloModule module =
      ReadModule("x = f32[2]{0} custom-call(a), backend_config={\ng (b)}\nh (p: f32[1]) -> f32[1] {\n}\n");
  EXPECT_EQ(ProblemPlaces(module), Places{});
  EXPECT_EQ(module.computations.size(), 2);
}

TEST(ModuleLines, OtherLinesBelongToTheIncompleteOne) {
  for (const std::string_view text :
       {"x = pred[2]{0} constant({\ntrue,\nfalse})", "x = f32[2]{0} add(a,\nb)", "x = f32[2]{0} add(a,\n%b)",
        "x = f32[2]{0} add(f32[2]\na, b)", "x = f32[2]{0}\nadd(a, b)", "x =\nf32[2]{0} add(a, b)",
        "x = f32[2]{0} fusion(a),\nkind=kLoop,\ncalls=g", "x = f32[2]{0} fusion(a), kind=\nkLoop",
        "x = f32[2]{0} custom-call(a), custom_call_target=\"t\",\nbackend_config={\n}",
        "x = f32[2]{0} slice(a), slice={[\n0:2]}", "x = s32[2]{0} constant({\n{\n}\n})",
        "x = f32[2]{0} add(a, /* c\nd = e */ b)", "x = f32[2]{0} add(a, b) /* c\n*/"}) {
    const HloModule module = ReadModule(StrCat(text, "\ny = f32[3]{0} negate(z)"));
    EXPECT_EQ(ProblemPlaces(module), Places{}) << text;
    ASSERT_EQ(module.computations.size(), 1) << text;
    ASSERT_EQ(module.computations[0].instructions.size(), 2) << text;
    EXPECT_EQ(module.computations[0].instructions[0].text, text);
    EXPECT_EQ(Last(module).name, "y") << text;
  }
}

TEST(ModuleLines, AnInstructionOfManyLines) {
  std::string attributes;
  std::string elements;
  for (int i = 0; i < 100; ++i) {
    StrAppend(attributes, ",\na", i, "=\n", i);
    StrAppend(elements, "1,\n");
  }
  for (const std::string& text :
       {StrCat("x = f32[2]{0} fusion(a)", attributes), StrCat("x = s32[101]{0} constant({", elements, "1})"),
        StrCat("x =", std::string(100, '\n'), "f32[2]{0} add(a, b)")}) {
    const HloModule module = ReadModule(StrCat(text, "\ny = f32[3]{0} negate(z)"));
    EXPECT_EQ(ProblemPlaces(module), Places{}) << text;
    EXPECT_EQ(module.computations.at(0).instructions.at(0).text, text);
  }
}

TEST(ModuleLines, ATextIsReadAtMost64Times) {
  const auto problems_with_comments = [](int comments) {
    std::string text = "x = f32[2]{0} add(a";
    for (int i = 0; i < comments; ++i) text += " /*\n*/";
    return ReadModule(text + ")").problems.size();
  };
  EXPECT_EQ(problems_with_comments(63), 0);
  EXPECT_NE(problems_with_comments(64), 0);
}

TEST(ModuleLines, WhatFollowsACompleteTextCostsItNothing) {
  for (const std::string_view text :
       {"x = f32[2]{0} add(a,\nb)", "x =\nf32[2]{0} add(a, b)", "x = f32[2]{0} add(a, b),\nk=l"}) {
    const HloModule module = ReadModule(StrCat(text, "\nsome words"));
    EXPECT_EQ(ProblemPlaces(module), (Places{{3, 6}})) << text;
    EXPECT_EQ(Last(module).text, text);
  }
}

TEST(ModuleLines, RolesOfComputations) {
  for (const auto& [attribute, role] :
       {std::pair("calls", CallRole::kCalls), std::pair("called_computations", CallRole::kCalls),
        std::pair("to_apply", CallRole::kApply), std::pair("select", CallRole::kApply),
        std::pair("scatter", CallRole::kApply), std::pair("body", CallRole::kBody),
        std::pair("condition", CallRole::kCondition), std::pair("branch_computations", CallRole::kBranch),
        std::pair("true_computation", CallRole::kBranch), std::pair("false_computation", CallRole::kBranch)}) {
    const HloModule module = ReadModule(StrCat("f {\n}\ng {\n}\nh {\nx = f32[] call(a), ", attribute, "={%g, 1}\n}"));
    ASSERT_EQ(Last(module).calls.size(), 1) << attribute;
    EXPECT_EQ(Last(module).calls[0].role, role) << attribute;
    EXPECT_EQ(Last(module).calls[0].name, "g") << attribute;
    EXPECT_EQ(Last(module).calls[0].computation, 1) << attribute;
  }
  EXPECT_EQ(Last(ReadModule("f {\nx = f32[] call(a), calls=f\n}")).calls.at(0).computation, 0);
  EXPECT_TRUE(Last(ReadModule("f {\nx = f32[] call(a), caller=f\n}")).calls.empty());
}

TEST(ModuleLines, NumbersOfParametersAndParts) {
  const auto number = [](std::string_view line) { return Last(ReadModule(StrCat("x = f32[] ", line))).number; };
  EXPECT_EQ(number("parameter(0)"), 0);
  EXPECT_EQ(number("parameter(1048575)"), 1048575);
  EXPECT_EQ(number("parameter(1048576)"), ModuleOperand::kUnknown);
  EXPECT_EQ(number("parameter(-1)"), ModuleOperand::kUnknown);
  EXPECT_EQ(number("constant(2)"), ModuleOperand::kUnknown);
  EXPECT_EQ(number("get-tuple-element(a), index=2"), 2);
  EXPECT_EQ(number("get-tuple-element(a), index=x"), ModuleOperand::kUnknown);
  EXPECT_EQ(number("negate(a), index=2"), ModuleOperand::kUnknown);

  const HloModule module = ReadModule("a = f32[] parameter(2)\nb = f32[] parameter(0)");
  EXPECT_EQ(module.computations.at(0).parameters, (std::vector<int64_t>{1, ModuleOperand::kUnknown, 0}));
}

TEST(ModuleLines, ConstraintsEndWhereNoShapeIs) {
  const auto constraints = [](std::string_view text) {
    return Last(ReadModule(StrCat("x = f32[] custom-call(a), operand_layout_constraints=", text)))
        .attribute_shapes.size();
  };
  EXPECT_EQ(constraints("{f32[2]{0}, (s32[], f32[3]{0}), f32[4]}"), 3);
  EXPECT_EQ(constraints("{f32[2]{0} f32[3]{0}}"), 2);
  EXPECT_EQ(constraints("{f32[2]{0}, x, f32[3]{0}}"), 1);
  EXPECT_EQ(constraints("{f32[2]{0}, f32[x], f32[3]{0}}"), 1);
  EXPECT_EQ(constraints("{}"), 0);
}

TEST(ModuleLines, MetadataWithoutTheRightValuesSaysNothing) {
  const HloModule module = ReadModule(
      "x = f32[] add(a, b), metadata={source_file=7 source_line=\"8\" stack_frame_id=\"9\" \"source_line\" 5}");
  EXPECT_EQ(Last(module).source_file, "");
  EXPECT_EQ(Last(module).source_line, 0);
}

TEST(ModuleLines, PlacesCountFromTheFirstLine) {
  const HloModule module = ReadModule("\nf {\n  ROOT x = f32[] add(a, b)\n}\n/* g\n*/ y = f32[] negate(z)\n", 40);
  EXPECT_EQ(module.place, (TextPlace{40, 1}));
  ASSERT_EQ(module.computations.size(), 2);
  EXPECT_EQ(module.computations[0].place, (TextPlace{41, 1}));
  EXPECT_EQ(module.computations[0].instructions.at(0).place, (TextPlace{42, 3}));
  EXPECT_EQ(module.computations[0].instructions[0].text, "ROOT x = f32[] add(a, b)");
  EXPECT_EQ(module.computations[1].instructions.at(0).place, (TextPlace{45, 4}));
  EXPECT_EQ(module.entry, ModuleOperand::kUnknown);
}

TEST(ModuleLines, ACommentWithoutEndCostsItsLine) {
  const HloModule module =
      ReadModule("x = f32[] negate(a) /* b\n*/\ny = f32[] /* c */ negate(x)\nz = f32[] negate(y) /* d\n/* e");
  EXPECT_EQ(ProblemPlaces(module), (Places{{4, 21}, {5, 1}}));
  EXPECT_EQ(Last(module).name, "y");
}

TEST(ModuleLines, AStringWithoutEndCostsItsLineAlone) {
  const HloModule module = ReadModule("x = f32[] negate(\"a)\ny = f32[] negate(z) /* b */");
  EXPECT_EQ(ProblemPlaces(module), (Places{{1, 18}}));
  EXPECT_EQ(Last(module).name, "y");
}

TEST(ModuleLines, NestedInstructionsHaveNoName) {
  const HloModule module = ReadModule("x = f32[2] add(f32[2] negate(f32[2] a), b)\ny = f32[2] negate(x)");
  const std::vector<ModuleInstruction>& instructions = module.computations.at(0).instructions;
  ASSERT_EQ(instructions.size(), 3);
  EXPECT_EQ(instructions[0].name, "");
  EXPECT_EQ(instructions[1].operands.at(0).instruction, 0);
  EXPECT_EQ(instructions[1].operands.at(1).instruction, ModuleOperand::kUnknown);
  EXPECT_EQ(instructions[2].operands.at(0).instruction, 1);
}

TEST(ModuleLines, LayoutsAreNeitherFilledInNorJudged) {
  const HloModule module = ReadModule(
      "HloModule m, entry_computation_layout={(f32[2]{1}, f32[3])->f32[2,2]{0,0}}\n"
      "x = f32[2]{1} custom-call(f32[3]{5} a, f32[4] b), operand_layout_constraints={f32[3]{5}, f32[4]}");
  EXPECT_EQ(ProblemPlaces(module), Places{});
  EXPECT_EQ(ToString(*module.entry_parameters.at(0)), "f32[2]{1}");
  EXPECT_EQ(ToString(*module.entry_parameters.at(1)), "f32[3]");
  EXPECT_EQ(ToString(*module.entry_result), "f32[2,2]{0,0}");
  EXPECT_EQ(ToString(*Last(module).shape), "f32[2]{1}");
  EXPECT_EQ(ToString(*Last(module).operands.at(0).printed), "f32[3]{5}");
  EXPECT_EQ(ToString(*Last(module).operands.at(1).printed), "f32[4]");
  EXPECT_EQ(ToString(*Last(module).attribute_shapes.at(0)), "f32[3]{5}");
  EXPECT_EQ(ToString(*Last(module).attribute_shapes.at(1)), "f32[4]");
}

TEST(ModuleLines, PartsByIndicesThatAreNone) {
  const HloModule module = ReadModule("a = (f32[1], s32[2]) parameter(0)");
  EXPECT_NE(PartAt(Last(module).shape, {1}), nullptr);
  EXPECT_EQ(PartAt(Last(module).shape, {-1}), nullptr);
  EXPECT_EQ(PartAt(Last(module).shape, {2}), nullptr);
}

}  // namespace
}  // namespace layoutcheck
