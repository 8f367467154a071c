// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Shape:stride layouts of CuTe and CATLASS TLA: a nested shape, a stride per integer, and (TLA) an origin shape.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>
#include "layoutcheck/core/base/error.h"
#include "layoutcheck/core/shape_stride/int_tuple.h"
#include "layoutcheck/core/shape_stride/strided_index.h"

namespace layoutcheck {

// A map from coordinates to offsets: the sum of coordinate * stride over the integers of the shape. The fields may hold
// any values; ValidateLayout checks them.
struct ShapeStrideLayout {
  IntTuple shape = 1;
  IntTuple stride = 0;
  // TLA's origin shape: per top-level mode, the number of coordinates that hold elements; the others are padding.
  // Without it, all coordinates hold elements.
  std::optional<IntTuple> origin_shape = std::nullopt;

  // Compares all three members, but not annotations (`_`).
  bool operator==(const ShapeStrideLayout&) const = default;
};

// Returns an error that names the broken rule unless shape and stride have the same structure, extents are ordinary
// integers >= 0, basis positions are 0 to 255, and the origin shape has one integer >= 0 per top-level mode.
Expected<void> ValidateLayout(const ShapeStrideLayout& layout);

int64_t Rank(const ShapeStrideLayout& layout);
// Returns mode `index` as a layout of its own, with its part of the origin shape. Error: no such mode.
Expected<ShapeStrideLayout> Mode(const ShapeStrideLayout& layout, int64_t index);
// Returns all top-level modes, without origin shapes. Requires a valid layout.
std::vector<ShapeStrideLayout> Modes(const ShapeStrideLayout& layout);
// Returns the layout (A,B,...) with these modes at its top level, without an origin shape.
ShapeStrideLayout ConcatenateModes(const std::vector<ShapeStrideLayout>& modes);

// Returns true if the layout has no coordinate, because an extent is 0.
bool HasNoCoordinate(const ShapeStrideLayout& layout);
// Returns an error (unsupported) if a stride names an axis (@) instead of being an offset.
Expected<void> RequireOrdinaryStrides(const ShapeStrideLayout& layout);
// Returns the number of coordinates that hold elements per top-level mode: the origin shape, or without one the sizes
// of the modes. Requires a valid layout. Error: overflow.
Expected<std::vector<int64_t>> LogicalSizes(const ShapeStrideLayout& layout);
// Returns the number of coordinates, the product of the shape. Error: overflow.
Expected<int64_t> Size(const ShapeStrideLayout& layout);
// The smallest and the largest offset, both inclusive. The allocation has largest - smallest + 1 elements.
struct OffsetRange {
  int64_t smallest = 0;
  int64_t largest = 0;
};
// Returns the range of the offsets, which contains 0. Errors: no coordinate; basis strides; overflow.
Expected<OffsetRange> RangeOfOffsets(const ShapeStrideLayout& layout);

// Returns the flattened layout that strided_index.h evaluates, with one list per top-level mode. Errors: not valid;
// basis strides; an extent of 0, which cannot divide.
Expected<StridedLayout> StridedLayoutOf(const ShapeStrideLayout& layout);
// Returns all leaves as one list. Errors: not valid; basis strides; no coordinate.
Expected<std::vector<StridedMode>> FlatModes(const ShapeStrideLayout& layout);
// Returns the layout of these modes: 1:0 for no mode, the integers of a single mode, and a flat tuple for more.
ShapeStrideLayout LayoutOfModes(const std::vector<StridedMode>& modes, bool is_static = false);
bool IsStatic(const ShapeStrideLayout& layout);
// Returns the layout with every leaf annotated as static, or with none annotated.
ShapeStrideLayout WithStatic(ShapeStrideLayout layout, bool is_static);

// Returns the canonical text "((4,2),3):((1,4),8)", without the origin shape.
std::string ToString(const ShapeStrideLayout& layout);

// A layout, an extent, "leave this mode alone", or a tiler per mode.
struct Tiler {
  enum class Kind {
    kLayout,  // applied to the layout as a whole
    kExtent,  // the layout n:1 (1:0 for 1), applied to the layout as a whole
    kKeep,    // `_`: the mode stays as it is
    kModes,   // one tiler per mode, for the first modes
  };

  static Tiler Of(ShapeStrideLayout layout) { return {Kind::kLayout, std::move(layout), {}}; }
  static Tiler Extent(int64_t extent) { return {Kind::kExtent, {extent, extent == 1 ? 0 : 1}, {}}; }
  static Tiler Keep() { return {Kind::kKeep, {}, {}}; }
  static Tiler OfModes(std::vector<Tiler> modes) { return {Kind::kModes, {}, std::move(modes)}; }

  Kind kind = Kind::kKeep;
  ShapeStrideLayout layout;  // kLayout and kExtent only
  std::vector<Tiler> modes;  // kModes only

  bool operator==(const Tiler&) const = default;
};

// Returns the text of the tiler: "2:1", "16", "_", "<3:3;(2,4):(1,8)>". A tuple that consists of extents is "(4,16)".
std::string ToString(const Tiler& tiler);

}  // namespace layoutcheck
