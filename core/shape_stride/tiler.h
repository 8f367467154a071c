// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tilers: the right operands of divides and products.
#pragma once

#include <string>
#include <utility>
#include <vector>
#include "layoutcheck/core/shape_stride/shape_stride_layout.h"

namespace layoutcheck {

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
