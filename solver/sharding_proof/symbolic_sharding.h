// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sharded arrays whose sizes, mesh axes, split factors and sizes of shards may be names: f32[M,N] mesh[x=X,y=Y] P("x",
// "y").
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
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
  std::vector<std::string> names;  // in order: dimensions, axes, split factors and sizes of shards, factors
  std::set<std::string> positive;  // names of axes, split factors and sizes of shards, which are >= 1

  bool has_devices = true;  // false for {replicated}, which does not say how many devices there are

  // Text of the layout of the array of a device behind `local=`; empty if it is that of the shape.
  std::string local = {};
  std::vector<std::string> local_sizes = {};  // number of its coordinates per dimension, as formulas

  std::map<std::string, std::vector<SymbolicSize>> products = {};  // factors of the names of products

  // Returns the factors of a dimension: those of its product, or its size.
  std::vector<SymbolicSize> FactorsOf(size_t dimension) const;
  // Returns the conditions under which the array can be made, if any: names of products have their values, shards of a
  // given size have room for their dimension, as in "M <= S*8", sub-axes divide their axis, as in "X mod 4 == 0", and a
  // local layout has room for the array of a device, as in "M <= 128*X".
  std::vector<std::string> Conditions() const;
  // Returns the condition that the local layout has room for a dimension of the array of a device. Where a cut has
  // blocks, it is necessary and does not suffice. Requires a local layout.
  std::string RoomCondition(size_t dimension) const;
  // Returns the number of parts of a cut as further factors of a product, such as "*X*2".
  std::string TimesParts(const MeshCut& cut) const;
  // Returns the size of a dimension of the largest array of a device as a formula, such as "M ceildiv X", or nothing if
  // a cut has blocks.
  std::optional<std::string> LargestSize(size_t dimension) const;

  // Returns the array with this dimension alone, and the cuts of it.
  SymbolicSharding Only(size_t dimension) const;
};

// Parses a shape as ParseSymbolicLayout does, with a sharding of any notation behind it, and perhaps a local layout of
// numbers, or of strides with formulas over names. A dimension may be a product of names and numbers, such as S*H or
// 2*B, which gets a name of its own, S_H. Errors: those of ParseSymbolicLayout, ReadSharding, MakeSharding,
// LocalLayout::Parse and ReadStridedFormula, with the column; a text without a sharding (syntax); a local layout of
// another rank or without room for an array of numbers (invalid layout); an array without dimensions (unsupported); a
// name that is kept for an index, for a part or for a product (invalid argument).
Expected<SymbolicSharding> ParseSymbolicSharding(std::string_view text);

// Returns the sharding for these values of the names. Errors: those of MakeSharding.
Expected<Sharding> ShardingAt(const SymbolicSharding& sharding, const std::map<std::string, int64_t>& values);

}  // namespace layoutcheck
