// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The second definition of a sharding: it cuts an array of numbers into lists, and shares no formula with
// dimension_cut.h.
#pragma once

#include <cstdint>
#include <vector>
#include "layoutcheck/core/base/error.h"
#include "layoutcheck/core/sharding/sharding.h"

namespace layoutcheck {

// The elements that a device holds.
struct ShardElements {
  int64_t device = 0;
  std::vector<int64_t> sizes;     // of each dimension, without padding
  std::vector<int64_t> elements;  // numbers in row-major order of the whole array; in row-major order of `sizes`
};

// Returns what each device holds, in the order of Sharding::devices(). Error (unsupported): more than 2^24 elements
// over all devices.
Expected<std::vector<ShardElements>> CutArray(const Sharding& sharding);

// Returns true if each device has the same elements at the same offsets of a row-major array, with its padding, under
// both shardings. Elements are those with the same row-major numbers. Error: as CutArray.
Expected<bool> AreSameMemories(const Sharding& a, const Sharding& b);

}  // namespace layoutcheck
