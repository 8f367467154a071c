// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tilings among which the tightest one for an array can be sought.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>
#include "layoutcheck/core/base/error.h"
#include "layoutcheck/core/hlo/layout.h"
#include "layoutcheck/core/hlo/shape.h"

namespace layoutcheck {

// Tiles, and the arrays that may have them.
struct Tiling {
  std::vector<Tile> tiles;
  int64_t element_bits = 0;  // 0 for every element type
  int64_t rank = 0;          // 0 for every rank that is not below the first tile's
};

// Parses `T(8,128)(2,1)`. Error (syntax, with a column): any other text.
Expected<Tiling> ParseTiling(std::string_view text);

// Returns the tilings that XLA's TPU backend gives to arrays, by the width of their elements.
std::span<const Tiling> TpuTilings();

// Returns the array in the dimension order, and with its own tiles or those of the tilings, of the smallest allocation.
// Among equals its own tiles come first, then the tilings in their order, and then the lexicographically first
// minor_to_major. Other attributes stay. Returns nothing if the array's own layout is as small, for ranks above 6 (720
// orders are tried), and for layouts without sizes.
std::optional<Shape> TightestOrder(const Shape& shape, std::span<const Tiling> tilings = {});

}  // namespace layoutcheck
