// What a divide or a product is made with: a layout, an extent, "leave this mode alone", or a tiler for each mode.
#ifndef LAYOUTCHECK_CORE_SHAPE_STRIDE_TILER_H_
#define LAYOUTCHECK_CORE_SHAPE_STRIDE_TILER_H_

#include <string>
#include <utility>
#include <vector>

#include "layoutcheck/core/shape_stride/shape_stride_layout.h"

namespace layoutcheck {

struct Tiler {
  enum class Kind {
    kLayout,  // applied to the layout as a whole
    kExtent,  // the layout n:1 (1:0 for 1), applied to the layout as a whole
    kKeep,    // `_`: the mode stays as it is
    kModes,   // one tiler for each of the first modes
  };

  static Tiler Of(ShapeStrideLayout layout) { return {Kind::kLayout, std::move(layout), {}}; }
  static Tiler Extent(int64_t extent) { return {Kind::kExtent, {extent, extent == 1 ? 0 : 1}, {}}; }
  static Tiler Keep() { return {Kind::kKeep, {}, {}}; }
  static Tiler OfModes(std::vector<Tiler> modes) { return {Kind::kModes, {}, std::move(modes)}; }

  Kind kind = Kind::kKeep;
  ShapeStrideLayout layout;  // of kLayout and kExtent
  std::vector<Tiler> modes;  // of kModes

  bool operator==(const Tiler&) const = default;
};

// "2:1", "16", "_", "<3:3;(2,4):(1,8)>"; a tuple of extents only as "(4,16)".
std::string ToString(const Tiler& tiler);

}  // namespace layoutcheck

#endif  // LAYOUTCHECK_CORE_SHAPE_STRIDE_TILER_H_
