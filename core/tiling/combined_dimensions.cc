// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/core/tiling/combined_dimensions.h"

#include <numeric>

namespace layoutcheck {

std::vector<size_t> GroupCombinedDimensions(std::initializer_list<const TiledIndex*> indices) {
  const size_t rank = (*indices.begin())->program().rank;
  std::vector<size_t> parent(rank);
  std::iota(parent.begin(), parent.end(), size_t{0});
  const auto root = [&parent](size_t d) {
    while (parent[d] != d) d = parent[d] = parent[parent[d]];
    return d;
  };
  for (const TiledIndex* index : indices) {
    const TiledIndexProgram<int64_t>& program = index->program();
    // A dimension that the value depends on, or `rank` if it depends on none.
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
  std::vector<size_t> group_of_root(rank, rank);
  std::vector<size_t> groups;
  size_t count = 0;
  for (size_t d = 0; d < rank; ++d) {
    size_t& group = group_of_root[root(d)];
    if (group == rank) group = count++;
    groups.push_back(group);
  }
  return groups;
}

}  // namespace layoutcheck
