// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/verify/formulas/formula.h"
#include <gtest/gtest.h>
#include <random>
#include "layoutcheck/core/base/str_cat.h"
#include "layoutcheck/core/formula/formula.h"
#include "layoutcheck/core/formula/formula_value.h"
#include "layoutcheck/verify/formulas/formula_path.h"

namespace layoutcheck::verify {
namespace {

// Returns a random formula over a, b and c. `depth` bounds its depth.
std::string RandomFormula(std::mt19937& random, int depth) {
  const auto draw = [&](int least, int most) { return std::uniform_int_distribution(least, most)(random); };
  const auto part = [&] { return RandomFormula(random, depth - 1); };
  if (depth == 0 || draw(0, 5) == 0) {
    const int k = draw(0, 4);
    return k < 3    ? std::string(1, static_cast<char>('a' + k))
           : k == 3 ? StrCat(draw(0, 9))
                    : StrCat("0x", draw(10, 99));
  }
  constexpr const char* kBinary[] = {"+", "-", "*",  "/",  "%", "floordiv", "ceildiv", "mod", "<<", ">>", "&",
                                     "|", "^", "==", "!=", "<", "<=",       ">",       ">=",  "&&", "||"};
  constexpr const char* kUnary[] = {"-", "!", "~", "+", "int8", "uint8", "int64", "uint16"};
  const std::string a = part();
  switch (draw(0, 9)) {
    case 0: return StrCat(kUnary[draw(0, 7)], "(", a, ")");
    case 1: return StrCat("(", a, " ? ", part(), " : ", part(), ")");
    case 2: return StrCat(draw(0, 1) == 0 ? "min(" : "max(", a, ", ", part(), ")");
    case 3: return StrCat("[", a, ", ", part(), ", ", part(), "][", part(), "]");
    case 4: return StrCat("(let v", depth, " = ", a, " in v", depth, " + ", part(), ")");
    case 5: return StrCat("(", a, ")");
    default: return StrCat(a, " ", kBinary[draw(0, 20)], " ", part());
  }
}

// The parser and the operators of this room are written apart from core's; on numbers they must agree.
TEST(Formula, ValuesAgreeWithCoreOnRandomFormulasOfNumbers) {
  std::mt19937 random(20261123);
  size_t with_value = 0;
  for (int round = 0; round < 20'000; ++round) {
    const std::string text = RandomFormula(random, 3);
    const auto reference = layoutcheck::ParseFormula(text);
    const auto formulas = ReadFormulas(text);
    if (!reference) continue;  // a name of a let that is not used, or that is used elsewhere
    ASSERT_TRUE(formulas.has_value() && formulas->size() == 1) << text << ": " << formulas.error();
    Lines lines("");
    Outcomes outcomes(lines);
    Statement statement;
    FormulaPath path(statement, outcomes);
    std::vector<Int128> values;
    for (const std::string& name : reference->names) {
      values.push_back(std::uniform_int_distribution(-20, 70)(random));
      path.SetName(name, statement.Number(values.back()));
    }
    const FormulaValue<Int128> expected = FormulaEvaluator<Int128>(*reference)(values);
    const Value value = path.Evaluate(formulas->front());
    if (expected.fault == FormulaFault::kOverflow || !statement.ring().fault().empty()) continue;
    // A mask past 64 bits cannot be in a certificate.
    if (!value && value.error().reason.ends_with("does not fit 64 bits")) continue;
    ASSERT_TRUE(value.has_value()) << text << ": " << value.error().reason;
    ASSERT_EQ(value->has_value(), expected.ok()) << text;
    if (!expected.ok()) continue;
    ASSERT_EQ(statement.ring().ConstantValue(**value), expected.value) << text;
    ++with_value;
  }
  EXPECT_GT(with_value, 10'000u);
}

TEST(Formula, TextsOutsideOfTheLanguageAreRefusedWithTheColumn) {
  const std::pair<const char*, const char*> texts[] = {
      {"", "column 1: "},
      {"1 +", "column 4: "},
      {"(1", "column 3: "},
      {"1 2", "column 3: "},
      {"01", "column 1: "},
      {"0x", "column 3: "},
      {"1a", "column 2: "},
      {"min(1)", "column 6: "},
      {"a ? b", "column 6: "},
      {"let x = 1", "column 10: "},
      {"let mod = 1 in 2", "column 5: "},
      {"[1, 2]", "column 7: "},
      {"int32 + 1", "column 7: "},
      {"99999999999999999999", "column 1: "},
      {"a ** b", "column 4: "},
      {"a, , b", "column 4: "},
  };
  for (const auto& [text, start] : texts) {
    const auto formulas = ReadFormulas(text);
    ASSERT_FALSE(formulas.has_value()) << text;
    EXPECT_TRUE(formulas.error().starts_with(start)) << text << ": " << formulas.error();
  }
}

TEST(Formula, DepthAndLengthAreBounded) {
  const auto repeated = [](std::string_view part, int count) {
    std::string text;
    for (int k = 0; k < count; ++k) text += part;
    return text;
  };
  for (const std::string& text : {repeated("(", 100'000), repeated("-", 100'000), repeated("1+", 100'000) + "1",
                                  repeated("[", 100'000), repeated("a?", 100'000), repeated("let a=", 100'000),
                                  repeated("1,", 100'000) + "1", repeated("min(", 100'000)}) {
    EXPECT_FALSE(ReadFormulas(text).has_value()) << text.substr(0, 10);
  }
  EXPECT_TRUE(ReadFormulas(repeated("(", 300) + "1" + repeated(")", 300)).has_value());
  EXPECT_TRUE(ReadFormulas(repeated("1+", 300) + "1").has_value());
}

TEST(Formula, FreeNamesAreInTheOrderOfTheText) {
  const std::string text = "let x = b in x + [c, a][b] * (d ? e : f)";
  const auto formulas = ReadFormulas(text);
  ASSERT_TRUE(formulas.has_value()) << formulas.error();
  std::vector<std::string_view> names;
  AppendFreeNames(formulas->front(), names);
  EXPECT_EQ(names, (std::vector<std::string_view>{"b", "c", "a", "d", "e", "f"}));
  EXPECT_EQ(BoundNames(formulas->front()), std::set<std::string_view>{"x"});
}

}  // namespace
}  // namespace layoutcheck::verify
