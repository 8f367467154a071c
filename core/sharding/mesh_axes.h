// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Meshes behind shardings, for conversions between notations: the axes along which numbers of devices count, and
// meshes whose axes are whole.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>
#include "layoutcheck/core/base/error.h"
#include "layoutcheck/core/sharding/mesh_sharding.h"
#include "layoutcheck/core/sharding/sharding.h"

namespace layoutcheck {

// A digit of a mixed-radix number: it counts from 0 to size - 1, in steps of `stride`.
struct DeviceDigit {
  int64_t size = 1;
  int64_t stride = 1;
};

// Returns the digits, major to minor, whose sum is the list: element i is the sum of the digits of i, each times its
// stride. Neighboring digits that count on are one. Returns nothing for a list that is no such sum.
std::optional<std::vector<DeviceDigit>> DigitsOf(std::span<const int64_t> devices);

// Returns the numbers of the digits by falling stride, or nothing unless the digits give each of 0, 1, 2, ... once.
std::optional<std::vector<size_t>> ByFallingStride(const std::vector<DeviceDigit>& digits);

// Returns the devices of each part, with those of a part in ascending order.
std::vector<int64_t> DevicesWithSortedReplicas(const Sharding& sharding);

// Returns a mesh with as few axes as there can be, without names, on which each cut of the sharding takes whole axes,
// or nothing if the numbers of the devices count along no such axes. Requires cuts with one block each.
std::optional<MeshSharding> FindMesh(const Sharding& sharding);

// Returns a sharding with at most one cut per dimension, of one block each. Devices hold the same elements as before if
// each cut divides its dimension evenly. Requires numbers as sizes. Error (unsupported): a split factor that is no
// product of the axes that cut the dimension later.
Expected<MeshSharding> WithOneCutPerDimension(const MeshSharding& mesh);

// Returns the same sharding with an axis for each part of an axis. Requires numbers as sizes, and parts that
// MakeSharding accepts.
MeshSharding WithWholeAxes(const MeshSharding& mesh);

}  // namespace layoutcheck
