// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "layoutcheck/core/hlo/shape.h"

namespace layoutcheck {

// Returns true if one of two shrunk layouts that break the same law has every feature of the other; they then count as
// one cause. A feature is something that shrinking removes if it can: tiles, more than one tile, a combined dimension,
// an order that is not row major, a size of 0, a size past 2^30, an element type other than f32, and each attribute.
// The rank is none, because many causes have a smallest layout per rank. A layout without features shares its cause
// with every other; a layout with tiles and one with another order do not.
bool MayHaveOneCause(const Shape& a, const Shape& b);

}  // namespace layoutcheck
