// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <optional>
#include <vector>
#include "layoutcheck/core/hlo/shape.h"
#include "layoutcheck/properties/generate/choices.h"
#include "layoutcheck/properties/generate/layout_generator.h"
#include "layoutcheck/properties/generate/layout_pattern.h"

namespace layoutcheck {

// The sizes that a pattern's names are drawn from. One or two dimensions are past a tile, the others are small.
enum class DrawnSizes {
  kSmall,  // a tile's size, its neighbors, 1, 2 and 3
  kAny,    // also multiples of a tile and their neighbors, primes, and 0
  // One dimension is so large that the array has about 2^31 or 2^32 elements or bytes, the others are as for kSmall.
  kHuge,
};

// Draws a value per name.
std::vector<int64_t> DrawValues(Choices& choices, const LayoutPattern& pattern, DrawnSizes sizes);

// A layout of a pattern.
struct PatternLayout {
  std::vector<int64_t> values;  // one per name
  Shape shape;
};

// Draws a layout of the pattern within the scope's elements and padded elements; for kHuge beyond them. Returns nothing
// if it finds none, because no XLA layout is the same map or the pattern has no small layout.
std::optional<PatternLayout> DrawFromPattern(Choices& choices, const LayoutPattern& pattern, DrawnSizes sizes,
                                             const LayoutScope& scope);

}  // namespace layoutcheck
