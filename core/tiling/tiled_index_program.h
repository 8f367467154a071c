// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Definition (a) of a tiled layout: the closed formula for the linear index, as a program of steps and a sum.
//
// Source: XLA's document "Tiled layout". The list begins with the dimensions in physical order, major to minor, and
// each tile works on the list that the tile before it left:
//
//   1. If the tile has more entries than the list, dimensions of size 1 are put before the list.
//   2. Each `*` combines its dimension a with the next more minor one b: size S_a S_b, index I_a S_b + I_b.
//   3. Each remaining tile entry t splits its dimension (S, I) in two:
//      an outer one (ceil(S / t), floor(I / t)), which stays in place,
//      and an inner one (t, I mod t), which is moved to the minor end; inner ones keep their order.
//
// The linear index is the row-major index of the last list, and the padded element count the product of its sizes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <type_traits>
#include <utility>
#include <vector>
#include "layoutcheck/core/base/integer.h"
#include "layoutcheck/core/tiling/tiled_layout.h"

namespace layoutcheck {

// The program of one layout. It computes numbered values: values 0 to rank - 1 are the logical index, in logical order;
// every other value is the zero value or the result of a step.
template <class Int>
struct TiledIndexProgram {
  // Sets value `result` to a * size + b if `combine`; otherwise sets `result` to floor(a / size) and `result + 1` to a
  // mod size, and does not use b.
  struct Step {
    bool combine;
    size_t a;
    size_t b;
    size_t result;
    Int size;
  };
  // A summand of the linear index: a value times a stride in elements.
  struct Summand {
    size_t value;
    Int stride;
  };
  // A dimension after all tiles: its index, which is a value, and its size.
  struct Digit {
    size_t value;
    Int size;
  };

  size_t rank = 0;
  size_t value_count = 0;
  std::optional<size_t> zero;  // the value that is 0 for every index, if one is needed
  std::vector<Step> steps;     // in the order of computation
  std::vector<Digit> digits;   // major to minor
  // The linear index is the sum of the summands. Digits whose size is known to be 1 are left out.
  std::vector<Summand> summands;
  Int padded_elements = Int(1);  // product of the digits' sizes, before any tail padding
};

// Compiles the program of one layout. Spends no step on sizes known to be 1; symbolic sizes are never compared.
template <class Int>
class TiledIndexCompiler {
 public:
  // Requires minor_to_major to be a permutation, no `*` as the last entry of a tile, and tile sizes >= 1.
  TiledIndexProgram<Int> Compile(const BasicTiledLayout<Int>& layout) {
    program_.rank = program_.value_count = layout.dimensions.size();
    for (int64_t p = 0; p < layout.rank(); ++p) {
      const auto dimension = static_cast<size_t>(layout.Major(p));
      program_.digits.push_back({dimension, layout.dimensions[dimension]});
    }
    for (const auto& tile : layout.tiles) ApplyTile(tile);
    Int stride = Int(1);
    for (size_t k = program_.digits.size(); k-- > 0;) {
      const Digit& digit = program_.digits[k];
      if (!IsOne(digit.size)) program_.summands.push_back({digit.value, stride});
      stride = stride * digit.size;
    }
    program_.padded_elements = stride;
    return std::move(program_);
  }

 private:
  using Digit = TiledIndexProgram<Int>::Digit;

  static constexpr bool kIsNumber = std::is_same_v<Int, int64_t> || std::is_same_v<Int, CheckedInt64>;
  static bool IsOne(const Int& size) {
    if constexpr (std::is_same_v<Int, int64_t>) return size == 1;
    if constexpr (std::is_same_v<Int, CheckedInt64>) return size.value == 1 && !size.overflow;
    return false;
  }
  bool IsZero(const Digit& digit) const { return kIsNumber && digit.value == program_.zero; }

  size_t Zero() {
    if (!program_.zero) program_.zero = program_.value_count++;
    return *program_.zero;
  }

  void ApplyTile(const std::vector<TileDimension<Int>>& tile) {
    std::vector<Digit>& list = program_.digits;
    if (tile.size() > list.size()) list.insert(list.begin(), tile.size() - list.size(), Digit{Zero(), Int(1)});
    const auto tiled_begin = list.end() - static_cast<std::ptrdiff_t>(tile.size());
    const std::vector<Digit> tiled(tiled_begin, list.end());
    list.erase(tiled_begin, list.end());
    std::vector<Digit> inner;
    Digit current{0, Int(1)};
    bool combining = false;
    for (size_t k = 0; k < tile.size(); ++k) {
      current = combining ? Combine(current, tiled[k]) : tiled[k];
      combining = tile[k].combine;
      if (combining) continue;
      const auto [quotient, remainder] = Split(current, tile[k].size);
      list.push_back(quotient);
      inner.push_back(remainder);
    }
    list.insert(list.end(), inner.begin(), inner.end());
  }

  std::pair<Digit, Digit> Split(const Digit& digit, const Int& size) {
    const Int quotient_size = CeilDiv(digit.size, size);
    if (IsZero(digit)) return {Digit{Zero(), quotient_size}, Digit{Zero(), size}};
    if (IsOne(size)) return {digit, Digit{Zero(), size}};
    const size_t quotient = program_.value_count;
    program_.value_count += 2;
    program_.steps.push_back({false, digit.value, 0, quotient, size});
    return {Digit{quotient, quotient_size}, Digit{quotient + 1, size}};
  }

  Digit Combine(const Digit& a, const Digit& b) {
    const Int size = a.size * b.size;
    if (IsZero(a)) return Digit{b.value, size};
    if (IsZero(b) && IsOne(b.size)) return Digit{a.value, size};
    const size_t result = program_.value_count++;
    program_.steps.push_back({true, a.value, b.value, result, b.size});
    return Digit{result, size};
  }

  TiledIndexProgram<Int> program_;
};

// Returns the same program over another integer type; convert(size) converts each size and stride.
template <class Int, class Other, class Convert>
TiledIndexProgram<Int> ConvertProgram(const TiledIndexProgram<Other>& other, Convert&& convert) {
  TiledIndexProgram<Int> result;
  result.rank = other.rank;
  result.value_count = other.value_count;
  result.zero = other.zero;
  for (const auto& step : other.steps) {
    result.steps.push_back({step.combine, step.a, step.b, step.result, convert(step.size)});
  }
  for (const auto& digit : other.digits) result.digits.push_back({digit.value, convert(digit.size)});
  for (const auto& [value, stride] : other.summands) result.summands.push_back({value, convert(stride)});
  result.padded_elements = convert(other.padded_elements);
  return result;
}

}  // namespace layoutcheck
