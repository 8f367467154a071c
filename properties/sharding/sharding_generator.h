// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>
#include "layoutcheck/core/sharding/sharding_conversion.h"
#include "layoutcheck/properties/generate/choices.h"

namespace layoutcheck {

// The sharded arrays that a generator draws.
struct ShardingScope {
  std::vector<ShardingNotation> notations;
  int64_t max_rank = 1;  // ranks from 1
  int64_t max_size = 1;  // sizes from 0
  int64_t max_devices = 1;
  int64_t max_axes = 1;  // of a mesh; three axes have at least two devices each
  // Lists of devices are descending, and sizes do not depend on the sharding. Then an enumeration has no array twice.
  bool is_enumerated = false;
  std::vector<int64_t> sizes = {};  // that dimensions have; empty: 0 to max_size

  // Returns "HLO, JAX and DTensor".
  std::string NotationsText() const;
  // Returns one line for the verdict.
  std::string ToString() const;
};

// Returns scopes of growing size, as many as ExhaustiveLadder, without Shardy. The fourth has arrays of up to two
// dimensions with sizes to 12 over at most 8 devices, half a million in all. The last has those of up to three
// dimensions, 15 million, and the one before it those with six of these sizes, 1.6 million in all: a cut sees the size
// of one dimension only, and among the six is one that is empty, one with fewer elements than parts, and for each
// number of parts from 2 to 8 an even and an uneven one.
std::span<const ShardingScope> ShardingLadder();

// Draws an array with its sharding, as canonical text: an even or uneven one, with empty parts, replicas, transposed
// iotas, lists of devices, sub-axes and strided shards. CountedChoices draw each array of an enumerated scope.
std::string DrawShardedArray(Choices& choices, const ShardingScope& scope);

// Draws an array of up to three dimensions over at most 8 devices, in any notation.
std::string DrawShardedArray(Choices& choices);
// Returns an array with numbers for sizes, in one case of eight with a local layout of nested strides, of which no two
// elements share an offset, and which may have padding.
std::string DrawLocalLayout(Choices& choices, std::string array);
// Draws such an array and the sizes of a view, such as "[4,2,6]": dimensions are joined, split, or both.
std::pair<std::string, std::string> DrawShardedView(Choices& choices);
// Draws two shardings of one such array, half of them in one notation and over one mesh.
std::pair<std::string, std::string> DrawReshard(Choices& choices);

}  // namespace layoutcheck
