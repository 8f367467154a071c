// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/core/xla_util/reshape_factors.h"
#include <algorithm>
#include <cstddef>
#include "layoutcheck/core/base/integer.h"
#include "layoutcheck/core/base/str_cat.h"

namespace layoutcheck {
namespace {

Expected<int64_t> Product(std::span<const int64_t> sizes) {
  return ValueOrOverflow(ProductOfSizes(sizes), "the number of elements");
}

}  // namespace

Expected<std::vector<DimensionPair>> CommonFactors(std::span<const int64_t> a, std::span<const int64_t> b) {
  for (const auto sizes : {a, b}) {
    if (std::ranges::any_of(sizes, [](int64_t size) { return size < 0; })) {
      return MakeError(ErrorKind::kInvalidArgument,
                       StrCat("the sizes [", StrJoin(sizes, ","), "] contain a negative one"));
    }
  }
  const auto product_a = Product(a);
  if (!product_a) return std::unexpected(product_a.error());
  const auto product_b = Product(b);
  if (!product_b) return std::unexpected(product_b.error());
  if (*product_a != *product_b) {
    return MakeError(ErrorKind::kInvalidArgument,
                     StrCat("[", StrJoin(a, ","), "] and [", StrJoin(b, ","), "] have ", *product_a, " and ",
                            *product_b, " elements, expected the same number"));
  }
  const DimensionPair end{static_cast<int64_t>(a.size()), static_cast<int64_t>(b.size())};
  std::vector<DimensionPair> cuts = {{0, 0}};
  size_t i = 0;
  size_t j = 0;
  const auto cut_here = [&] { cuts.emplace_back(static_cast<int64_t>(i), static_cast<int64_t>(j)); };
  if (*product_a == 0) {
    // Products of 0 say nothing, so sizes up to the last 0 are cut apart only where they are equal.
    while (i < a.size() && j < b.size() && a[i] == b[j]) {
      ++i;
      ++j;
      cut_here();
    }
    const auto rest_a = Product(a.subspan(i));
    const auto rest_b = Product(b.subspan(j));
    if (!rest_a || !rest_b || *rest_a != *rest_b) return std::vector<DimensionPair>{{0, 0}, end};
    if (*rest_a == 0) {
      if (cuts.back() != end) cuts.push_back(end);
      return cuts;
    }
  }
  // The remaining sizes are >= 1 and have equal products. The list with the smaller product so far takes its next size;
  // at equal products, the list with the smaller next size does, or both do.
  int64_t size_a = 1;
  int64_t size_b = 1;
  while (i < a.size() || j < b.size()) {
    const bool level = size_a == size_b;
    const bool take_a = level ? i < a.size() && (j == b.size() || a[i] <= b[j]) : size_a < size_b;
    const bool take_b = level ? j < b.size() && (i == a.size() || b[j] <= a[i]) : size_b < size_a;
    if (take_a) size_a *= a[i++];
    if (take_b) size_b *= b[j++];
    if (size_a == size_b) cut_here();
  }
  return cuts;
}

}  // namespace layoutcheck
