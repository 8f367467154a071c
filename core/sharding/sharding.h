// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Shardings: which devices hold an element of an array, and where it is in the part of each. Sources: XLA's tile
// assignments, where each dimension is cut once; DTensor's placements, which are applied one after another; tt-metal's
// shards of a given shape.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>
#include "layoutcheck/core/base/error.h"
#include "layoutcheck/core/sharding/dimension_cut.h"

namespace layoutcheck {

// The steps that cut an array, in the order in which they apply. Later steps cut what earlier ones have left of a
// dimension. Int is int64_t, or a symbolic integer if sizes are names.
template <class Int>
struct ShardCuts {
  std::vector<Int> dimensions;  // sizes of the whole array, in elements
  std::vector<DimensionCut<Int>> cuts;
};

// The place of an element among the parts.
template <class Int>
struct ShardPlace {
  std::vector<Int> parts;       // part of each cut
  std::vector<Int> coordinate;  // coordinate in the array that is left after the cuts
};

// Returns the sizes of what the cuts leave for these parts, one per dimension.
template <class Int>
std::vector<Int> SizesOfShard(const ShardCuts<Int>& cuts, std::span<const Int> parts) {
  std::vector<Int> sizes = cuts.dimensions;
  for (size_t k = 0; k < cuts.cuts.size(); ++k) {
    Int& size = sizes[static_cast<size_t>(cuts.cuts[k].dimension)];
    size = SizeOfPart(size, cuts.cuts[k], parts[k]);
  }
  return sizes;
}

// Returns the sizes of an array that has room for any part, one per dimension. Requires cuts without blocks.
template <class Int>
std::vector<Int> SizesOfLargestShard(const ShardCuts<Int>& cuts) {
  std::vector<Int> sizes = cuts.dimensions;
  for (const DimensionCut<Int>& cut : cuts.cuts) {
    Int& size = sizes[static_cast<size_t>(cut.dimension)];
    size = LengthOfParts(size, cut);
  }
  return sizes;
}

// Returns the place of an element. Requires a coordinate within the dimensions.
template <class Int>
ShardPlace<Int> PlaceOf(const ShardCuts<Int>& cuts, std::span<const Int> coordinate) {
  ShardPlace<Int> place{{}, {coordinate.begin(), coordinate.end()}};
  std::vector<Int> sizes = cuts.dimensions;
  for (const DimensionCut<Int>& cut : cuts.cuts) {
    const auto d = static_cast<size_t>(cut.dimension);
    PartPlace<Int> in_part = PlaceInPart(sizes[d], cut, place.coordinate[d]);
    sizes[d] = SizeOfPart(sizes[d], cut, in_part.part);
    place.coordinate[d] = std::move(in_part.index);
    place.parts.push_back(std::move(in_part.part));
  }
  return place;
}

// Returns the coordinate of the element at a place: the inverse of PlaceOf. Requires parts of the cuts, and a
// coordinate within SizesOfShard.
template <class Int>
std::vector<Int> CoordinateOfPlace(const ShardCuts<Int>& cuts, const ShardPlace<Int>& place) {
  std::vector<Int> sizes = cuts.dimensions;
  std::vector<Int> size_before;  // size that each cut cuts
  for (size_t k = 0; k < cuts.cuts.size(); ++k) {
    Int& size = sizes[static_cast<size_t>(cuts.cuts[k].dimension)];
    size_before.push_back(size);
    size = SizeOfPart(size, cuts.cuts[k], place.parts[k]);
  }
  std::vector<Int> coordinate = place.coordinate;
  for (size_t k = cuts.cuts.size(); k-- > 0;) {
    Int& index = coordinate[static_cast<size_t>(cuts.cuts[k].dimension)];
    index = IndexOfPlace(size_before[k], cuts.cuts[k], {place.parts[k], index});
  }
  return coordinate;
}

// The size of a device's array where the parts have different sizes.
enum class ShardSizes : uint8_t {
  kPadded,  // equally large, with padding behind the last elements; without blocks (XLA, Shardy, JAX, tt-metal)
  kExact,   // as large as its part (DTensor)
};

// Consecutive indices of a dimension.
struct IndexRange {
  int64_t begin = 0;
  int64_t end = 0;

  bool operator==(const IndexRange&) const = default;
};

// A sharding over numbered devices.
class Sharding {
 public:
  static constexpr int64_t kMaxSize = int64_t{1} << 62;
  static constexpr int64_t kMaxDevices = int64_t{1} << 17;
  static constexpr int64_t kMaxBlocks = int64_t{1} << 16;  // product over all cuts

  // `devices` has the devices of each combination of parts, in row-major order of the parts, `replicas` of them one
  // after another. Errors (invalid layout): a size or a number of devices or blocks beyond these limits; a cut of a
  // dimension that is not there, or into less than one part or block; a length that is less than 1, that is too small
  // for the dimension, or of one of several cuts or blocks; another number of devices than parts times replicas; a
  // device that is negative or occurs twice; a padded sharding with blocks, or an exact one with a length.
  static Expected<Sharding> Create(ShardCuts<int64_t> cuts, int64_t replicas, std::vector<int64_t> devices,
                                   ShardSizes sizes);

  const ShardCuts<int64_t>& cuts() const { return cuts_; }
  int64_t replicas() const { return replicas_; }
  ShardSizes sizes() const { return sizes_; }
  // Returns the devices in ascending order.
  const std::vector<int64_t>& devices() const { return sorted_devices_; }
  // Returns the devices as Create took them: replica r of part p is at position p * replicas() + r.
  const std::vector<int64_t>& devices_by_part() const { return devices_; }
  // Returns the device's position in devices_by_part(), or nothing for a device that is none of devices().
  std::optional<int64_t> PositionOf(int64_t device) const;

  // Returns the devices that hold the element, in ascending order. Requires a coordinate within the dimensions.
  std::vector<int64_t> DevicesOf(std::span<const int64_t> coordinate) const;
  // Returns the coordinate of the element in the array of each of these devices.
  std::vector<int64_t> LocalCoordinate(std::span<const int64_t> coordinate) const;
  // Returns the coordinate of the element at a local coordinate of a device, or nothing for padding. Requires one of
  // devices(), and a coordinate within LocalSizes().
  std::optional<std::vector<int64_t>> GlobalCoordinate(int64_t device, std::span<const int64_t> local) const;

  // Returns the sizes of the device's array, with its padding, or nothing for a device that is none of devices().
  std::optional<std::vector<int64_t>> LocalSizes(int64_t device) const;
  // Returns the ascending ranges of indices that the device holds, of each dimension; its elements are all
  // combinations of them. Returns nothing for a device that is none of devices().
  std::optional<std::vector<std::vector<IndexRange>>> RangesOf(int64_t device) const;

 private:
  Sharding() = default;

  // Returns the part of each cut that the device has, or nothing.
  std::optional<std::vector<int64_t>> PartsOf(int64_t device) const;

  ShardCuts<int64_t> cuts_;
  int64_t replicas_ = 1;
  ShardSizes sizes_ = ShardSizes::kPadded;
  std::vector<int64_t> devices_;
  std::vector<int64_t> sorted_devices_;
  std::vector<std::pair<int64_t, int64_t>> numbers_;  // device and its position in devices_, sorted
};

}  // namespace layoutcheck
