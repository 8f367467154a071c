// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The linear index of a tiled layout by the closed formula, definition (a). tiled_index_program.h states the formula.
#ifndef LAYOUTCHECK_CORE_TILING_TILED_INDEX_H_
#define LAYOUTCHECK_CORE_TILING_TILED_INDEX_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include "layoutcheck/core/base/error.h"
#include "layoutcheck/core/base/integer.h"
#include "layoutcheck/core/hlo/shape.h"
#include "layoutcheck/core/tiling/folded_index.h"
#include "layoutcheck/core/tiling/tiled_index_program.h"
#include "layoutcheck/core/tiling/tiled_layout.h"

namespace layoutcheck {

// Returns every value of the program at a logical index. Requires one entry per dimension, 0 <= index[d] <
// dimensions[d].
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

// The linear index of one layout as a function. `Int` is int64_t for the fast evaluator, a symbolic integer for a
// proof, and a printing integer for source text.
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

  // The product of the expanded sizes, before any tail padding.
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

// Returns the index of a concrete layout. Errors: those of TiledLayoutOf; a size or stride that does not fit int64
// (overflow).
Expected<TiledIndex> MakeTiledIndex(const TiledLayout& layout);
Expected<TiledIndex> MakeTiledIndex(const Shape& shape);

// Returns an error that names the dimension unless the index has one entry per dimension and 0 <= index[d] <
// dimensions[d] for each d.
Expected<void> CheckIndex(std::span<const int64_t> index, std::span<const int64_t> dimensions);

}  // namespace layoutcheck

#endif  // LAYOUTCHECK_CORE_TILING_TILED_INDEX_H_
