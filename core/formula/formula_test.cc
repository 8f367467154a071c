// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/core/formula/formula.h"
#include <gtest/gtest.h>
#include <cstdio>
#include <limits>
#include <random>
#include "layoutcheck/core/base/str_cat.h"
#include "layoutcheck/core/formula/formula_value.h"

namespace layoutcheck {
namespace {

FormulaValue<int64_t> Value(const std::string& text, std::vector<int64_t> names = {}) {
  const Expected<Formula> formula = ParseFormula(text);
  EXPECT_TRUE(formula.has_value()) << text << ": " << (formula ? "" : formula.error().ToString());
  if (!formula) return {};
  names.resize(formula->names.size());
  return FormulaEvaluator<int64_t>(*formula)(names);
}

TEST(Formula, PrecedenceIsThatOfC) {
  for (const auto& [text, value] : std::vector<std::pair<std::string, int64_t>>{
           {"1 + 2 * 3", 7},
           {"(1 + 2) * 3", 9},
           {"10 - 4 - 3", 3},
           {"2 * 9 / 4", 4},
           {"1 << 2 + 1", 8},
           {"8 >> 1 < 5", 1},
           {"1 < 2 == 1", 1},
           {"6 & 3 == 3", 0},
           {"(6 & 3) == 2", 1},
           {"1 | 6 ^ 5 & 4", 3},
           {"0 || 1 && 0", 0},
           {"1 ? 2 : 0 ? 3 : 4", 2},
           {"0 ? 2 : 0 ? 3 : 4", 4},
           {"1 || 0 ? 5 : 6", 5},
           {"- 2 * 3", -6},
           {"!0 + 1", 2},
           {"-7 / 2", -3},
           {"-7 % 2", -1},
           {"-7 floordiv 2", -4},
           {"-7 mod 2", 1},
           {"-7 ceildiv 2", -3},
           {"7 ceildiv 2", 4},
           {"7 / -2", -3},
           {"7 % -2", 1},
           {"-8 >> 1", -4},
           {"-7 >> 1", -4},
           {"-1 & 127", 127},
           {"-1 ^ 127", -128},
           {"0x10 | 0xF", 31},
           {"min(3, max(1, 2) + 5)", 3},
           {"+5 - -5", 10},
           {"1 != 2", 1},
           {"!!7", 1},
           {"~5", -6},
           {"~-1 + 2", 2},
           {"300 & ~127", 256},
           {"-~!3", 1},
           {"~~9", 9},
           {"let x = 3 in x * x", 9},
           {"let x = 3 in let y = x + 1 in x * y", 12},
           {"let x = let y = 2 in y * y in x + 1", 5},
           {"(let x = 1 in x + 1) * (let x = 3 in x)", 6},
           {"let x = 0 in x ? 1 : 2", 2},
           {"1 ? let x = 4 in x : 5", 4},
           {"let in = 2 in in + in", 4},
           {"[5, 6, 7][2]", 7},
           {"[5][0] + 1", 6},
           {"[[1, 2][1], 4][0] * [1 ? 3 : 2, 9][1 - 1]", 6},
           {"-[1, 2][1]", -2},
           {"9223372036854775807", std::numeric_limits<int64_t>::max()},
           {"-9223372036854775807 - 1", std::numeric_limits<int64_t>::min()},
       }) {
    const FormulaValue<int64_t> result = Value(text);
    EXPECT_TRUE(result.ok()) << text << ": " << FormulaFaultText(result.fault);
    EXPECT_EQ(result.value, value) << text;
  }
}

TEST(Formula, WhatHasNoValueIsAFault) {
  for (const auto& [text, fault] : std::vector<std::pair<std::string, FormulaFault>>{
           {"1 / (2 - 2)", FormulaFault::kDivisionByZero},
           {"1 % 0", FormulaFault::kDivisionByZero},
           {"1 floordiv 0", FormulaFault::kDivisorNotPositive},
           {"1 ceildiv -1", FormulaFault::kDivisorNotPositive},
           {"1 mod 0", FormulaFault::kDivisorNotPositive},
           {"1 << 64", FormulaFault::kShiftOutOfRange},
           {"1 >> -1", FormulaFault::kShiftOutOfRange},
           {"1 << 63", FormulaFault::kOverflow},
           {"9223372036854775807 + 1", FormulaFault::kOverflow},
           {"(-9223372036854775807 - 1) / -1", FormulaFault::kOverflow},
           {"-(-9223372036854775807 - 1)", FormulaFault::kOverflow},
           {"4294967296 * 4294967296", FormulaFault::kOverflow},
           {"(1 / 0) && 0", FormulaFault::kDivisionByZero},
           {"[1, 2][2]", FormulaFault::kIndexOutside},
           {"[1, 2][-1]", FormulaFault::kIndexOutside},
           {"[1, 2][1 << 40]", FormulaFault::kIndexOutside},
           {"[1, 2 / 0][0]", FormulaFault::kDivisionByZero},
           {"let x = 1 / 0 in 0 && x", FormulaFault::kDivisionByZero},
           {"uint64(-1)", FormulaFault::kOverflow},
       }) {
    EXPECT_EQ(Value(text).fault, fault) << text;
  }
  // A part that is not chosen has no fault.
  for (const char* text : {"0 && [1][1]", "0 ? let x = 1 / 0 in x : 0", "0 && 1 / 0", "!(1 || 1 / 0)", "0 ? 1 / 0 : 0",
                           "1 ? 0 : 1 / 0", "(-9223372036854775807 - 1) % -1"}) {
    EXPECT_TRUE(Value(text).ok()) << text;
    EXPECT_EQ(Value(text).value, 0) << text;
  }
}

TEST(Formula, SeveralFormulasHaveTheColumnsOfTheirText) {
  for (const auto& [text, count] : std::vector<std::pair<std::string, size_t>>{{"i0", 1},
                                                                               {"(i0)", 1},
                                                                               {"i0, i1", 2},
                                                                               {" ( i0, min(1, 2), [3, 4][i0] ) ", 3},
                                                                               {"(i0), (i1)", 2},
                                                                               {"(i0, 1) ", 2},
                                                                               {"max(i0, 1)", 1}}) {
    const Expected<std::vector<Formula>> formulas = ParseFormulas(text);
    ASSERT_TRUE(formulas.has_value()) << text << ": " << formulas.error().ToString();
    EXPECT_EQ(formulas->size(), count) << text;
  }
  EXPECT_EQ((*ParseFormulas("(i0, 2 * N)"))[1].nodes.back().column, 8);
  for (const auto& [text, column] : std::vector<std::pair<std::string, int64_t>>{
           {"", 1}, {"()", 2}, {"(i0,)", 5}, {"i0, +", 6}, {"(i0, i1) + 1", 4}, {"((i0, i1)", 5}, {",", 1}}) {
    const Expected<std::vector<Formula>> formulas = ParseFormulas(text);
    ASSERT_FALSE(formulas.has_value()) << text;
    EXPECT_EQ(formulas.error().column, column) << text << ": " << formulas.error().message;
  }
}

TEST(Formula, ErrorsNameTheColumnAndWhatWasExpected) {
  const std::string operand =
      "expected an operand (a number, a name, '(', '-', '~', '!', '[', min, max or a cast), found ";
  for (const auto& [text, message] : std::vector<std::pair<std::string, std::string>>{
           {"", "column 1: " + operand + "end of text"},
           {"1 +", "column 4: " + operand + "end of text"},
           {"1 + * 2", "column 5: " + operand + "'*'"},
           {"(1 + 2", "column 7: expected an operator or ')', found end of text"},
           {"1 2", "column 3: expected an operator or end of text, found '2'"},
           {"a b", "column 3: expected an operator or end of text, found 'b'"},
           {"1 = 2", "column 3: expected an operator or end of text, found '='"},
           {"1 ? 2", "column 6: expected an operator or ':', the other half of '?', found end of text"},
           {"min(1)", "column 6: expected an operator or ',' and the second of two arguments, found ')'"},
           {"max 1", "column 5: expected '(' after min or max, found '1'"},
           {"mod 3", "column 1: " + operand + "'mod'"},
           {"99999999999999999999",
            "column 1: expected an integer of at most 9223372036854775807, found "
            "99999999999999999999"},
           {"1 + 0x", "column 5: expected hexadecimal digits after '0x'"},
           {"0x-1", "column 1: expected hexadecimal digits after '0x'"},
           {"010", "column 1: expected a decimal integer without leading zeros, or 0x and hexadecimal digits"},
           {"12x", "column 3: expected an operator or end of text after the integer, found 'x'"},
           {"1.5", "column 2: expected an operator or end of text, found '.'"},
           {"a + \x01", "column 5: " + operand + "byte 1"},
           {"a[0]", "column 2: expected an operator or end of text, found '['"},
           {"let = 2", "column 5: expected a name after 'let', found '='"},
           {"let max = 2 in max", "column 5: expected a name after 'let', found 'max'"},
           {"let int8 = 2 in int8", "column 5: expected a name after 'let', found 'int8'"},
           {"let x 2", "column 7: expected '=' after the name of a let, found '2'"},
           {"let x = 2", "column 10: expected an operator or 'in', the other half of 'let', found end of text"},
           {"let x = 2 in 3", "column 5: expected a use of 'x' after 'in', found none"},
           {"let x = 2 in let x = x in x", "column 18: expected a name that has no other meaning here, found 'x'"},
           {"let x = x in x", "column 5: expected a name that has no other meaning here, found 'x'"},
           {"x + (let x = 2 in x)", "column 10: expected a name that has no other meaning here, found 'x'"},
           {"(let x = 2 in x) + x", "column 20: expected 'x' only after the 'in' of its let"},
           {"1 + let x = 2 in x", "column 5: " + operand + "'let'"},
           {"[]", "column 2: " + operand + "']'"},
           {"[1, 2", "column 6: expected an operator, ',' or ']' in the table, found end of text"},
           {"[1, 2] + 1", "column 8: expected '[' and an index after the table, found '+'"},
           {"[1, 2][0", "column 9: expected an operator or ']' after the index, found end of text"},
           {"int32 + 1", "column 7: expected '(' after int32, found '+'"},
           {"int32(1, 2)", "column 8: expected an operator or ')', found ','"},
           {"int12(1)", "column 6: expected an operator or end of text, found '('"},
       }) {
    const Expected<Formula> formula = ParseFormula(text);
    ASSERT_FALSE(formula.has_value()) << text;
    EXPECT_EQ(formula.error().kind, ErrorKind::kSyntax);
    EXPECT_EQ(formula.error().ToString(), message) << text;
  }
}

TEST(Formula, DepthIsBounded) {
  const std::string message = StrCat("expected at most ", kMaxFormulaDepth, " levels of operators and parentheses");
  const auto repeat = [](const std::string& piece, int count) {
    std::string text;
    for (int k = 0; k < count; ++k) text += piece;
    return text;
  };
  for (const std::string& text :
       {repeat("(", 100000) + "1", repeat("-", 100000) + "1", "1" + repeat(" + 1", 100000),
        repeat("1 ? 1 : ", 100000) + "1", repeat("min(1, ", 100000), repeat("1 ? ", 100000), repeat("[", 100000),
        repeat("~", 100000) + "1", repeat("int8(", 100000), repeat("let x = ", 100000)}) {
    const Expected<Formula> formula = ParseFormula(text);
    ASSERT_FALSE(formula.has_value());
    EXPECT_EQ(formula.error().message, message);
  }
  std::string wide = "a";
  for (int k = 0; k < 15; ++k) wide = "(" + wide + ") + (" + wide + ")";
  EXPECT_EQ(ParseFormula(wide).error().message, "expected at most 20000 operators and operands");
  EXPECT_EQ(Value("1" + repeat(" + 1", kMaxFormulaDepth - 2)).value, kMaxFormulaDepth - 1);
}

// Draws a random tree with every operator. `lets` are the names and values of the lets around it.
uint32_t Draw(std::mt19937& random, int depth, Formula& formula, std::vector<std::pair<uint32_t, uint32_t>> lets = {}) {
  const auto choice = static_cast<uint32_t>(random() % 36);
  FormulaNode node{.op = static_cast<FormulaOp>(choice % 34)};
  if (depth == 0) node.op = choice % 2 == 0 ? FormulaOp::kLiteral : FormulaOp::kName;
  if (depth == 0 && !lets.empty() && random() % 2 == 0) node.op = FormulaOp::kLetName;
  if (node.op == FormulaOp::kLetName && lets.empty()) node.op = FormulaOp::kName;
  if (node.op == FormulaOp::kLet) {
    node.operands[0] = Draw(random, depth - 1, formula, lets);
    node.name = static_cast<uint32_t>(formula.let_names.size());
    formula.let_names.push_back(StrCat("x", node.name));
    // The body uses the name at least once.
    const FormulaNode use{.op = FormulaOp::kLetName, .operands = {node.operands[0]}, .name = node.name};
    lets.emplace_back(node.name, node.operands[0]);
    const uint32_t rest = Draw(random, depth - 1, formula, lets);
    formula.nodes.push_back(use);
    formula.nodes.push_back({.op = FormulaOp::kBitXor, .operands = {rest, formula.root()}});
    node.operands[1] = formula.root();
  } else {
    std::vector<uint32_t> elements;
    if (node.op == FormulaOp::kTable) {
      for (uint32_t k = 0; k <= choice % 3; ++k) elements.push_back(Draw(random, depth - 1, formula, lets));
    }
    for (int k = 0; k < OperandCount(node.op); ++k) node.operands[k] = Draw(random, depth - 1, formula, lets);
    if (node.op == FormulaOp::kTable) {
      node.operands[1] = static_cast<uint32_t>(formula.elements.size());
      node.operands[2] = static_cast<uint32_t>(elements.size());
      formula.elements.insert(formula.elements.end(), elements.begin(), elements.end());
    }
  }
  if (node.op == FormulaOp::kLiteral) node.value = static_cast<int64_t>(random() % 9);
  if (node.op == FormulaOp::kName) node.name = static_cast<uint32_t>(random() % 3);
  if (node.op == FormulaOp::kToSigned || node.op == FormulaOp::kToUnsigned) node.value = 8 << random() % 4;
  if (node.op == FormulaOp::kLetName) {
    const auto& [name, value] = lets[random() % lets.size()];
    node.name = name;
    node.operands[0] = value;
  }
  formula.nodes.push_back(node);
  return formula.root();
}

TEST(Formula, ALetIsItsValueInPlaceOfItsName) {
  std::mt19937 random(20261123);
  for (int k = 0; k < 2000; ++k) {
    Formula value{"", {}, {"a", "b"}};
    Draw(random, 3, value);
    for (FormulaNode& node : value.nodes) node.name = node.op == FormulaOp::kName ? node.name % 2 : node.name;
    const std::string text = FormulaText(value);
    const std::vector<int64_t> point = {static_cast<int64_t>(random() % 9) - 4, static_cast<int64_t>(random() % 9)};
    const FormulaValue<int64_t> plain = Value(StrCat("0 * a * b + (", text, ") % 1000 - ((", text, ") & 7)"), point);
    const FormulaValue<int64_t> let = Value(StrCat("0 * a * b + (let y = ", text, " in y % 1000 - (y & 7))"), point);
    ASSERT_EQ(plain.ok(), let.ok()) << text;
    EXPECT_EQ(plain.value, let.value) << text;
  }
}

TEST(Formula, PrintedTextParsesBackToTheSameTree) {
  std::mt19937 random(20261121);
  for (int k = 0; k < 2000; ++k) {
    Formula formula{"", {}, {"i0", "N", "d1"}};
    Draw(random, 5, formula);
    const std::string text = FormulaText(formula);
    const Expected<Formula> parsed = ParseFormula(text);
    ASSERT_TRUE(parsed.has_value()) << text << ": " << parsed.error().ToString();
    EXPECT_EQ(FormulaText(*parsed), text);
    ASSERT_EQ(parsed->nodes.size(), formula.nodes.size()) << text;
    for (size_t n = 0; n < formula.nodes.size(); ++n) {
      ASSERT_EQ(parsed->nodes[n].op, formula.nodes[n].op) << text;
      ASSERT_EQ(parsed->nodes[n].value, formula.nodes[n].value) << text;
      for (int operand = 0; operand < OperandCount(formula.nodes[n].op); ++operand) {
        ASSERT_EQ(parsed->nodes[n].operands[operand], formula.nodes[n].operands[operand]) << text;
      }
    }
  }
}

TEST(Formula, AnyTextIsReadOrRejectedWithItsPlace) {
  const std::vector<std::string> pieces = {"i0",
                                           "N",
                                           "(",
                                           ")",
                                           "+",
                                           "-",
                                           "*",
                                           "/",
                                           "%",
                                           "<<",
                                           ">>",
                                           "&",
                                           "|",
                                           "^",
                                           "&&",
                                           "||",
                                           "!",
                                           "?",
                                           ":",
                                           "min",
                                           "max",
                                           ",",
                                           " ",
                                           "\t",
                                           "7",
                                           "0x",
                                           "1f",
                                           "mod",
                                           "floordiv",
                                           "ceildiv",
                                           "==",
                                           "<=",
                                           "=",
                                           "\x80",
                                           std::string(1, '\0'),
                                           "9223372036854775808",
                                           "00",
                                           "_",
                                           ".",
                                           "~",
                                           "[",
                                           "]",
                                           "let x=",
                                           " in ",
                                           "x",
                                           "int8("};
  std::mt19937 random(20261121);
  int accepted = 0;
  for (int k = 0; k < 30000; ++k) {
    std::string text;
    for (uint32_t n = static_cast<uint32_t>(random() % 12); n > 0; --n) text += pieces[random() % pieces.size()];
    const Expected<Formula> formula = ParseFormula(text);
    if (!formula) {
      ASSERT_GE(formula.error().column, 1) << text;
      ASSERT_LE(formula.error().column, static_cast<int64_t>(text.size()) + 1) << text;
      ASSERT_NE(formula.error().message, "") << text;
      continue;
    }
    ++accepted;
    const Expected<Formula> again = ParseFormula(FormulaText(*formula));
    ASSERT_TRUE(again.has_value()) << text;
    EXPECT_EQ(FormulaText(*again), FormulaText(*formula)) << text;
  }
  EXPECT_GT(accepted, 100);
  std::printf("%d of 30000 texts are formulas\n", accepted);
}

// If 64 bits suffice, 128 bits give the same value; otherwise the 64-bit evaluation reports an overflow.
TEST(Formula, WidthsAgree) {
  std::mt19937 random(7);
  int overflows = 0;
  for (int k = 0; k < 5000; ++k) {
    Formula formula{"", {}, {"a", "b", "c"}};
    Draw(random, 5, formula);
    int64_t names[3];
    for (int64_t& name : names) {
      name = static_cast<int64_t>(random() % 17) - 8;
      if (random() % 8 == 0) name *= int64_t{1} << 59;
    }
    const Int128 wide_names[3] = {names[0], names[1], names[2]};
    const FormulaValue<int64_t> narrow = FormulaEvaluator<int64_t>(formula)(names);
    const FormulaValue<Int128> wide = FormulaEvaluator<Int128>(formula)(wide_names);
    overflows += narrow.fault == FormulaFault::kOverflow;
    if (narrow.fault == FormulaFault::kOverflow) continue;
    EXPECT_EQ(narrow.fault, wide.fault) << FormulaText(formula);
    EXPECT_EQ(Int128{narrow.value}, wide.value) << FormulaText(formula);
  }
  EXPECT_GT(overflows, 0);
}

}  // namespace
}  // namespace layoutcheck
