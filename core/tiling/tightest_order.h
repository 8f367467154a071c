// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <optional>
#include "layoutcheck/core/hlo/shape.h"

namespace layoutcheck {

// Returns the array with the same tiles and attributes in the dimension order of the smallest allocation, among equals
// the lexicographically first minor_to_major. Returns nothing if the array's own order is as small, for ranks above 6
// (720 orders are tried), and for layouts without sizes.
std::optional<Shape> TightestOrder(const Shape& shape);

}  // namespace layoutcheck
