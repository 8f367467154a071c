// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/core/xla_util/permutation.h"
#include "layoutcheck/core/base/str_cat.h"

namespace layoutcheck {

Expected<void> ValidatePermutation(std::span<const int64_t> permutation, int64_t size) {
  if (static_cast<int64_t>(permutation.size()) != size) {
    return ArgumentError("the permutation {", StrJoin(permutation, ","), "} has ", permutation.size(),
                         " entries, expected ", size);
  }
  std::vector<bool> seen(permutation.size(), false);
  for (size_t i = 0; i < permutation.size(); ++i) {
    const int64_t entry = permutation[i];
    if (entry < 0 || entry >= size) {
      return ArgumentError("entry ", i, " of the permutation {", StrJoin(permutation, ","), "} is ", entry,
                           ", expected a number in [0,", size, ")");
    }
    if (seen[static_cast<size_t>(entry)]) {
      return ArgumentError("the permutation {", StrJoin(permutation, ","), "} contains ", entry, " twice");
    }
    seen[static_cast<size_t>(entry)] = true;
  }
  return {};
}

Expected<std::vector<int64_t>> InversePermutation(std::span<const int64_t> permutation) {
  LAYOUTCHECK_RETURN_IF_ERROR(ValidatePermutation(permutation, static_cast<int64_t>(permutation.size())));
  std::vector<int64_t> inverse(permutation.size());
  for (size_t i = 0; i < permutation.size(); ++i) {
    inverse[static_cast<size_t>(permutation[i])] = static_cast<int64_t>(i);
  }
  return inverse;
}

Expected<std::vector<int64_t>> ComposePermutations(std::span<const int64_t> p, std::span<const int64_t> q) {
  LAYOUTCHECK_RETURN_IF_ERROR(ValidatePermutation(p, static_cast<int64_t>(p.size())));
  return Permute(p, q);
}

}  // namespace layoutcheck
