// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Visits every index of an array whose rank is known only when the program runs.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <type_traits>
#include <vector>

namespace layoutcheck {

// Steps `index` to the next index of the box in row-major order (the last dimension fastest). Returns false after the
// last one and resets `index` to zeros. Requires one entry per size and 0 <= index[d] < sizes[d].
inline bool NextIndex(std::span<int64_t> index, std::span<const int64_t> sizes) {
  for (size_t d = index.size(); d-- > 0;) {
    if (++index[d] < sizes[d]) return true;
    index[d] = 0;
  }
  return false;
}

// Calls visit(index) with a span for every index of the box: once for rank 0, never if a size is 0. A visitor that
// returns bool ends the visit by returning false.
template <class Visit>
void ForEachIndex(std::span<const int64_t> sizes, Visit&& visit) {
  if (std::ranges::any_of(sizes, [](int64_t size) { return size <= 0; })) return;
  std::vector<int64_t> index(sizes.size(), 0);
  const std::span<const int64_t> visited(index);
  const auto continues = [&] {
    if constexpr (std::is_same_v<decltype(visit(visited)), bool>) {
      return visit(visited);
    } else {
      visit(visited);
      return true;
    }
  };
  if (sizes.empty()) return static_cast<void>(continues());
  // The last dimension has a loop of its own, because most of the time is spent there.
  int64_t& last = index.back();
  do {
    for (; last < sizes.back(); ++last) {
      if (!continues()) return;
    }
    last = 0;
  } while (NextIndex(std::span(index).first(index.size() - 1), sizes));
}

}  // namespace layoutcheck
