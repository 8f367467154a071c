// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Bases for formulas of threads beside the indices of an element: indices taken together, and parts of them.
#pragma once

#include <span>
#include <string>
#include <vector>
#include "layoutcheck/llvm/kernel/thread_synthesis.h"

namespace layoutcheck {

// Adds to the bases the indices of several dimensions taken together, such as (i2 * D + i3) or (i0 * D + i3), but not
// of all dimensions. Neighbouring dimensions come first; others are tried for a rank of at most 6. `sizes` are the
// dimensions' sizes: names that the examples have, or numbers, or empty for those that are left out.
void AddIndexRanges(std::span<const std::string> sizes, std::vector<StoreExample>& examples, ThreadParts& parts);

// Adds to the bases the indices of an array of this rank that has another shape in the code:
//   rank 2 or more   (i0 * n + i1) for each number and size n that i1 is below: rows of n elements with padding
//   rank 1           (i0 floordiv n floordiv S) and (i0 floordiv n mod S) for each size S and each n that is a number
//                    or the product of two: an array of shape [.., S, n]
void AddViews(size_t rank, std::vector<StoreExample>& examples, ThreadParts& parts);

}  // namespace layoutcheck
