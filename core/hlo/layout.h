// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// XLA layouts as values: dimension order, tiles and attributes. core/tiling defines their meaning (tiled_index.h and
// sizes.h), and validate.h tells which layouts are valid for a shape.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <vector>
#include "layoutcheck/core/hlo/element_type.h"

namespace layoutcheck {

struct Shape;

// One tile of a (possibly repeated) tiling, major to minor: T(8,128) is {8, 128}.
struct Tile {
  // The entry written `*`, which combines its dimension with the next more minor one before tiling.
  static constexpr int64_t kCombineDimension = std::numeric_limits<int64_t>::min();

  std::vector<int64_t> dimensions;

  bool operator==(const Tile&) const = default;
};

// SC(dim:i,j): cuts the *physical* dimension `dimension` (0 is the most major one) before each of the indices.
struct SplitConfig {
  int64_t dimension = 0;
  std::vector<int64_t> split_indices;

  bool operator==(const SplitConfig&) const = default;
};

// A layout as HLO text writes it: {m2m:T(..)L(n)#(t)*(t)E(n)S(n)SC(..)P(shape)M(n)}. It can hold any field values;
// ValidateLayoutForShape (validate.h) tells which are legal.
struct Layout {
  Layout();
  explicit Layout(std::vector<int64_t> minor_to_major);
  Layout(std::vector<int64_t> minor_to_major, std::vector<Tile> tiles);
  Layout(const Layout&);
  Layout(Layout&&) noexcept;
  Layout& operator=(const Layout&);
  Layout& operator=(Layout&&) noexcept;
  ~Layout();

  // Logical dimensions in the order of memory: minor_to_major[0] varies fastest.
  std::vector<int64_t> minor_to_major;
  // Tiles in the order in which they apply: the second one tiles the result of the first.
  std::vector<Tile> tiles;
  // L(n): the padded element count is rounded up to a multiple of this.
  int64_t tail_padding_alignment_in_elements = 1;
  // #(t) and *(t): leftovers of sparse layouts. They are parsed and printed, but never valid.
  std::optional<ElementType> index_primitive_type;
  std::optional<ElementType> pointer_primitive_type;
  // E(n): bits per stored element; 0 means the byte width of the element type.
  int64_t element_size_in_bits = 0;
  // S(n): 0 is the default memory.
  int64_t memory_space = 0;
  std::vector<SplitConfig> split_configs;
  // P(shape): a leftover of sparse layouts, empty or one shape. It is printed, but never parsed and never valid.
  std::vector<Shape> physical_shape;
  // M(n): bytes of run-time size metadata before the data. A negative number has no meaning and is not printed.
  int64_t dynamic_shape_metadata_prefix_bytes = 0;

  int64_t rank() const { return static_cast<int64_t>(minor_to_major.size()); }

  // Returns the logical dimension at physical position p, counted from the major end. Requires 0 <= p < rank().
  int64_t Major(int64_t p) const { return minor_to_major[static_cast<size_t>(rank() - 1 - p)]; }
  // Returns the logical dimension at position k, counted from the minor end. Requires 0 <= k < rank().
  int64_t Minor(int64_t k) const { return minor_to_major[static_cast<size_t>(k)]; }

  bool operator==(const Layout& other) const;
};

// Returns a hash of every field, the same on every platform. Equal layouts have equal hashes.
uint64_t HashValue(const Layout& layout);

// Returns {rank-1, ..., 0}: row major, XLA's default. Requires rank >= 0.
Layout MakeDescendingLayout(int64_t rank);
// Returns {0, ..., rank-1}: column major. Requires rank >= 0.
Layout MakeAscendingLayout(int64_t rank);

}  // namespace layoutcheck
