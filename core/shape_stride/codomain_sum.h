// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sums of strides that may name axes of the codomain (basis strides).
#ifndef LAYOUTCHECK_CORE_SHAPE_STRIDE_CODOMAIN_SUM_H_
#define LAYOUTCHECK_CORE_SHAPE_STRIDE_CODOMAIN_SUM_H_

#include <cstdint>
#include <map>
#include <string_view>
#include <vector>

#include "layoutcheck/core/base/error.h"
#include "layoutcheck/core/base/integer.h"
#include "layoutcheck/core/shape_stride/int_tuple.h"

namespace layoutcheck {

// One number per axis of the codomain, by basis path. Ordinary strides belong to the axis with the empty path.
using CodomainSum = std::map<std::vector<int64_t>, CheckedInt64>;

// Adds a term to the sum of one axis.
inline void AddTo(CodomainSum& sum, const std::vector<int64_t>& axis, CheckedInt64 term) {
  const auto [place, inserted] = sum.try_emplace(axis, term);
  if (!inserted) place->second = place->second + term;
}

// Returns the integer or the nested coordinate that the axes name, with `added` added to every axis; a position that no
// axis names has the value `added`. Errors: overflow, named by `what`; an axis together with a part of it (invalid
// argument).
Expected<IntTuple> NestedValue(const CodomainSum& sum, int64_t added, std::string_view what);

}  // namespace layoutcheck

#endif  // LAYOUTCHECK_CORE_SHAPE_STRIDE_CODOMAIN_SUM_H_
