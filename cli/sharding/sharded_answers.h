// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The answers of `index`, `coord`, `show` and `convert` about an array with a sharding, for the program, the page of
// web/ and the Python package.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>
#include "layoutcheck/cli/base/terminal.h"
#include "layoutcheck/cli/pictures/cell_grid.h"
#include "layoutcheck/cli/pictures/draw_svg.h"
#include "layoutcheck/cli/pictures/fact.h"
#include "layoutcheck/cli/sharding/sharded_facts.h"
#include "layoutcheck/core/base/error.h"
#include "layoutcheck/core/sharding/sharded_array.h"
#include "layoutcheck/json/json.h"

namespace layoutcheck {

// Values of `convert --to` for an array with a sharding, in the order of ShardingNotation.
inline constexpr std::array<std::string_view, 5> kShardingTargets = {"hlo-sharding", "shardy", "jax", "dtensor",
                                                                     "tt-metal"};

// Returns the array with its sharding in the notation kShardingTargets[target]. Errors: those of ConvertSharding.
Expected<std::string> ConvertSharded(const ShardedText& sharded, size_t target);

// Returns the JSON document of `index`: the devices, the linear index, and the sizes of the array of one of them.
Json ShardedIndexJson(const ShardedArray& array, const ShardedArray::Place& place);

// Returns the coordinate in the whole array of the element at a linear index of a device, or nothing for padding.
// Requires one of the array's devices. Error (invalid argument): an index outside the allocation of the device.
Expected<std::optional<std::vector<int64_t>>> ShardedCoordinateAt(const ShardedArray& array, int64_t device,
                                                                  int64_t offset);

// The sizes and the picture of an array, which it refers to.
struct ShownSharding {
  std::vector<LocalArrays> groups;
  ShardedSizes sizes;
  std::vector<Fact> facts;
  std::optional<CellGrid> grid;  // absent for an array without elements
};

// Returns what `show` shows. Errors: those of SizesOfAll.
Expected<ShownSharding> ShowSharding(const ShardedArray& array);
// Returns sizes and picture as text.
std::string ShowText(const ShardedText& sharded, const ShownSharding& shown, const TextStyle& style);
// Returns what DrawSvg and DrawHtml draw. The result refers to `shown`.
Picture PictureOf(const ShardedText& sharded, const ShownSharding& shown);

}  // namespace layoutcheck
