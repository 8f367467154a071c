// Test support: exhaustive small scopes, as nested loops would visit them.
#ifndef LAYOUTCHECK_CORE_TESTING_SMALL_SCOPES_H_
#define LAYOUTCHECK_CORE_TESTING_SMALL_SCOPES_H_

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <vector>

namespace layoutcheck {

// Calls visit for every vector of `size` entries taken from `choices`; the last entry varies fastest.
template <class Visitor>
void ForEachTuple(size_t size, const std::vector<int64_t>& choices, Visitor&& visit) {
  std::vector<size_t> picks(size, 0);
  std::vector<int64_t> entries(size, choices.front());
  while (true) {
    visit(static_cast<const std::vector<int64_t>&>(entries));
    size_t k = size;
    while (k > 0 && picks[k - 1] + 1 == choices.size()) {
      picks[k - 1] = 0;
      entries[k - 1] = choices.front();
      --k;
    }
    if (k == 0) return;
    entries[k - 1] = choices[++picks[k - 1]];
  }
}

// Every permutation of [0, size), in lexicographic order.
inline std::vector<std::vector<int64_t>> AllPermutations(size_t size) {
  std::vector<int64_t> order(size);
  std::iota(order.begin(), order.end(), 0);
  std::vector<std::vector<int64_t>> all;
  do all.push_back(order);
  while (std::next_permutation(order.begin(), order.end()));
  return all;
}

}  // namespace layoutcheck

#endif  // LAYOUTCHECK_CORE_TESTING_SMALL_SCOPES_H_
