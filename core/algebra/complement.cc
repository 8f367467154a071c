// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/core/algebra/complement.h"
#include <algorithm>
#include <vector>
#include "layoutcheck/core/shape_stride/evaluate.h"

namespace layoutcheck {
namespace {

struct Filtered {
  std::vector<StridedMode> modes;  // by increasing stride, all above 0; empty if the layout has one value
  int64_t cosize = 1;
};

Expected<Filtered> FilterAndSort(const ShapeStrideLayout& layout) {
  LAYOUTCHECK_TRY(const ShapeStrideLayout filter, Filter(layout));
  LAYOUTCHECK_TRY(const int64_t cosize, Cosize(filter));
  LAYOUTCHECK_TRY(std::vector<StridedMode> modes, FlatModes(filter));
  Filtered result{std::move(modes), cosize};
  if (result.modes.size() == 1 && result.modes[0].extent == 1) result.modes.clear();
  for (const StridedMode& mode : result.modes) {
    if (mode.stride < 0) return ArgumentError("the stride ", mode.stride, " of ", ToString(layout), " is negative");
  }
  std::ranges::stable_sort(result.modes, std::ranges::less{}, &StridedMode::stride);
  return result;
}

}  // namespace

Expected<ShapeStrideLayout> Complement(const ShapeStrideLayout& layout, const IntTuple& cotarget) {
  LAYOUTCHECK_TRY(const Filtered filtered, FilterAndSort(layout));
  for (const IntTuple& extent : Leaves(cotarget)) {
    if (extent.value() < 1) return ArgumentError("cotarget ", ToString(cotarget), ": expected sizes above 0");
  }
  const bool is_static = IsStatic(layout) && IsStatic(cotarget);
  CheckedInt64 last = 1;
  std::vector<StridedMode> modes;
  for (const StridedMode& mode : filtered.modes) {
    const int64_t gap = mode.stride / last.value;
    if (gap == 0) {
      return ArgumentError("the mode ", mode.extent, ":", mode.stride, " of ", ToString(layout),
                           " reaches into the modes of smaller stride, which end at ", last.value);
    }
    modes.push_back({gap, last.value});
    last = CheckedInt64(mode.stride) * mode.extent;
    if (last.overflow) return OverflowError("the end of the layout does not fit int64");
  }
  LAYOUTCHECK_TRY(const IntTuple rest, CeilDivShape(cotarget, last.value));
  LAYOUTCHECK_TRY(const int64_t rest_size, Product(rest));
  modes.push_back({rest_size, last.value});
  return Coalesce(LayoutOfModes(modes, is_static));
}

Expected<ShapeStrideLayout> Complement(const ShapeStrideLayout& layout) {
  LAYOUTCHECK_TRY(const Filtered filtered, FilterAndSort(layout));
  const IntTuple cosize(filtered.cosize);
  return Complement(layout, cosize.WithStatic(IsStatic(layout)));
}

Expected<bool> HasExactComplement(const ShapeStrideLayout& layout) {
  LAYOUTCHECK_TRY(const Filtered filtered, FilterAndSort(layout));
  CheckedInt64 last = 1;
  for (const StridedMode& mode : filtered.modes) {
    if (mode.stride % last.value != 0) return false;
    last = CheckedInt64(mode.stride) * mode.extent;
    if (last.overflow) return OverflowError("the end of the layout does not fit int64");
  }
  return true;
}

}  // namespace layoutcheck
