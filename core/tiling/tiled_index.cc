// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/core/tiling/tiled_index.h"
#include <numeric>

namespace layoutcheck {

Expected<TiledIndex> MakeTiledIndex(const TiledLayout& layout) {
  const auto checked = TiledIndexCompiler<CheckedInt64>().Compile(ConvertTiledLayout<CheckedInt64>(layout));
  bool empty = false;
  for (const auto& digit : checked.digits) {
    if (digit.size.overflow) return OverflowError("the size of a combined dimension does not fit int64");
    empty = empty || digit.size.value == 0;
  }
  // An array without elements has no index, so its strides may overflow.
  if (checked.padded_elements.overflow && !empty) return OverflowError("the padded element count does not fit int64");
  return TiledIndex(ConvertProgram<int64_t>(checked, [](CheckedInt64 number) { return number.value; }));
}

Expected<TiledIndex> MakeTiledIndex(const Shape& shape) {
  LAYOUTCHECK_TRY(const TiledLayout layout, TiledLayoutOf(shape));
  return MakeTiledIndex(layout);
}

std::vector<std::vector<size_t>> GroupCombinedDimensions(std::initializer_list<const TiledIndex*> indices,
                                                         std::span<const int64_t> minor_to_major) {
  const size_t rank = minor_to_major.size();
  std::vector<size_t> parent(rank);
  std::iota(parent.begin(), parent.end(), size_t{0});
  const auto root = [&parent](size_t d) {
    while (parent[d] != d) d = parent[d] = parent[parent[d]];
    return d;
  };
  for (const TiledIndex* index : indices) {
    const TiledIndexProgram<int64_t>& program = index->program();
    // dimension_of[value] is a dimension that the value depends on, or `rank` if it depends on none.
    std::vector<size_t> dimension_of(program.value_count, rank);
    std::iota(dimension_of.begin(), dimension_of.begin() + static_cast<std::ptrdiff_t>(rank), size_t{0});
    for (const auto& step : program.steps) {
      const size_t a = dimension_of[step.a];
      dimension_of[step.result] = a;
      if (!step.combine) {
        dimension_of[step.result + 1] = a;
        continue;
      }
      const size_t b = dimension_of[step.b];
      if (a == rank) dimension_of[step.result] = b;
      if (a != rank && b != rank) parent[root(a)] = root(b);
    }
  }
  std::vector<std::vector<size_t>> groups;
  std::vector<size_t> group_of_root(rank, rank);
  for (size_t p = rank; p-- > 0;) {
    const auto d = static_cast<size_t>(minor_to_major[p]);
    size_t& group = group_of_root[root(d)];
    if (group == rank) {
      group = groups.size();
      groups.emplace_back();
    }
    groups[group].push_back(d);
  }
  return groups;
}

Expected<void> CheckIndex(std::span<const int64_t> index, std::span<const int64_t> dimensions) {
  if (index.size() != dimensions.size()) {
    return ArgumentError("expected ", dimensions.size(), " coordinates, one per dimension, found ", index.size());
  }
  for (size_t d = 0; d < index.size(); ++d) {
    if (index[d] >= 0 && index[d] < dimensions[d]) continue;
    return ArgumentError("coordinate ", d, " is ", index[d], ": expected 0 <= coordinate < ", dimensions[d],
                         ", the size of the dimension");
  }
  return {};
}

}  // namespace layoutcheck
