// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <algorithm>
#include <cstddef>
#include "layoutcheck/core/base/str_cat.h"
#include "layoutcheck/core/sharding/sharded_array.h"
#include "layoutcheck/properties/sharding/sharding_generator.h"

namespace layoutcheck {

std::string DrawLocalLayout(Choices& choices, std::string array) {
  if (choices.Choose(8) != 7) return array;
  const auto sharded = ParseSharded(array);
  std::vector<int64_t> sizes(sharded->array.shape().dimensions.size());
  for (const int64_t device : sharded->array.sharding().devices()) {
    const std::vector<int64_t> local = *sharded->array.sharding().LocalSizes(device);
    for (size_t d = 0; d < sizes.size(); ++d) sizes[d] = std::max(sizes[d], local[d]);
  }
  // The two integers of each mode, whose strides grow in a drawn order.
  std::vector<std::pair<uint64_t, size_t>> order;
  std::vector<int64_t> extents;
  for (const int64_t size : sizes) {
    const auto inner = static_cast<int64_t>(1 + choices.Choose(3));
    const auto more = static_cast<int64_t>(choices.Choose(2));
    for (const int64_t extent : {inner, std::max<int64_t>((size + inner - 1) / inner + more, 1)}) {
      order.emplace_back(choices.Choose(4), extents.size());
      extents.push_back(extent);
    }
  }
  std::ranges::stable_sort(order);
  std::vector<int64_t> strides(extents.size());
  auto next = static_cast<int64_t>(1 + choices.Choose(2));
  for (const auto& [key, k] : order) {
    strides[k] = next;
    next = next * extents[k] + static_cast<int64_t>(choices.Choose(3));
  }
  std::vector<std::string> shape;
  std::vector<std::string> stride;
  for (size_t k = 0; k < extents.size(); k += 2) {
    shape.push_back(StrCat("(", extents[k], ",", extents[k + 1], ")"));
    stride.push_back(StrCat("(", strides[k], ",", strides[k + 1], ")"));
  }
  return StrCat(array.substr(0, array.find('{')), " ", sharded->sharding.text, " local=(", StrJoin(shape, ","), "):(",
                StrJoin(stride, ","), ")");
}

}  // namespace layoutcheck
