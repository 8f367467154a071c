// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// reshape-moves-data on small modules with known answers, and what --require makes of it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <string>
#include <string_view>
#include <vector>
#include "layoutcheck/core/base/str_cat.h"
#include "layoutcheck/properties/testing/module_findings.h"

namespace layoutcheck {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

// Returns the finding about an operation from one shape to another, such as "reshape" or "transpose, dimensions={1,0}".
std::string Judged(std::string_view operand, std::string_view result, std::string_view operation,
                   std::vector<std::string> requirements = {}) {
  const size_t comma = operation.find(',');
  const std::string_view attributes = comma == std::string_view::npos ? "" : operation.substr(comma);
  const HloModule module = ReadModule(StrCat("HloModule m, is_scheduled=true\nENTRY %e {\n  %p = ", operand,
                                             " parameter(0)\n  ROOT %r = ", result, " ", operation.substr(0, comma),
                                             "(%p)", attributes, "\n}\n"));
  ModuleFacts facts(module);
  std::string judged = "none";
  for (const RuleFinding& finding : CheckModule(facts, requirements).findings) {
    if (finding.rule == "copy-is-free") continue;
    EXPECT_EQ(judged, "none") << "two findings";
    judged = StrCat(finding.rule, " ", SeverityName(finding.severity), ": ", finding.message);
  }
  return judged;
}

constexpr std::string_view kAdvice = "reshape-moves-data advice: ";

TEST(ReshapeMovesData, NamesTheFirstElementThatMoves) {
  EXPECT_EQ(Judged("f32[6,4]{1,0}", "f32[3,8]{0,1}", "reshape"),
            StrCat(kAdvice,
                   "the reshape of f32[6,4]{1,0} moves 96 bytes: the first element that moves, (0,1) of the "
                   "operand and (0,1) of the result, goes from offset 1 to 3"));
  EXPECT_EQ(Judged("f32[6,4]{1,0}", "f32[4,6]{1,0}", "transpose, dimensions={1,0}"),
            StrCat(kAdvice,
                   "the transpose of f32[6,4]{1,0} moves 96 bytes: the first element that moves, (0,1) of the "
                   "operand and (1,0) of the result, goes from offset 1 to 6"));
  EXPECT_EQ(Judged("bf16[1024,512]{1,0:T(8,128)(2,1)}", "bf16[524288]{0:T(1024)(128)(2,1)}", "reshape"),
            StrCat(kAdvice,
                   "the reshape of bf16[1024,512]{1,0:T(8,128)(2,1)} moves 1048576 bytes: the first element "
                   "that moves, (0,128) of the operand and (128) of the result, goes from offset 1024 to 1"));
}

TEST(ReshapeMovesData, AllocationsThatDiffer) {
  EXPECT_EQ(Judged("f32[8]{0:T(128)}", "f32[2,4]{1,0}", "reshape"),
            StrCat(kAdvice,
                   "the reshape of f32[8]{0:T(128)} moves 32 bytes: no element has another offset, but the "
                   "operand allocates 512 bytes, and the result 32"));
  EXPECT_EQ(Judged("s4[8]{0:E(4)}", "s4[2,4]{1,0}", "reshape"),
            StrCat(kAdvice,
                   "the reshape of s4[8]{0:E(4)} moves 8 bytes: an element takes 4 bits in the operand, and 8 "
                   "in the result"));
  EXPECT_EQ(Judged("f32[8]{0:M(4)}", "f32[2,4]{1,0}", "reshape"),
            StrCat(kAdvice,
                   "the reshape of f32[8]{0:M(4)} moves 32 bytes: the elements begin behind 4 bytes of "
                   "metadata in the operand, and behind 0 in the result"));
}

TEST(ReshapeMovesData, NotWhereABitcastWouldDo) {
  constexpr struct {
    const char* operand;
    const char* result;
    const char* operation;
  } kFree[] = {
      {"f32[6,4]{1,0}", "f32[3,8]{1,0}", "reshape"},
      {"f32[6,4]{1,0}", "f32[4,6]{0,1}", "transpose, dimensions={1,0}"},
      {"f32[16,128]{1,0:T(8,128)}", "f32[2,8,128]{2,1,0:T(8,128)}", "reshape"},
      {"f32[1,8,1]{2,1,0}", "f32[8]{0}", "reshape"},
      {"f32[1,8,1]{0,2,1}", "f32[1,1,8]{2,0,1}", "transpose, dimensions={2,0,1}"},
      {"f32[0,4]{1,0}", "f32[2,0]{0,1:T(8,128)}", "reshape"},
      {"f32[1]{0}", "f32[]", "reshape"},
      {"s4[8]{0:E(4)}", "s4[2,4]{1,0:E(4)}", "reshape"},
      {"f32[6,4]{1,0}", "f32[24]{0:S(1)}", "reshape"},  // memory spaces are not its matter
  };
  for (const auto& [operand, result, operation] : kFree) {
    EXPECT_EQ(Judged(operand, result, operation), "none") << operand << " -> " << result;
  }
}

TEST(ReshapeMovesData, NotWhereNothingIsSaid) {
  EXPECT_EQ(Judged("f32[<=6,4]{1,0}", "f32[<=24]{0}", "reshape"), "none");
  EXPECT_EQ(Judged("f32[<=6,4]{1,0}", "f32[4,<=6]{1,0}", "transpose, dimensions={1,0}"), "none");
  EXPECT_EQ(Judged("f32[6,4]{1,0}", "f32[24]", "reshape"), "none") << "the result has no layout";
  EXPECT_EQ(Judged("f32[6,4]{1,0}", "f32[5,5]{0,1}", "reshape"), "none") << "dimensions are not judged";
  EXPECT_EQ(Judged("f32[6,4]{1,0}", "s32[3,8]{0,1}", "reshape"), "none");
  EXPECT_EQ(Judged("f32[6,4]{1,0}", "f32[6,4]{1,0}", "transpose, dimensions={1,0}"), "none");
  EXPECT_EQ(Judged("f32[6,4]{1,0}", "f32[4,6]{1,0}", "transpose"), "none");
  EXPECT_EQ(Judged("f32[6,4]{1,0}", "f32[3,8]{0,1}", "copy"), "none");
  EXPECT_THAT(FoundIn("HloModule m\nENTRY e {\n  p = f32[6,4]{1,0} parameter(0)\n"
                      "  ROOT r = f32[3,8]{0,1} reshape(p)\n}\n"),
              IsEmpty())
      << "before layout assignment";
}

TEST(ReshapeMovesData, WhereValuesHaveMemoryOfTheirOwn) {
  const std::string moves = "  %p = f32[6,4]{1,0} parameter(0)\n  ROOT %r = f32[3,8]{0,1} reshape(%p)\n";
  EXPECT_THAT(RulesBrokenIn(StrCat("%f {\n", moves, "}\nENTRY %e {\n  %p = f32[6,4]{1,0} parameter(0)\n",
                                   "  ROOT %c = f32[3,8]{0,1} fusion(%p), kind=kLoop, calls=%f\n}\n")),
              IsEmpty());
  EXPECT_THAT(RulesBrokenIn(StrCat("%f {\n", moves, "}\nENTRY %e {\n  %p = f32[6,4]{1,0} parameter(0)\n",
                                   "  ROOT %c = f32[3,8]{0,1} call(%p), to_apply=%f\n}\n")),
              ElementsAre("4 reshape-moves-data (advice)"));
}

TEST(ReshapeMovesData, IsAnErrorIfBitcastsAreRequired) {
  const std::vector<std::string> required = {"reshape-is-bitcast"};
  EXPECT_EQ(Judged("f32[6,4]{1,0}", "f32[3,8]{0,1}", "reshape", required).substr(0, 26), "reshape-moves-data error: ");
  EXPECT_EQ(Judged("f32[6,4]{1,0}", "f32[3,8]{0,1}", "reshape", {"copy-moves-data"}).substr(0, 27), kAdvice);
  EXPECT_EQ(Judged("f32[6,4]{1,0}", "f32[3,8]{1,0}", "reshape", required), "none");
  // Where the elements of a split array lie is not defined: no advice, and undecided if it is required.
  const std::string split = "f32[6,4]{1,0:SC(0:3)}";
  EXPECT_EQ(Judged(split, "f32[3,8]{0,1}", "reshape"), "none");
  EXPECT_EQ(
      Judged(split, "f32[3,8]{0,1}", "reshape", required),
      "reshape-moves-data undecided: the reshape of f32[6,4]{1,0:SC(0:3)} may move data: where the elements of an "
      "array with a split config (SC) lie is not defined");
}

TEST(ReshapeMovesData, FindingsCarryTheMove) {
  const HloModule module = ReadModule(
      "HloModule m, is_scheduled=true\nENTRY e {\n  p = f32[6,4]{1,0} parameter(0)\n"
      "  ROOT r = f32[3,8]{0,1} reshape(p)\n}\n");
  ModuleFacts facts(module);
  const std::vector<RuleFinding> findings = CheckModule(facts).findings;
  ASSERT_EQ(findings.size(), 1U);
  ASSERT_TRUE(findings[0].move.has_value());
  EXPECT_EQ(findings[0].move->bytes, 96);
  EXPECT_EQ(findings[0].move->element, (ElementMove{{0, 1}, {0, 1}, 1, 3, true}));
}

}  // namespace
}  // namespace layoutcheck
