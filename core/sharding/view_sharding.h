// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Views of sharded arrays: other sizes for the same elements in row-major order, and other orders of the dimensions. A
// view is free if each device holds the same elements before and after it, at the same offsets of its array if that is
// row major. The definition that has no formula is AreSameMemories in shard_arrays.h.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include "layoutcheck/core/base/error.h"
#include "layoutcheck/core/sharding/sharding.h"
#include "layoutcheck/core/sharding/sharding_text.h"

namespace layoutcheck {

// Returns the sharding of a view with these sizes that makes it free. Each cut of the array is a cut of the view into
// the same parts, or several cuts whose parts together are these, as the parts of [6] are those of [2,3]. Errors:
// another number of elements (invalid argument); shards of a given shape, and no such sharding, with the cut that has
// none (unsupported). A sharding may be missed if a cut cuts parts of different sizes, has more parts than a block has
// elements, or a last block that is shorter.
Expected<Sharding> ShardingOfView(const Sharding& sharding, std::span<const int64_t> sizes);

// Returns the same sharding as text: for one of DTensor, placements over its mesh, otherwise HLO. `sharding` is what
// MakeSharding makes of `text`. Errors: those of ShardingOfView and ConvertSharding, also for more blocks than a
// sharding may have; an axis of a mesh of DTensor whose parts are those of several dimensions (unsupported).
Expected<std::string> TextOfView(const ShardingText& text, const Sharding& sharding, std::span<const int64_t> sizes);

// Returns the sharding of the array whose dimension d is dimension permutation[d]. No element changes devices. Error
// (invalid argument): no permutation of the dimensions.
Expected<Sharding> ShardingOfTranspose(const Sharding& sharding, std::span<const int64_t> permutation);

}  // namespace layoutcheck
