// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The shardings of HLO text, {devices=[2,4]<=[8]}. Source: XLA's HloSharding and TileAssignment.
//
//     sharding = "{" ( "replicated" | "manual" | "unknown" | "unreduced" | "maximal" "device=" int | tiles
//                    | sharding { "," sharding } ) { mark } "}"
//     tiles    = "devices=" "[" sizes "]" ( int { "," int } | "<=" "[" sizes "]" [ "T" "(" permutation ")" ] )
//     mark     = "last_tile_dim_replicate" | "last_tile_dims=" "{" type { "," type } "}" | "metadata=" braces
//              | "shard_as" int | "shard_like" int
//
// Metadata and shard groups do not place elements, and are left out of the canonical text.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>
#include "layoutcheck/core/base/error.h"
#include "layoutcheck/core/base/text_cursor.h"
#include "layoutcheck/core/sharding/sharding.h"

namespace layoutcheck {

// The devices of a tile assignment as XLA's iota: 0, 1, ... in row-major order of `reshape`, transposed by
// `permutation`.
struct IotaDevices {
  std::vector<int64_t> reshape;
  std::vector<int64_t> permutation;  // empty for none
};

struct HloSharding {
  enum class Kind : uint8_t { kReplicated, kManual, kUnknown, kUnreduced, kMaximal, kTiled, kTuple };

  Kind kind = Kind::kReplicated;
  int64_t maximal_device = 0;
  // Number of parts per dimension of the array, followed by the sizes of the last tile dimensions, which cut nothing.
  std::vector<int64_t> tile_dimensions;
  std::optional<IotaDevices> iota;
  std::vector<int64_t> devices;  // in row-major order of the tile dimensions, also of an iota
  bool last_tile_dim_replicate = false;
  std::vector<std::string> last_tile_dims;  // "replicated", "manual", "unreduced"
  std::vector<HloSharding> elements;        // of a tuple

  // Returns the number of tile dimensions that cut the array.
  size_t CutDimensions() const;
};

// Reads a sharding from its opening brace on. Errors, with the column: syntax; another number of devices than the tile
// dimensions have, more than Sharding::kMaxDevices, a device that occurs twice, or no permutation (invalid layout).
Expected<HloSharding> ReadHloSharding(TextCursor& cursor);

// Returns the canonical text, with braces.
std::string ToString(const HloSharding& sharding);

// Returns the sharding of an array with these sizes. `device_count` is the number of devices of the program, which a
// replicated sharding does not name. Errors: another rank than the sharding's (invalid layout); kUnsupported for a
// sharding that does not place elements (manual, unknown, unreduced), for that of a tuple, and for a replicated one
// without `device_count`.
Expected<Sharding> MakeSharding(const HloSharding& sharding, std::span<const int64_t> dimensions,
                                std::optional<int64_t> device_count = std::nullopt);

}  // namespace layoutcheck
