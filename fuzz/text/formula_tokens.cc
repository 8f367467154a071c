// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/fuzz/text/formula_tokens.h"
#include <iterator>
#include <vector>
#include "layoutcheck/core/formula/formula.h"

namespace layoutcheck {
namespace {

constexpr std::string_view kFixedTokens[] = {
    // Tokens other than operators between two operands.
    "!", "?", ":", ",", "(", ")", "min(", "max(", " ? 1 : 0", "()", "~", "[", "]", "][", "let ", "=", " in ",
    "let x = ", "x", "int8(", "uint64(", "[1, 2][",
    // Names.
    "i0", "i1", "d0", "M", "N", "_",
    // Integers.
    "0", "1", "2", "7", "8", "63", "64", "127", "128", "2147483647", "2147483648", "9223372036854775807",
    "9223372036854775808", "0x", "0xF", "0x7fffffffffffffff", "007"};

}  // namespace

std::span<const std::string_view> FormulaTokens() {
  static const std::vector<std::string_view> tokens = [] {
    std::vector<std::string_view> all;
    for (const FormulaOperator& op : FormulaOperators()) all.push_back(op.spelling);
    all.insert(all.end(), std::begin(kFixedTokens), std::end(kFixedTokens));
    return all;
  }();
  return tokens;
}

}  // namespace layoutcheck
