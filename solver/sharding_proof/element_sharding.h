// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The place of one element of a sharded array or of a view of it, as functions of the index of the element.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <vector>
#include "layoutcheck/core/base/str_cat.h"
#include "layoutcheck/core/sharding/mesh_sharding.h"
#include "layoutcheck/core/sharding/sharding.h"
#include "layoutcheck/solver/sharding_proof/shard_question.h"
#include "layoutcheck/solver/sharding_proof/symbolic_sharding.h"

namespace layoutcheck {

// The most devices that a mesh may list in questions about the numbers of devices: each is a case of the proof.
inline constexpr size_t kMaxListedDevices = 64;

// A cut along an axis: its number among the cuts of its dimension, and the number of the axis among its axes.
struct AxisUse {
  const MeshCut* cut;
  size_t number;
  size_t axis;
};

// Returns the uses of the axis: none if every device along it holds the same elements, several of parts of it.
inline std::vector<AxisUse> UsesOf(const MeshSharding& mesh, size_t axis) {
  std::map<int64_t, size_t> cuts;  // number of cuts so far, by dimension
  std::vector<AxisUse> uses;
  for (const MeshCut& cut : mesh.cuts) {
    const size_t number = cuts[cut.dimension]++;
    for (size_t k = 0; k < cut.axes.size(); ++k) {
      if (cut.axes[k].axis == axis) uses.push_back({&cut, number, k});
    }
  }
  return uses;
}

// The dimensions [first, last) of a view that are made of others. Those in front of them and behind them keep their
// sizes.
struct ViewedDimensions {
  size_t first = 0;
  size_t last = 0;
  std::vector<SymbolicSize> view_of;  // sizes of the array of which it is a view; empty for no view
};

// One of two shardings of the same elements, as functions of the index i0, i1, ... of an element of the array before.
struct ElementSharding {
  SymbolicSharding sharding;
  ViewedDimensions viewed;  // if this array is a view of the one before

  size_t rank() const { return sharding.dimensions.size(); }

  // Returns the index of the element in a dimension.
  template <class Int>
  Int Index(size_t dimension, const ShardArguments<Int>& at) const {
    const std::vector<SymbolicSize>& before = viewed.view_of;
    if (before.empty() || dimension < viewed.first) return at(StrCat("i", dimension));
    if (dimension >= viewed.last) return at(StrCat("i", dimension + before.size() - rank()));
    Int number = at(SymbolicSize{{}, 0});  // in row-major order
    for (size_t d = viewed.first; d + rank() < viewed.last + before.size(); ++d) {
      number = number * at(before[d]) + at(StrCat("i", d));
    }
    for (size_t d = viewed.last - 1; d > dimension; --d) number = FloorDiv(number, at(sharding.dimensions[d]));
    return dimension == viewed.first ? number : Mod(number, at(sharding.dimensions[dimension]));
  }

  template <class Int>
  ShardPlace<Int> PlaceIn(size_t dimension, const ShardArguments<Int>& at) const {
    return PlaceOf<Int>(at.CutsOf(sharding.Only(dimension)), std::vector<Int>{Index(dimension, at)});
  }

  // Returns the size of the array of a device that holds the element.
  template <class Int>
  Int LocalSize(size_t dimension, const ShardArguments<Int>& at) const {
    const ShardCuts<Int> cuts = at.CutsOf(sharding.Only(dimension));
    if (sharding.mesh.sizes == ShardSizes::kPadded) return SizesOfLargestShard(cuts)[0];
    return SizesOfShard<Int>(cuts, PlaceIn(dimension, at).parts)[0];
  }

  // Returns the row-major number of the element in the dimensions [first, last) of the array of a device.
  template <class Int>
  Int LocalNumber(size_t first, size_t last, const ShardArguments<Int>& at) const {
    Int number = at(SymbolicSize{{}, 0});
    for (size_t d = first; d < last; ++d) number = number * LocalSize(d, at) + PlaceIn(d, at).coordinate[0];
    return number;
  }

  // Returns the coordinate of the devices that hold the element along the axis, or the part of one, of this use.
  template <class Int>
  Int CoordinateAlong(const AxisUse& use, const ShardArguments<Int>& at) const {
    const auto size_of = [&](const AxisPart& part) {
      return part.is_whole ? at(sharding.mesh.axes[part.axis].size) : at(SymbolicSize{{}, part.size});
    };
    Int part = PlaceIn(static_cast<size_t>(use.cut->dimension), at).parts[use.number];
    Int minor = at(SymbolicSize{{}, 1});
    for (size_t k = use.axis + 1; k < use.cut->axes.size(); ++k) minor = minor * size_of(use.cut->axes[k]);
    part = FloorDiv(part, minor);
    return use.axis == 0 ? part : Mod(part, size_of(use.cut->axes[use.axis]));
  }

  // Returns the number of the device at a position of the mesh.
  template <class Int>
  Int DeviceAt(const Int& position, const ShardArguments<Int>& at) const {
    const std::vector<int64_t>& devices = sharding.mesh.device_ids;
    if (devices.empty()) return position;
    size_t first = 0;
    for (size_t last = devices.size() - 1; first < last;) {
      const size_t middle = (first + last) / 2;
      if (position <= at(SymbolicSize{{}, static_cast<int64_t>(middle)})) {
        last = middle;
      } else {
        first = middle + 1;
      }
    }
    return at(SymbolicSize{{}, devices[first]});
  }

  // Returns the position of a device in the mesh, or nothing for one that the mesh does not list.
  template <class Int>
  std::optional<Int> PositionOf(const Int& device, const ShardArguments<Int>& at) const {
    const std::vector<int64_t>& devices = sharding.mesh.device_ids;
    if (devices.empty()) return device;
    for (size_t k = 0; k < devices.size(); ++k) {
      if (device == at(SymbolicSize{{}, devices[k]})) return at(SymbolicSize{{}, static_cast<int64_t>(k)});
    }
    return std::nullopt;
  }

  // Returns true if the device with this number holds the element.
  template <class Int>
  bool IsOn(const Int& device, const ShardArguments<Int>& at) const {
    const std::optional<Int> position = PositionOf(device, at);
    if (!position) return false;
    Int stride = at(SymbolicSize{{}, 1});
    for (size_t axis = sharding.mesh.axes.size(); axis-- > 0;) {
      const Int size = at(sharding.mesh.axes[axis].size);
      const Int along = axis == 0 ? FloorDiv(*position, stride) : Mod(FloorDiv(*position, stride), size);
      for (const AxisUse& use : UsesOf(sharding.mesh, axis)) {
        const AxisPart& part = use.cut->axes[use.axis];
        Int digit = along;
        if (!part.is_whole) {
          const Int below = FloorDiv(size, at(SymbolicSize{{}, part.pre * part.size}));
          digit = Mod(FloorDiv(along, below), at(SymbolicSize{{}, part.size}));
        }
        if (!(digit == CoordinateAlong(use, at))) return false;
      }
      stride = stride * size;
    }
    return true;
  }

  // Returns true if each element is on one device, whose coordinates along all axes of the mesh say which part it has.
  bool HasOneDevicePerElement() const {
    const std::vector<MeshAxis>& axes = sharding.mesh.axes;
    for (size_t axis = 0; axis < axes.size(); ++axis) {
      const std::vector<AxisUse> uses = UsesOf(sharding.mesh, axis);
      const bool is_one = axes[axis].size.name.empty() && axes[axis].size.value == 1;
      if (uses.empty() ? !is_one : !uses[0].cut->axes[uses[0].axis].is_whole) return false;
    }
    return true;
  }

  // Returns the number of the device that holds the element. Requires HasOneDevicePerElement().
  template <class Int>
  Int DeviceNumber(const ShardArguments<Int>& at) const {
    Int number = at(SymbolicSize{{}, 0});
    for (size_t axis = 0; axis < sharding.mesh.axes.size(); ++axis) {
      const std::vector<AxisUse> uses = UsesOf(sharding.mesh, axis);
      number = number * at(sharding.mesh.axes[axis].size);
      if (!uses.empty()) number = number + CoordinateAlong(uses[0], at);
    }
    return DeviceAt(number, at);
  }

  // Returns the number of devices.
  template <class Int>
  Int DeviceCount(const ShardArguments<Int>& at) const {
    Int count = at(SymbolicSize{{}, 1});
    for (const MeshAxis& axis : sharding.mesh.axes) count = count * at(axis.size);
    return count;
  }
};

}  // namespace layoutcheck
