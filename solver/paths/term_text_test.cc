// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/solver/paths/term_text.h"
#include <gtest/gtest.h>
#include <map>
#include "layoutcheck/core/formula/formula_value.h"

namespace layoutcheck {
namespace {

Term Power(int exponent) { return Term(WideInteger(Int128{1} << exponent)); }

// Returns the value of a term at a point.
WideInteger ValueOf(const TermContext& terms, uint32_t number, const std::map<std::string, int64_t>& point) {
  const TermContext::Node& node = terms.node(number);
  const auto a = [&] { return ValueOf(terms, node.a, point); };
  const auto b = [&] { return ValueOf(terms, node.b, point); };
  switch (node.kind) {
    case TermKind::kConstant: return node.value;
    case TermKind::kVariable: return point.at(terms.variable_name(node.a));
    case TermKind::kAdd: return a() + b();
    case TermKind::kSubtract: return a() - b();
    case TermKind::kMultiply: return a() * b();
    case TermKind::kFloorDiv: return FloorDiv(a(), b());
    case TermKind::kMod: return Mod(a(), b());
  }
  return {0, true};
}

TEST(TermText, IsShortAndHasTheValueOfTheTerm) {
  TermContext terms;
  const Term x = terms.Variable("x");
  const Term y = terms.Variable("y");
  const auto int32 = [](const Term& t) { return Mod(t + Power(31), Power(32)) - Power(31); };
  const std::pair<Term, std::string> cases[] = {
      {x * y + Term(1), "x * y + 1"},
      {x * (y + Term(1)), "x * (y + 1)"},
      {x - (y - x), "x - (y - x)"},
      {x + Term(-3), "x - 3"},
      {x + y * Term(-3), "x - y * 3"},
      {Term(0) + x * Term(1) - Term(0), "x"},
      {Term(0) - x, "-x"},
      {Term(-1) - x, "~x"},
      {CeilDiv(x, Term(128)), "x ceildiv 128"},
      {CeilDiv(x, y), "x ceildiv y"},
      {FloorDiv(x + Term(126), Term(128)), "(x + 126) floordiv 128"},
      {Mod(x, Term(8)), "x mod 8"},
      {Mod(x, Power(32)), "uint32(x)"},
      {Mod(x * y, Power(64)), "uint64(x * y)"},
      {int32(x), "int32(x)"},
      {int32(int32(x) * int32(y) - Mod(x, Power(32))), "int32(x * y - x)"},
      {int32(FloorDiv(int32(x), Term(2))), "int32(int32(x) floordiv 2)"},
      {Mod(int32(x) + Power(32), Power(32)), "uint32(x)"},
      {Mod(int32(x), Power(64)), "uint64(int32(x))"},
      {int32(Mod(x, Power(64))), "int32(x)"},
      {x * Power(64), "x * (4 * 4611686018427387904)"},
      {x - Power(63), "x - 2 * 4611686018427387904"},
  };
  for (const auto& [term, text] : cases) {
    const auto printed = TermText(terms, term);
    ASSERT_TRUE(printed.has_value());
    EXPECT_EQ(*printed, text);
    const auto formula = ParseFormula(*printed);
    ASSERT_TRUE(formula.has_value()) << *printed;
    FormulaEvaluator<Int128> evaluator(*formula);
    for (const int64_t a : {int64_t{0}, int64_t{5}, int64_t{-5}, int64_t{2147483648}, int64_t{-6000000000}}) {
      for (const int64_t b : {int64_t{1}, int64_t{3}, int64_t{128}, int64_t{4294967297}}) {
        std::vector<Int128> values;
        for (const std::string& name : formula->names) values.push_back(name == "x" ? a : b);
        const auto value = evaluator(values);
        ASSERT_TRUE(value.ok()) << text;
        EXPECT_EQ(ToDecimal(value.value), ToDecimal(ValueOf(terms, term.node(), {{"x", a}, {"y", b}}).value))
            << text << " x=" << a << " y=" << b;
      }
    }
  }
  EXPECT_EQ(RelationText(terms, LessEqual(x * y, Term(7))), "x * y <= 7");
}

TEST(TermText, CommonBitsArePrintedAsConjunctions) {
  TermContext terms;
  const Term x = terms.Variable("x");
  const Term y = terms.Variable("y");
  const DefinedVariables defined = {.common_bits = {{"and!3", {x, y + Term(1)}}}, .powers = {}};
  EXPECT_EQ(TermText(terms, x + y - terms.Variable("and!3"), defined), "x + y - (x & y + 1)");
  EXPECT_EQ(RelationText(terms, Less(terms.Variable("and!3"), Term(3)), defined), "(x & y + 1) < 3");
}

TEST(TermText, PowersOfTwoArePrintedAsShifts) {
  TermContext terms;
  const Term x = terms.Variable("x");
  const Term y = terms.Variable("y");
  const Term power = terms.Variable("power!1");
  const DefinedVariables defined = {.common_bits = {}, .powers = {{"power!1", y + Term(1)}}};
  EXPECT_EQ(TermText(terms, power - Term(1), defined), "(1 << y + 1) - 1");
  EXPECT_EQ(TermText(terms, x * power, defined), "x << y + 1");
  EXPECT_EQ(TermText(terms, (x + Term(1)) * power, defined), "x + 1 << y + 1");
  EXPECT_EQ(TermText(terms, FloorDiv(x - y, power), defined), "x - y >> y + 1");
  EXPECT_EQ(TermText(terms, Mod(x, power), defined), "x mod (1 << y + 1)");
}

TEST(TermText, ATermThatIsTooLongHasNone) {
  TermContext terms;
  Term doubled = terms.Variable("x");
  for (int k = 0; k < 20; ++k) doubled = doubled * doubled;
  EXPECT_EQ(TermText(terms, doubled), std::nullopt);
  Term deep = terms.Variable("x");
  for (int k = 0; k < 100'000; ++k) deep = Mod(deep, Term(k + 2));
  EXPECT_EQ(TermText(terms, deep), std::nullopt);
}

}  // namespace
}  // namespace layoutcheck
