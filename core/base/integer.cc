// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/core/base/integer.h"
#include <algorithm>

namespace layoutcheck {

CheckedInt64 ProductOfSizes(std::span<const int64_t> sizes) {
  if (std::ranges::find(sizes, 0) != sizes.end()) return 0;
  CheckedInt64 product = 1;
  for (const int64_t size : sizes) product = product * size;
  return product;
}

Expected<int64_t> ValueOrOverflow(CheckedInt64 number, std::string_view what) {
  if (number.overflow) return OverflowError(what, " does not fit int64");
  return number.value;
}

}  // namespace layoutcheck
