// Every index of an array, in logical order.
#ifndef LAYOUTCHECK_PROPERTIES_MODEL_FOR_EACH_INDEX_H_
#define LAYOUTCHECK_PROPERTIES_MODEL_FOR_EACH_INDEX_H_

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
  const std::span<const int64_t> visited(index);
  if (sizes.empty()) {
    visit(visited);
    return;
  }
  // The last dimension in a loop of its own: it is where the time goes.
  const size_t last = sizes.size() - 1;
  for (;;) {
    for (index[last] = 0; index[last] < sizes[last]; ++index[last]) {
      if (!visit(visited)) return;
    }
    size_t d = last;
    while (d > 0 && ++index[d - 1] == sizes[d - 1]) index[--d] = 0;
    if (d == 0) return;
  }
}

}  // namespace layoutcheck

#endif  // LAYOUTCHECK_PROPERTIES_MODEL_FOR_EACH_INDEX_H_
