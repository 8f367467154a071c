// XLA layouts as values: dimension order, tiles and attributes. What they mean is in tiled_index.h and sizes.h,
// which of them are valid for a shape in validate.h.
#ifndef LAYOUTCHECK_CORE_HLO_LAYOUT_H_
#define LAYOUTCHECK_CORE_HLO_LAYOUT_H_

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <vector>

#include "layoutcheck/core/hlo/element_type.h"

namespace layoutcheck {

struct Shape;

// One tile of a (possibly repeated) tiling, major to minor: T(8,128) is {8, 128}.
struct Tile {
  // The entry written `*`: combines its dimension with the next more minor one before tiling.
  static constexpr int64_t kCombineDimension = std::numeric_limits<int64_t>::min();

  std::vector<int64_t> dimensions;

  bool operator==(const Tile&) const = default;
};

// SC(dim:i,j): the *physical* dimension `dimension` (0 = major-most) is cut before the given indices.
struct SplitConfig {
  int64_t dimension = 0;
  std::vector<int64_t> split_indices;

  bool operator==(const SplitConfig&) const = default;
};

// A layout as HLO text writes it: {m2m:T(..)L(n)#(t)*(t)E(n)S(n)SC(..)P(shape)M(n)}. Any combination of field values
// can be held; ValidateLayoutForShape (validate.h) says which are legal. Equality and hashing look at every field.
struct Layout {
  Layout();
  explicit Layout(std::vector<int64_t> minor_to_major);
  Layout(std::vector<int64_t> minor_to_major, std::vector<Tile> tiles);
  Layout(const Layout&);
  Layout(Layout&&) noexcept;
  Layout& operator=(const Layout&);
  Layout& operator=(Layout&&) noexcept;
  ~Layout();

  // minor_to_major[0] is the logical dimension that varies fastest in memory.
  std::vector<int64_t> minor_to_major;
  // Applied in order: the second tile tiles the result of the first.
  std::vector<Tile> tiles;
  // L(n): the element count is padded at the end to a multiple of this.
  int64_t tail_padding_alignment_in_elements = 1;
  // #(t) and *(t): leftovers of sparse layouts. Parsed and printed, never valid.
  std::optional<ElementType> index_primitive_type;
  std::optional<ElementType> pointer_primitive_type;
  // E(n): bits of one stored element, 0 for the type's own byte width.
  int64_t element_size_in_bits = 0;
  // S(n): 0 is the default memory.
  int64_t memory_space = 0;
  std::vector<SplitConfig> split_configs;
  // P(shape): leftover of sparse layouts; empty or one shape. Printed, never valid.
  std::vector<Shape> physical_shape;
  // M(n): bytes of run-time size metadata before the data.
  int64_t dynamic_shape_metadata_prefix_bytes = 0;

  int64_t rank() const { return static_cast<int64_t>(minor_to_major.size()); }

  // The logical dimension at physical position p, counted from the major end. Requires 0 <= p < rank().
  int64_t Major(int64_t p) const { return minor_to_major[static_cast<size_t>(rank() - 1 - p)]; }
  // The logical dimension at position k counted from the minor end. Requires 0 <= k < rank().
  int64_t Minor(int64_t k) const { return minor_to_major[static_cast<size_t>(k)]; }

  bool operator==(const Layout& other) const;
};

// Returns a hash of every field, the same on every platform. Equal layouts have equal hashes.
uint64_t HashValue(const Layout& layout);

// {rank-1, ..., 0}: row major, XLA's default. Requires rank >= 0.
Layout MakeDescendingLayout(int64_t rank);
// {0, ..., rank-1}: column major. Requires rank >= 0.
Layout MakeAscendingLayout(int64_t rank);
// The layout whose dimensions are listed from the slowest to the fastest varying one.
Layout MakeLayoutFromMajorToMinor(std::span<const int64_t> major_to_minor);

}  // namespace layoutcheck

#endif  // LAYOUTCHECK_CORE_HLO_LAYOUT_H_
