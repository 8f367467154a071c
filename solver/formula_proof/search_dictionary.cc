// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <cmath>
#include <set>
#include "layoutcheck/solver/formula_proof/formula_search.h"

namespace layoutcheck {
namespace {

constexpr int64_t kMaxValue = int64_t{1} << 62;
constexpr int64_t kMaxTile = int64_t{1} << 16;
// Number of constants whose pairwise products and quotients are taken.
constexpr size_t kMaxConstants = 24;
// Bounds the search for divisors to milliseconds for a large prime.
constexpr int64_t kMaxDivisor = int64_t{1} << 20;
constexpr size_t kMaxDivisors = 64;
// Smaller constants have small divisors, which are tried in any case.
constexpr int64_t kLeastFactoredConstant = 4096;

std::vector<int64_t> DivisorsOf(int64_t constant) {
  std::vector<int64_t> divisors;
  for (int64_t d = 2; d <= kMaxDivisor && d <= constant / d && divisors.size() < kMaxDivisors; ++d) {
    if (constant % d == 0) divisors.insert(divisors.end(), {d, constant / d});
  }
  return divisors;
}

// Returns the numbers >= 2 in the layout's tiles and dimensions and in the formulas.
std::set<int64_t> ConstantsOf(const FormulaQuestion& question) {
  std::set<int64_t> constants;
  const auto add_formula = [&](const FormulaQuestion::BoundFormula& bound) {
    for (const FormulaNode& node : bound.formula.nodes) {
      if (node.op == FormulaOp::kLiteral) constants.insert(node.value);
      if (node.op == FormulaOp::kTable) constants.insert(node.operands[2]);
      const bool is_cast = node.op == FormulaOp::kToSigned || node.op == FormulaOp::kToUnsigned;
      // The values of the type, and for a signed one those that are not negative, are fewer than this.
      if (is_cast && node.value < 64) constants.insert({int64_t{1} << (node.value - 1), int64_t{1} << node.value});
    }
    constants.insert(bound.function_numbers.begin(), bound.function_numbers.end());
  };
  if (question.layout) {
    for (const auto& tile : question.layout->layout.tiles) {
      for (const auto& entry : tile) constants.insert(entry.size.value);
    }
    for (const auto& size : question.layout->layout.dimensions) constants.insert(size.value);
  }
  add_formula(question.formula);
  if (question.equals) add_formula(*question.equals);
  for (const auto& [one, other] : question.more_components) add_formula(one);
  for (const auto& assumption : question.assumptions) add_formula(assumption);
  constants.erase(constants.begin(), constants.lower_bound(2));
  return constants;
}

}  // namespace

SearchDictionary MakeSearchDictionary(const FormulaQuestion& question) {
  const std::set<int64_t> constants = ConstantsOf(question);
  SearchDictionary result;
  result.constants.assign(constants.begin(), constants.end());
  if (result.constants.size() > kMaxConstants) result.constants.resize(kMaxConstants);

  std::set<int64_t> values;
  const auto add = [&](Int128 value) {
    for (const int step : {-1, 0, 1}) {
      if (value + step >= 0 && value + step <= kMaxValue) values.insert(static_cast<int64_t>(value + step));
    }
  };
  for (const int64_t a : constants) {
    add(a);
    for (const int64_t b : {2, 3, 5, 10}) add(Int128{a} * b);
    add(a / 2);
    add(std::llround(std::sqrt(static_cast<double>(a))));
    if (a > kLeastFactoredConstant) {
      for (const int64_t divisor : DivisorsOf(a)) add(divisor);
    }
    for (const int64_t b : result.constants) {
      add(Int128{a} * b);
      if (b < a) add(a / b);
    }
  }
  for (int k = 1; k <= 33; ++k) add(Int128{1} << k);
  for (const int64_t prime : {5, 7, 11, 13, 97, 101, 251, 1009, 10007, 65537, 104729, 1000003, 1299709}) add(prime);
  for (const int64_t ten : {10, 100, 1000, 10000, 100000, 1000000}) add(ten);
  for (const int64_t root : {46341, 65536, 92682}) add(root);  // roots of 2^31, 2^32 and 2^33
  result.values.assign(values.begin(), values.end());

  std::set<int64_t> tiles;
  for (const int64_t a : result.constants) {
    for (const int64_t b : {1, 2, 3, 4}) {
      if (a <= kMaxTile / b) tiles.insert(a * b);
    }
  }
  if (tiles.empty()) tiles = {2, 3, 8};
  result.tiles.assign(tiles.begin(), tiles.end());
  return result;
}

}  // namespace layoutcheck
