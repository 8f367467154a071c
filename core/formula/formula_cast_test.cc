// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gtest/gtest.h>
#include <cstdint>
#include <string>
#include "layoutcheck/core/formula/formula.h"
#include "layoutcheck/core/formula/formula_value.h"

namespace layoutcheck {
namespace {

// A cast is what the conversion of C++ gives, for each type and the values around its ends.
template <class Int>
void ExpectConversion(const std::string& type) {
  for (int shift = 0; shift < 64; ++shift) {
    for (const int64_t base : {int64_t{1} << (shift % 63), -(int64_t{1} << (shift % 63)), int64_t{0x123456789ABCDEF}}) {
      for (int64_t step = -2; step <= 2; ++step) {
        const int64_t value = base + step;
        const Int128 wide[1] = {value};
        const Expected<Formula> formula = ParseFormula(type + "(a)");
        ASSERT_TRUE(formula.has_value()) << type;
        const FormulaValue<Int128> result = FormulaEvaluator<Int128>(*formula)(wide);
        EXPECT_TRUE(result.ok()) << type << " " << value;
        EXPECT_EQ(result.value, Int128{static_cast<Int>(value)}) << type << " " << value;
        // 128-bit operands wrap likewise.
        const Int128 larger[1] = {Int128{value} + (Int128{3} << 64)};
        EXPECT_EQ(FormulaEvaluator<Int128>(*formula)(larger).value, result.value) << type << " " << value;
      }
    }
  }
}

TEST(FormulaCast, ACastIsTheConversionOfC) {
  ExpectConversion<int8_t>("int8");
  ExpectConversion<int16_t>("int16");
  ExpectConversion<int32_t>("int32");
  ExpectConversion<int64_t>("int64");
  ExpectConversion<uint8_t>("uint8");
  ExpectConversion<uint16_t>("uint16");
  ExpectConversion<uint32_t>("uint32");
  ExpectConversion<uint64_t>("uint64");
}

}  // namespace
}  // namespace layoutcheck
