// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The linear index of a tiled layout by the closed formula, definition (a). tiled_index_program.h states the formula.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>
#include "layoutcheck/core/base/error.h"
#include "layoutcheck/core/base/integer.h"
#include "layoutcheck/core/hlo/shape.h"
#include "layoutcheck/core/tiling/tiled_index_program.h"
#include "layoutcheck/core/tiling/tiled_layout.h"

namespace layoutcheck {

// A divisor. For a general integer type, it divides with the type's FloorDiv and Mod.
template <class Int>
class Divisor {
 public:
  explicit Divisor(Int divisor) : divisor_(divisor) {}

  Int Quotient(const Int& dividend) const { return FloorDiv(dividend, divisor_); }
  Int Remainder(const Int& dividend, const Int& /*quotient*/) const { return Mod(dividend, divisor_); }

 private:
  Int divisor_;
};

// A divisor of int64_t, which divides with a multiplication and a shift. Requires divisor >= 1 and dividends >= 0.
// Source: Granlund and Montgomery, "Division by invariant integers using multiplication", PLDI 1994: for every 0 <= n <
// 2^63, floor(n / d) = floor(m n / 2^(63+l)), where l = ceil(log2 d) and m = floor(2^(63+l) / d) + 1. The code
// multiplies m by 2n, so that the upper word of the product is m n / 2^63.
template <>
class Divisor<int64_t> {
 public:
  explicit constexpr Divisor(int64_t divisor)
      : divisor_(divisor), shift_(static_cast<int>(std::bit_width(static_cast<uint64_t>(divisor) - 1))) {
    multiplier_ = static_cast<uint64_t>((Wide{1} << (63 + shift_)) / static_cast<uint64_t>(divisor) + 1);
  }

  constexpr int64_t Quotient(int64_t dividend) const {
    const Wide product = Wide{multiplier_} * (static_cast<uint64_t>(dividend) << 1);
    return static_cast<int64_t>(static_cast<uint64_t>(product >> 64) >> shift_);
  }
  constexpr int64_t Remainder(int64_t dividend, int64_t quotient) const { return dividend - quotient * divisor_; }

 private:
  __extension__ using Wide = unsigned __int128;

  int64_t divisor_;
  int shift_;
  uint64_t multiplier_ = 0;
};

// Returns all values of the program at a logical index within the dimensions.
template <class Int>
std::vector<Int> EvaluateProgram(const TiledIndexProgram<Int>& program, std::span<const Int> index) {
  std::vector<Int> values(program.value_count, Int(0));
  for (size_t d = 0; d < program.rank; ++d) values[d] = index[d];
  for (const auto& [combine, a, b, result, size] : program.steps) {
    if (combine) {
      values[result] = values[a] * size + values[b];
    } else {
      values[result] = FloorDiv(values[a], size);
      values[result + 1] = Mod(values[a], size);
    }
  }
  return values;
}

// The linear index as a weighted sum of the logical index and the quotients. A remainder is its dividend minus a
// multiple of its quotient; it is folded into the weights, and computed only if a later step uses it. Divisors are
// prepared once per layout.
template <class Int>
class FoldedIndex {
 public:
  explicit FoldedIndex(const TiledIndexProgram<Int>& program) : zero_(program.zero) {
    std::vector<Weight> weights(program.value_count, Weight(0));
    std::vector<bool> is_operand(program.value_count);
    for (const auto& [value, stride] : program.summands) weights[value] = weights[value] + static_cast<Weight>(stride);
    steps_.reserve(program.steps.size());
    for (size_t k = program.steps.size(); k-- > 0;) {
      const auto& [combine, a, b, result, size] = program.steps[k];
      Step step{combine, false, a, b, result, size, Divisor<Int>(combine ? Int(1) : size), Weight(0)};
      step.needs_remainder = !combine && is_operand[result + 1];
      is_operand[a] = true;
      if (combine) {
        is_operand[b] = true;
        weights[a] = weights[a] + weights[result] * static_cast<Weight>(size);
        weights[b] = weights[b] + weights[result];
      } else {
        weights[a] = weights[a] + weights[result + 1];
        step.weight = weights[result] - weights[result + 1] * static_cast<Weight>(size);
      }
      steps_.push_back(std::move(step));
    }
    std::ranges::reverse(steps_);
    weights.resize(program.rank, Weight(0));
    weights_ = std::move(weights);
  }

  // Returns the linear index of a logical index. `values` is scratch space for value_count values of the program.
  Int Evaluate(std::span<const Int> index, Int* values) const {
    Weight sum = Weight(0);
    for (size_t d = 0; d < weights_.size(); ++d) {
      values[d] = index[d];
      sum = sum + static_cast<Weight>(index[d]) * weights_[d];
    }
    if (zero_) values[*zero_] = Int(0);
    for (const Step& step : steps_) {
      if (step.combine) {
        values[step.result] = values[step.a] * step.size + values[step.b];
        continue;
      }
      const Int quotient = step.divisor.Quotient(values[step.a]);
      if (step.needs_remainder) values[step.result + 1] = step.divisor.Remainder(values[step.a], quotient);
      values[step.result] = quotient;
      sum = sum + static_cast<Weight>(quotient) * step.weight;
    }
    return static_cast<Int>(sum);
  }

 private:
  // Coefficient type. Unsigned for plain integers: a coefficient may wrap modulo 2^64 although no linear index does.
  using Weight = std::conditional_t<std::is_same_v<Int, int64_t>, uint64_t, Int>;

  struct Step {
    bool combine;
    bool needs_remainder;  // a later step uses the remainder
    size_t a;
    size_t b;
    size_t result;
    Int size;
    Divisor<Int> divisor;
    Weight weight;  // weight of the quotient in the sum
  };

  std::optional<size_t> zero_;
  std::vector<Step> steps_;
  std::vector<Weight> weights_;  // one per logical dimension
};

// The linear index of one layout as a function. `Int` is int64_t for evaluation, a symbolic integer for a proof, or a
// printing integer for source text.
template <class Int>
class BasicTiledIndex {
 public:
  explicit BasicTiledIndex(TiledIndexProgram<Int> program) : program_(std::move(program)), folded_(program_) {}
  // Requires a layout as TiledIndexCompiler does.
  explicit BasicTiledIndex(const BasicTiledLayout<Int>& layout)
      : BasicTiledIndex(TiledIndexCompiler<Int>().Compile(layout)) {}
  // Constructs the same function over another integer type; convert(size) converts each size and stride.
  template <class Other, class Convert>
  BasicTiledIndex(const BasicTiledIndex<Other>& other, Convert convert)
      : BasicTiledIndex(ConvertProgram<Int>(other.program(), convert)) {}

  // Returns the linear index of a logical index. Requires one entry per dimension and 0 <= index[d] < dimensions[d].
  Int operator()(std::span<const Int> index) const {
    if constexpr (kIsFolded) {
      if (program_.value_count <= kInlineValues) {
        std::array<Int, kInlineValues> values;
        return folded_.Evaluate(index, values.data());
      }
      std::vector<Int> values(program_.value_count);
      return folded_.Evaluate(index, values.data());
    } else {
      const std::vector<Int> values = EvaluateProgram(program_, index);
      Int sum = Int(0);
      for (const auto& [value, stride] : program_.summands) sum = sum + values[value] * stride;
      return sum;
    }
  }

  // Returns the sizes after all tiles, major to minor: 2, 3, 2, 2 for f32[3,5]{1,0:T(2,2)}.
  std::vector<Int> expanded_sizes() const {
    std::vector<Int> sizes;
    for (const auto& digit : program_.digits) sizes.push_back(digit.size);
    return sizes;
  }

  // Returns the product of the expanded sizes, before any tail padding.
  const Int& padded_elements() const { return program_.padded_elements; }
  const TiledIndexProgram<Int>& program() const { return program_; }

 private:
  static constexpr size_t kInlineValues = 64;  // layouts with more values allocate per evaluation
  static constexpr bool kIsFolded = std::is_same_v<Int, int64_t>;
  struct NotFolded {
    explicit NotFolded(const TiledIndexProgram<Int>& /*program*/) {}
  };

  TiledIndexProgram<Int> program_;
  [[no_unique_address]] std::conditional_t<kIsFolded, FoldedIndex<Int>, NotFolded> folded_;
};

using TiledIndex = BasicTiledIndex<int64_t>;

// Returns the index of a concrete layout. Errors: those of TiledLayoutOf; overflow.
Expected<TiledIndex> MakeTiledIndex(const TiledLayout& layout);
Expected<TiledIndex> MakeTiledIndex(const Shape& shape);

// Returns the logical dimensions in groups: two dimensions share a group if a `*` of one of the indices combines them
// or digits of them, so each linear index is a sum of one function per group. Dimensions within a group, and groups by
// their first dimension, are ordered from major to minor. Requires that all indices have this rank.
std::vector<std::vector<size_t>> GroupCombinedDimensions(std::initializer_list<const TiledIndex*> indices,
                                                         std::span<const int64_t> minor_to_major);

// Returns an error that names the dimension unless 0 <= index[d] < dimensions[d] for each dimension d.
Expected<void> CheckIndex(std::span<const int64_t> index, std::span<const int64_t> dimensions);

}  // namespace layoutcheck
