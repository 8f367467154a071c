// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The order in which shrinking prefers layouts.
#ifndef LAYOUTCHECK_PROPERTIES_RUN_SIMPLICITY_H_
#define LAYOUTCHECK_PROPERTIES_RUN_SIMPLICITY_H_

#include <array>
#include <cstdint>
#include <vector>

#include "layoutcheck/core/hlo/shape.h"

namespace layoutcheck {

// The attributes of a layout that are numbers, with the value that says that there is none.
struct NumberAttribute {
  int64_t Layout::* member;
  int64_t none;
};
inline constexpr NumberAttribute kNumberAttributes[] = {{&Layout::element_size_in_bits, 0},
                                                        {&Layout::tail_padding_alignment_in_elements, 1},
                                                        {&Layout::memory_space, 0},
                                                        {&Layout::dynamic_shape_metadata_prefix_bytes, 0}};

// A key by which shapes with layouts compare: the smaller key is the simpler shape. Shapes with equal keys differ only
// in how sizes and attributes are distributed.
struct Simplicity {
  explicit Simplicity(const Shape& shape);
  bool operator<(const Simplicity& other) const;

  // Most important first: rank, number of tiles, of tile entries, of `*` and of attributes, then the sums of the sizes,
  // of the tile sizes and of the attributes.
  std::array<uint64_t, 8> counts{};
  std::vector<int64_t> order;  // difference of each entry of minor_to_major from the row-major one
  std::vector<int64_t> sizes;
  std::vector<Tile> tiles;
};

}  // namespace layoutcheck

#endif  // LAYOUTCHECK_PROPERTIES_RUN_SIMPLICITY_H_
