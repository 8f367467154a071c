#include "layoutcheck/solver/formula_proof/formula_dictionary.h"

#include <algorithm>
#include <cmath>
#include <set>

namespace layoutcheck {
namespace {

constexpr int64_t kMaxValue = int64_t{1} << 62;
constexpr size_t kMaxConstants = 24;
constexpr int64_t kMaxTile = int64_t{1} << 16;

// Divisors of a constant that are found by dividing by numbers up to 2^20, each with its cofactor.
std::vector<int64_t> DivisorsOf(int64_t constant) {
  std::vector<int64_t> divisors;
  for (int64_t d = 2; d <= int64_t{1} << 20 && d <= constant / d && divisors.size() < 64; ++d) {
    if (constant % d == 0) divisors.insert(divisors.end(), {d, constant / d});
  }
  return divisors;
}

}  // namespace

FormulaDictionary MakeFormulaDictionary(const FormulaQuestion& question) {
  std::set<int64_t> constants;
  const auto note = [&](int64_t value) {
    if (value >= 2) constants.insert(value);
  };
  const auto note_formula = [&](const FormulaQuestion::BoundFormula& bound) {
    for (const FormulaNode& node : bound.formula.nodes) {
      if (node.op == FormulaOp::kLiteral) note(node.value);
    }
    for (const int64_t number : bound.function_numbers) note(number);
  };
  if (question.layout) {
    for (const auto& tile : question.layout->layout.tiles) {
      for (const auto& entry : tile) note(entry.size.value);
    }
    for (const auto& size : question.layout->layout.dimensions) note(size.value);
  }
  note_formula(question.formula);
  if (question.equals) note_formula(*question.equals);
  for (const auto& assumption : question.assumptions) note_formula(assumption);

  FormulaDictionary result;
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
    if (a > 4096) {
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
  for (const int64_t root : {46341, 65536, 92682}) add(root);  // of 2^31, 2^32, 2^33
  result.values.assign(values.begin(), values.end());

  std::set<int64_t> tiles;
  for (const int64_t a : result.constants) {
    for (const int64_t b : {1, 2, 3, 4}) {
      if (a * b <= kMaxTile && a <= kMaxTile) tiles.insert(a * b);
    }
  }
  if (tiles.empty()) tiles = {2, 3, 8};
  result.tiles.assign(tiles.begin(), tiles.end());
  return result;
}

}  // namespace layoutcheck
