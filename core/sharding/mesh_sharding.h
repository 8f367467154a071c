// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Shardings over a mesh of devices with axes: the common form of Shardy's, JAX's, DTensor's and tt-metal's notations.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>
#include "layoutcheck/core/base/error.h"
#include "layoutcheck/core/base/symbolic_size.h"
#include "layoutcheck/core/sharding/sharding.h"

namespace layoutcheck {

struct MeshAxis {
  std::string name;  // empty if the notation has none
  SymbolicSize size;
};

// An axis of a mesh, or a part of one: its coordinate divided by (axis size / (pre * size)), modulo `size`. Source:
// Shardy's sub-axes, "axis":(pre)size.
struct AxisPart {
  size_t axis = 0;
  bool is_whole = true;
  int64_t pre = 1;   // product of the sizes of the sub-axes that are more major; of a part
  int64_t size = 1;  // size of a part
};

// A cut among the devices along some axes, major to minor.
struct MeshCut {
  int64_t dimension = 0;
  std::vector<AxisPart> axes;
  SymbolicSize blocks{{}, 1};                         // DimensionCut::blocks
  std::optional<SymbolicSize> length = std::nullopt;  // DimensionCut::length
};

struct MeshSharding {
  std::vector<MeshAxis> axes;       // major to minor in the numbers of the devices
  std::vector<int64_t> device_ids;  // device at each position of the mesh; empty for 0, 1, 2, ...
  std::vector<MeshCut> cuts;
  std::vector<AxisPart> replicated;  // parts that cut nothing, explicitly so
  ShardSizes sizes = ShardSizes::kPadded;
};

// Returns the cuts of an array with these sizes. convert(size) returns the Int for a SymbolicSize.
template <class Int, class Convert>
ShardCuts<Int> CutsOf(const MeshSharding& mesh, std::vector<Int> dimensions, const Convert& convert) {
  ShardCuts<Int> result{std::move(dimensions), {}};
  for (const MeshCut& cut : mesh.cuts) {
    Int parts = Int(1);
    for (const AxisPart& part : cut.axes) {
      parts = parts * (part.is_whole ? convert(mesh.axes[part.axis].size) : Int(part.size));
    }
    result.cuts.push_back({cut.dimension, parts, convert(cut.blocks)});
    if (cut.length) result.cuts.back().length = convert(*cut.length);
  }
  return result;
}

// Returns the sharding of an array with these sizes. Errors (invalid layout): an axis without a number as its size; an
// axis or a part of one that is used twice, a part that does not divide its axis; those of Sharding::Create.
Expected<Sharding> MakeSharding(const MeshSharding& mesh, std::span<const int64_t> dimensions);

}  // namespace layoutcheck
