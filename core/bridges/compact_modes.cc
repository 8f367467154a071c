// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/core/bridges/compact_modes.h"

#include <algorithm>

#include "layoutcheck/core/algebra/coalesce.h"
#include "layoutcheck/core/base/str_cat.h"

namespace layoutcheck {

Expected<ShapeStrideLayout> CoalesceEachMode(const ShapeStrideLayout& layout) {
  return CoalesceByMode(layout, IntTuple::Tuple(std::vector<IntTuple>(static_cast<size_t>(Rank(layout)), IntTuple(0))));
}

Expected<void> RequireCompact(std::vector<StridedMode> leaves, const ShapeStrideLayout& layout) {
  std::ranges::stable_sort(leaves, std::ranges::less{}, &StridedMode::stride);
  CheckedInt64 end = 1;
  for (const StridedMode& leaf : leaves) {
    if (leaf.stride != end.value) {
      return MakeError(
          ErrorKind::kUnsupported,
          StrCat("the integer ", leaf.extent, ":", leaf.stride, " of ", ToString(layout), " leaves a ",
                 leaf.stride > end.value ? "gap" : "overlap", ": those of smaller stride end at ", end.value));
    }
    end = end * leaf.extent;
    if (end.overflow) {
      return MakeError(ErrorKind::kOverflow, StrCat("the size of ", ToString(layout), " does not fit int64"));
    }
  }
  return {};
}

}  // namespace layoutcheck
