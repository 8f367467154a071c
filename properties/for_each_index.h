// Every index of an array, in logical order.
#ifndef LAYOUTCHECK_PROPERTIES_FOR_EACH_INDEX_H_
#define LAYOUTCHECK_PROPERTIES_FOR_EACH_INDEX_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace layoutcheck {

// Calls visit(index) for every index of an array of these sizes, the last dimension fastest, until it returns false.
template <class Visit>
void ForEachIndex(std::span<const int64_t> sizes, Visit visit) {
  if (std::ranges::any_of(sizes, [](int64_t size) { return size <= 0; })) return;
  std::vector<int64_t> index(sizes.size());
  for (;;) {
    if (!visit(std::span<const int64_t>(index))) return;
    size_t d = sizes.size();
    while (d > 0 && ++index[d - 1] == sizes[d - 1]) index[--d] = 0;
    if (d == 0) return;
  }
}

}  // namespace layoutcheck

#endif  // LAYOUTCHECK_PROPERTIES_FOR_EACH_INDEX_H_
