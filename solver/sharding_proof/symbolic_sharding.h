// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sharded arrays whose sizes, mesh axes, split factors and sizes of shards may be names: f32[M,N] mesh[x=X,y=Y] P("x",
// "y").
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>
#include "layoutcheck/core/base/error.h"
#include "layoutcheck/core/base/symbolic_size.h"
#include "layoutcheck/core/sharding/mesh_sharding.h"
#include "layoutcheck/core/sharding/sharding.h"

namespace layoutcheck {

// A sharding as one over a mesh. The mesh of an HLO tile assignment has one axis per tile dimension.
struct SymbolicSharding {
  std::string text;        // as it was given
  std::string shape_text;  // the shape before the sharding
  std::vector<SymbolicSize> dimensions;
  MeshSharding mesh;
  std::vector<std::string> names;  // in order: dimensions, axes, split factors and sizes of shards
  std::set<std::string> positive;  // names of axes, split factors and sizes of shards, which are >= 1

  bool has_devices = true;  // false for {replicated}, which does not say how many devices there are

  // Returns the conditions under which the array can be made, if any: shards of a given size have room for their
  // dimension, as in "M <= S*8", and sub-axes divide their axis, as in "X mod 4 == 0".
  std::vector<std::string> Conditions() const;

  // Returns the array with this dimension alone, and the cuts of it.
  SymbolicSharding Only(size_t dimension) const;
};

// Parses a shape as ParseSymbolicLayout does, with a sharding of any notation behind it. Errors: those of
// ParseSymbolicLayout, ReadSharding and MakeSharding, with the column; a text without a sharding (syntax); an array
// without dimensions (unsupported); a name that is kept for an index or for a part (invalid argument).
Expected<SymbolicSharding> ParseSymbolicSharding(std::string_view text);

// Returns the sharding for these values of the names. Errors: those of MakeSharding.
Expected<Sharding> ShardingAt(const SymbolicSharding& sharding, const std::map<std::string, int64_t>& values);

}  // namespace layoutcheck
