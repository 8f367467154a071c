// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/core/shape_stride/codomain_sum.h"

#include <span>
#include <utility>

namespace layoutcheck {
namespace {

// Builds the nested value of axes whose paths have the first `depth` positions in common. `axes` is sorted by path;
// positions that no axis names get the value `other`.
Expected<IntTuple> BuildNested(std::span<const std::pair<std::vector<int64_t>, int64_t>> axes, size_t depth,
                               int64_t other) {
  // The axes are sorted by path, so a path that ends here comes first.
  if (axes.front().first.size() == depth) {
    if (axes.size() > 1) {
      return MakeError(ErrorKind::kInvalidArgument, "basis strides name an axis and a part of the same axis");
    }
    return IntTuple(axes.front().second);
  }
  std::vector<IntTuple> elements;
  size_t begin = 0;
  while (begin < axes.size()) {
    const int64_t position = axes[begin].first[depth];
    size_t end = begin;
    while (end < axes.size() && axes[end].first[depth] == position) ++end;
    elements.resize(static_cast<size_t>(position), IntTuple(other));
    Expected<IntTuple> element = BuildNested(axes.subspan(begin, end - begin), depth + 1, other);
    if (!element) return element;
    elements.push_back(*std::move(element));
    begin = end;
  }
  return IntTuple::Tuple(std::move(elements));
}

}  // namespace

Expected<IntTuple> NestedValue(const CodomainSum& sum, int64_t added, std::string_view what) {
  std::vector<std::pair<std::vector<int64_t>, int64_t>> axes;
  for (const auto& [axis, number] : sum) {
    const Expected<int64_t> value = ValueOrOverflow(number + added, what);
    if (!value) return std::unexpected(value.error());
    axes.emplace_back(axis, *value);
  }
  if (axes.empty()) return IntTuple(added);
  return BuildNested(axes, 0, added);
}

}  // namespace layoutcheck
