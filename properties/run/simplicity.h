// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <array>
#include <cstdint>
#include <vector>
#include "layoutcheck/core/hlo/shape.h"

namespace layoutcheck {

// The layout attributes that are numbers, with the value that stands for "none".
struct NumberAttribute {
  int64_t Layout::* member;
  int64_t none;
};
inline constexpr NumberAttribute kNumberAttributes[] = {{&Layout::element_size_in_bits, 0},
                                                        {&Layout::tail_padding_alignment_in_elements, 1},
                                                        {&Layout::memory_space, 0},
                                                        {&Layout::dynamic_shape_metadata_prefix_bytes, 0}};

// A key that orders shapes with layouts: the smaller key is the simpler shape. Shapes with equal keys differ only in
// the distribution of sizes and attributes.
struct Simplicity {
  explicit Simplicity(const Shape& shape);
  bool operator<(const Simplicity& other) const;

  // Most important first: rank, number of tiles, of tile entries, of `*` and of attributes; sums of the sizes, tile
  // sizes and attributes.
  std::array<uint64_t, 8> counts{};
  std::vector<int64_t> order;  // difference of each entry of minor_to_major from the row-major one
  std::vector<int64_t> sizes;
  std::vector<Tile> tiles;
};

}  // namespace layoutcheck
