// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Permutations of dimensions in the convention of XLA's permutation_util.h: Permute(x, p)[i] == x[p[i]].
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>
#include "layoutcheck/core/base/error.h"

namespace layoutcheck {

// Checks that this is a permutation of [0, size). The error (kInvalidArgument) names the first offending entry.
Expected<void> ValidatePermutation(std::span<const int64_t> permutation, int64_t size);

// Returns the q with q[p[i]] == i. Error: p is no permutation.
Expected<std::vector<int64_t>> InversePermutation(std::span<const int64_t> permutation);

// Returns r with r[i] == p[q[i]]: Permute(x, r) == Permute(Permute(x, p), q). Error: not permutations of one size.
Expected<std::vector<int64_t>> ComposePermutations(std::span<const int64_t> p, std::span<const int64_t> q);

// Returns the items with result[i] == items[permutation[i]]. Error: not a permutation of the items' positions.
template <class Container>
Expected<std::vector<typename Container::value_type>> Permute(const Container& items,
                                                              std::span<const int64_t> permutation) {
  LAYOUTCHECK_RETURN_IF_ERROR(ValidatePermutation(permutation, static_cast<int64_t>(items.size())));
  std::vector<typename Container::value_type> result;
  result.reserve(permutation.size());
  for (const int64_t from : permutation) result.push_back(items[static_cast<size_t>(from)]);
  return result;
}

}  // namespace layoutcheck
