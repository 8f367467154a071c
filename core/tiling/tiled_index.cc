// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/core/tiling/tiled_index.h"

#include "layoutcheck/core/base/str_cat.h"

namespace layoutcheck {

Expected<TiledIndex> MakeTiledIndex(const TiledLayout& layout) {
  const auto checked = TiledIndexCompiler<CheckedInt64>().Compile(ConvertTiledLayout<CheckedInt64>(layout));
  bool empty = false;
  for (const auto& digit : checked.digits) {
    if (digit.size.overflow) {
      return MakeError(ErrorKind::kOverflow, "the size of a combined dimension does not fit int64");
    }
    empty = empty || digit.size.value == 0;
  }
  // An array without elements has no index, so its strides may overflow.
  if (checked.padded_elements.overflow && !empty) {
    return MakeError(ErrorKind::kOverflow, "the padded element count does not fit int64");
  }
  return TiledIndex(ConvertProgram<int64_t>(checked, [](CheckedInt64 number) { return number.value; }));
}

Expected<TiledIndex> MakeTiledIndex(const Shape& shape) {
  const Expected<TiledLayout> layout = TiledLayoutOf(shape);
  if (!layout) return std::unexpected(layout.error());
  return MakeTiledIndex(*layout);
}

Expected<void> CheckIndex(std::span<const int64_t> index, std::span<const int64_t> dimensions) {
  if (index.size() != dimensions.size()) {
    return MakeError(ErrorKind::kInvalidArgument,
                     StrCat("expected ", dimensions.size(), " coordinates, one per dimension, found ", index.size()));
  }
  for (size_t d = 0; d < index.size(); ++d) {
    if (index[d] >= 0 && index[d] < dimensions[d]) continue;
    return MakeError(ErrorKind::kInvalidArgument,
                     StrCat("coordinate ", d, " is ", index[d], ": expected 0 <= coordinate < ", dimensions[d],
                            ", the size of the dimension"));
  }
  return {};
}

}  // namespace layoutcheck
