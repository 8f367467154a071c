// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Arrays on many devices as grids, and devices as text.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>
#include "layoutcheck/cli/pictures/cell_grid.h"
#include "layoutcheck/core/sharding/sharded_array.h"

namespace layoutcheck {

// Returns ascending numbers of devices as "0-3,6". Of more than eight runs it names the first ones and the last, and
// says how many devices there are: "0,2,4,6,8,10,12,...,30 (16 devices)".
std::string DevicesText(std::span<const int64_t> devices);

// The devices that hold the same elements, and the color of these elements in the picture.
struct DeviceSet {
  std::vector<int64_t> devices;  // ascending
  int color = 0;
};

// Returns the sets of devices in the order of their first devices.
std::vector<DeviceSet> DeviceSetsOf(const Sharding& sharding);

// Returns the array in its own order, with "device:linear index" in each cell, colors by devices, and borders between
// shards. Of the devices of an element the cell names the first. Requires at least one element. The result refers to
// `array`.
CellGrid ShardedGrid(const ShardedArray& array);

// Returns the same grid, with the same colors for the same devices in each array, and with the elements marked that a
// device holds under `after`, but not under `before`; `array` is one of the two. Requires arrays of the same sizes. The
// result refers to all three.
CellGrid MarkedShardedGrid(const ShardedArray& array, const Sharding& before, const Sharding& after);

}  // namespace layoutcheck
