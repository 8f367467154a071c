#include "layoutcheck/core/tiling/tiled_index.h"

#include <algorithm>

#include "layoutcheck/core/base/str_cat.h"

namespace layoutcheck {

Expected<TiledIndex> MakeTiledIndex(const TiledLayout& layout) {
  const BasicTiledIndex<CheckedInt64> checked(ConvertTiledLayout<CheckedInt64>(layout));
  const std::vector<CheckedInt64> sizes = checked.expanded_sizes();
  for (const CheckedInt64 size : sizes) {
    if (size.overflow) return MakeError(ErrorKind::kOverflow, "the size of a combined dimension does not fit int64");
  }
  // An array without elements has no index, so its strides are of no account.
  const bool empty = std::ranges::any_of(sizes, [](CheckedInt64 size) { return size.value == 0; });
  if (checked.padded_elements().overflow && !empty) {
    return MakeError(ErrorKind::kOverflow, "the padded element count does not fit int64");
  }
  return TiledIndex(checked, [](CheckedInt64 number) { return number.value; });
}

Expected<TiledIndex> MakeTiledIndex(const Shape& shape) {
  const Expected<TiledLayout> layout = TiledLayoutOf(shape);
  if (!layout) return std::unexpected(layout.error());
  return MakeTiledIndex(*layout);
}

Expected<void> CheckIndex(std::span<const int64_t> index, std::span<const int64_t> dimensions) {
  if (index.size() != dimensions.size()) {
    return MakeError(ErrorKind::kInvalidArgument,
                     StrCat("expected ", dimensions.size(), " coordinates, one a dimension, found ", index.size()));
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
