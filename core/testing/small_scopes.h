// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Test support: exhaustive small scopes in the order of nested loops.
#pragma once

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <vector>
#include "layoutcheck/core/base/index_stepper.h"

namespace layoutcheck {

// Calls visit(entries) for every vector of `size` entries taken from `choices`, the last entry fastest.
template <class Visitor>
void ForEachTuple(size_t size, const std::vector<int64_t>& choices, Visitor&& visit) {
  std::vector<int64_t> entries(size);
  ForEachIndex(std::vector<int64_t>(size, std::ssize(choices)), [&](std::span<const int64_t> picks) {
    for (size_t k = 0; k < size; ++k) entries[k] = choices[static_cast<size_t>(picks[k])];
    visit(static_cast<const std::vector<int64_t>&>(entries));
  });
}

// Returns every permutation of [0, size), in lexicographic order.
inline std::vector<std::vector<int64_t>> AllPermutations(size_t size) {
  std::vector<int64_t> order(size);
  std::iota(order.begin(), order.end(), 0);
  std::vector<std::vector<int64_t>> all;
  do all.push_back(order);
  while (std::next_permutation(order.begin(), order.end()));
  return all;
}

}  // namespace layoutcheck
