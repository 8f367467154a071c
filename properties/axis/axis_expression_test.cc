// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/properties/axis/axis_expression.h"
#include <gtest/gtest.h>
#include <set>
#include "layoutcheck/properties/axis/axis_generator.h"

namespace layoutcheck {
namespace {

TEST(AxisExpression, TextsOfDrawnOnesAreReadAndPrintedBack) {
  std::set<AxisOp> seen;
  const auto note = [&](auto& self, const AxisExpression& e) -> void {
    seen.insert(e.op);
    for (const AxisExpression& operand : e.operands) self(self, operand);
  };
  for (uint64_t number = 0; number < 3000; ++number) {
    RandomChoices choices(1, number);
    const AxisExpression drawn = DrawAxisExpression(choices);
    note(note, drawn);
    const auto read = AxisExpression::Parse(drawn.ToString());
    ASSERT_TRUE(read) << drawn.ToString() << ": " << read.error().ToString();
    EXPECT_EQ(read->ToString(), drawn.ToString());
    EXPECT_EQ(read->sizes, drawn.sizes) << drawn.ToString();
    EXPECT_EQ(read->bits, drawn.bits) << drawn.ToString();
  }
  EXPECT_EQ(seen.size(), static_cast<size_t>(AxisOp::kLoop) + 1);  // every operation is drawn
}

TEST(AxisExpression, TheFirstChoicesAreTheSimplestExpression) {
  ReplayedChoices simplest({});
  EXPECT_EQ(DrawAxisExpression(simplest).ToString(), "range(0,2)");
}

TEST(AxisExpression, BlanksAreSkipped) {
  const auto read =
      AxisExpression::Parse(" select( slt(range(0, 4), argument(a, 2, [4])) ,range(4,8),constant(-1,[4]))");
  ASSERT_TRUE(read) << read.error().ToString();
  EXPECT_EQ(read->ToString(), "select(slt(range(0,4),argument(a,2,[4])),range(4,8),constant(-1,[4]))");
}

TEST(AxisExpression, WrongTextsAreErrorsWithTheirColumn) {
  constexpr const char* kSizes = "operand 2 of addi is i32[4], expected i32[8]";
  const std::pair<std::string, std::string> texts[] = {
      {"", "column 1: expected an operation such as addi(x,y) or range(0,8)"},
      {"add(range(0,8),range(0,8))", "column 1: expected an operation such as addi(x,y) or range(0,8)"},
      {"range(0;8)", "column 8: expected ',', found ';'"},
      {"range(0,8) 1", "column 12: expected the end of the expression, found '1'"},
      {"range(0,6)", "column 1: size 6: expected a power of two"},
      {"range(8,0)", "column 1: size -8: expected a power of two"},
      {"range(-1,1)", "column 1: expected a range with one size that begins at 0 or above"},
      {"range(2147483640,2147483656)", "column 1: the range ends past 32 bits"},
      {"range(-9223372036854775808,9223372036854775807)", "column 47: the range does not fit 32 bits"},
      {"constant(99999999999,[2])", "column 1: the number 99999999999 does not fit 32 bits"},
      {"constant(0,[])", "column 1: expected at least one dimension"},
      {"constant(0,[2048,4])", "column 1: more elements than 4096"},
      {"constant(0,[4611686018427387904,4])", "column 1: more elements than 4096"},
      {"argument(a,3,[2])", "column 1: divisor 3: expected a power of two up to 1073741824"},
      {"argument(8,1,[2])", "column 10: expected a name, found '8'"},
      {"addi(range(0,8),range(0,4))", std::string("column 1: ") + kSizes},
      {"muli(range(0,8),addi(range(0,8),range(0,4)))", std::string("column 17: ") + kSizes},
      {"addi(range(0,8),extsi(range(0,8)))", "column 1: operand 2 of addi is i64[8], expected i32[8]"},
      {"extsi(extsi(range(0,8)))", "column 1: operand 1 of extsi is i64[8], expected i32"},
      {"trunci(range(0,8))", "column 1: operand 1 of trunci is i32[8], expected i64"},
      {"select(range(0,8),range(0,8),range(0,8))", "column 1: operand 1 of select is i32[8], expected i1[8]"},
      {"addi(eq(range(0,8),range(0,8)),eq(range(0,8),range(0,8)))",
       "column 1: addi takes no single bits, expected i32 or i64"},
      {"expand_dims(range(0,8),2)", "column 1: place 2: expected 0 to 1"},
      {"broadcast(range(0,8),[16])", "column 1: cannot broadcast i32[8] to [16]"},
      {"branch(a,argument(a,1,[8]),range(0,8))", "column 1: the name a is that of two things: argument and branch"},
  };
  for (const auto& [text, message] : texts) {
    const auto read = AxisExpression::Parse(text);
    ASSERT_FALSE(read) << text;
    EXPECT_EQ(read.error().ToString(), message);
  }
}

TEST(AxisExpression, DeepTextsAreErrors) {
  std::string text;
  for (int k = 0; k < 100000; ++k) text += "addi(";
  const auto read = AxisExpression::Parse(text);
  ASSERT_FALSE(read);
  EXPECT_EQ(read.error().ToString(), "column 321: more than 64 operations within each other");
}

TEST(AxisExpression, ANameHasItsLargestDivisor) {
  const auto names = AxisNames(*AxisExpression::Parse("addi(argument(a,2,[4]),argument(a,16,[4]))"));
  ASSERT_TRUE(names);
  EXPECT_EQ(names->at("a").divisor, 16);
}

TEST(AxisExpression, IsRecognizedByItsFirstWord) {
  EXPECT_TRUE(IsAxisExpressionText("range(0,8)"));
  EXPECT_TRUE(IsAxisExpressionText(" addi (wrong"));
  for (const char* other : {"f32[8]{0}", "(4,2):(1,4)", "range", "zN:f16[20,40]", "arange(0,8)", ""}) {
    EXPECT_FALSE(IsAxisExpressionText(other)) << other;
  }
}

}  // namespace
}  // namespace layoutcheck
