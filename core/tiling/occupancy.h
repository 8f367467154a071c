// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The addresses of an allocation that hold elements; the others hold padding.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>
#include "layoutcheck/core/base/error.h"
#include "layoutcheck/core/hlo/shape.h"

namespace layoutcheck {

// A place that holds an element in one of two allocations, and padding in the other.
struct OccupancyDifference {
  int64_t bit = 0;                  // distance from the start of the allocations, in bits
  bool is_element_of_a = false;     // true for an element of a, false for one of b
  std::vector<int64_t> coordinate;  // coordinate of the element

  bool operator==(const OccupancyDifference&) const = default;
};

// Compares two allocations of the same number of bits, place by place. Returns the first place that holds an element of
// b and padding of a: who reads a as b reads padding there. If there is none, returns the first place that holds an
// element of a and padding of b, which a reader of b never sees, or nothing if the places are the same. Elements may
// have different widths. Where outer dimensions repeat what the tiles of one box do, one repetition is compared.
// Errors: those of SizesOf; different numbers of bits, or split configs (invalid argument); no read of padding in the
// first kMaxComparedPlaces places while more are left (unsupported).
Expected<std::optional<OccupancyDifference>> FindOccupancyDifference(const Shape& a, const Shape& b);
inline constexpr int64_t kMaxComparedPlaces = int64_t{1} << 24;

}  // namespace layoutcheck
