// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The sizes of an array on many devices, as numbers and as facts.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>
#include "layoutcheck/cli/pictures/fact.h"
#include "layoutcheck/core/base/error.h"
#include "layoutcheck/core/sharding/sharded_array.h"

namespace layoutcheck {

// The devices whose arrays have the same sizes.
struct LocalArrays {
  const ShardedArray::Local* local;
  std::vector<int64_t> devices;  // ascending
};

// Sizes summed over all devices.
struct ShardedSizes {
  int64_t held_elements = 0;    // elements of the array, counted once per replica
  int64_t local_elements = 0;   // sizes of the local arrays, so with the padding of uneven shards
  int64_t padded_elements = 0;  // allocated elements, so with the padding of tiles, too
  int64_t bytes = 0;

  int64_t UnevenPadding() const { return local_elements - held_elements; }
  double Waste() const {
    if (padded_elements == 0) return 0;
    // Elements that share offsets may outnumber the allocation.
    return std::max(0.0, 1 - static_cast<double>(held_elements) / static_cast<double>(padded_elements));
  }
};

// Returns the groups in the order of their first devices. They refer to `array`.
std::vector<LocalArrays> LocalArraysOf(const ShardedArray& array);
// Returns the sums over all devices. Error: overflow.
Expected<ShardedSizes> SizesOfAll(const ShardedArray& array, const std::vector<LocalArrays>& groups);
// Returns the facts that `show` prints: elements, devices, the array of each device, bytes and waste.
std::vector<Fact> ShardedFacts(const ShardedArray& array, const std::vector<LocalArrays>& groups,
                               const ShardedSizes& sizes);

}  // namespace layoutcheck
