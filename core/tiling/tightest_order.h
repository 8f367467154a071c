// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <optional>
#include <span>
#include "layoutcheck/core/hlo/shape.h"
#include "layoutcheck/core/tiling/tilings.h"

namespace layoutcheck {

// Returns the array in the dimension order, and with its own tiles or those of the tilings, of the smallest allocation.
// Among equals its own tiles come first, then the tilings in their order, and then the lexicographically first
// minor_to_major. Other attributes stay. Returns nothing if the array's own layout is as small, for ranks above 6 (720
// orders are tried), and for layouts without sizes.
std::optional<Shape> TightestOrder(const Shape& shape, std::span<const Tiling> tilings = {});

}  // namespace layoutcheck
