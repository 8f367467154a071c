// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/core/algebra/inverse.h"
#include <algorithm>
#include <numeric>
#include <optional>
#include <vector>
#include "layoutcheck/core/algebra/composition.h"
#include "layoutcheck/core/algebra/left_inverse_search.h"
#include "layoutcheck/core/base/str_cat.h"

namespace layoutcheck {
namespace {

// Returns the modes of the coalesced layout by increasing stride.
Expected<std::vector<IndexedMode>> SortedModes(const ShapeStrideLayout& layout) {
  const Expected<ShapeStrideLayout> coalesced = Coalesce(layout);
  if (!coalesced) return std::unexpected(coalesced.error());
  const Expected<std::vector<StridedMode>> modes = FlatModes(*coalesced);
  if (!modes) return std::unexpected(modes.error());
  const Expected<int64_t> size = Size(*coalesced);  // makes sure that no product below overflows
  if (!size) return std::unexpected(size.error());
  std::vector<IndexedMode> sorted;
  int64_t step = 1;
  for (const StridedMode& mode : *modes) {
    sorted.push_back({mode, step});
    step *= mode.extent;
  }
  std::ranges::stable_sort(sorted, std::ranges::less{}, [](const IndexedMode& m) { return m.mode.stride; });
  return sorted;
}

// Returns the modes of the inverse in the mixed radix of the strides, or nothing unless every stride is a multiple of
// the previous one and no mode reaches the next one. Requires a mode, and sorted strides above 0. Error: overflow.
Expected<std::optional<std::vector<StridedMode>>> InverseInRadixOfStrides(const std::vector<IndexedMode>& modes) {
  std::vector<StridedMode> result;
  int64_t radix = 1;         // the product of the extents so far
  int64_t step = 0;          // the stride of the next mode of the result, in indices
  CheckedInt64 reached = 1;  // the offset where the modes so far end
  for (const auto& [mode, index_step] : modes) {
    if (mode.stride % radix != 0 || reached.value > mode.stride) return std::nullopt;
    result.push_back({mode.stride / radix, step});
    step = index_step;
    radix = mode.stride;
    reached = CheckedInt64(mode.stride) * mode.extent;
    if (reached.overflow) return MakeError(ErrorKind::kOverflow, "the end of the layout does not fit int64");
  }
  result.push_back({modes.back().mode.extent, step});
  return result;
}

}  // namespace

Expected<ShapeStrideLayout> RightInverse(const ShapeStrideLayout& layout) {
  const Expected<std::vector<IndexedMode>> modes = SortedModes(layout);
  if (!modes) return std::unexpected(modes.error());
  std::vector<StridedMode> result = {{1, 0}};
  int64_t next = 1;  // offset at the end of the chain; at most the size of the layout
  for (const IndexedMode& indexed : *modes) {
    if (indexed.mode.stride != next || indexed.mode.extent == 1) continue;
    result.push_back({indexed.mode.extent, indexed.index_step});
    next *= indexed.mode.extent;
  }
  return Coalesce(LayoutOfModes(result, IsStatic(layout)));
}

Expected<ShapeStrideLayout> LeftInverse(const ShapeStrideLayout& layout) {
  Expected<std::vector<IndexedMode>> modes = SortedModes(layout);
  if (!modes) return std::unexpected(modes.error());
  const int64_t last_extent = modes->back().mode.extent;
  std::erase_if(*modes, [](const IndexedMode& m) { return m.mode.stride == 0 || m.mode.extent == 1; });
  if (modes->empty()) return LayoutOfModes({{last_extent, 0}}, IsStatic(layout));  // in the form that CuTe gives it
  if (modes->front().mode.stride < 0) {
    return MakeError(ErrorKind::kInvalidArgument,
                     StrCat("the stride ", modes->front().mode.stride, " of ", ToString(layout), " is negative"));
  }
  const auto direct = InverseInRadixOfStrides(*modes);
  if (!direct) return std::unexpected(direct.error());
  if (*direct) return Coalesce(LayoutOfModes(**direct, IsStatic(layout)));
  const Expected<std::vector<StridedMode>> found = SearchLeftInverse(*modes);
  if (!found) {
    return MakeError(found.error().kind, StrCat("no left inverse of ", ToString(layout), ": ", found.error().message));
  }
  return Coalesce(LayoutOfModes(*found, IsStatic(layout)));
}

Expected<ShapeStrideLayout> Nullspace(const ShapeStrideLayout& layout) {
  const Expected<std::vector<StridedMode>> modes = FlatModes(layout);
  if (!modes) return std::unexpected(modes.error());
  const Expected<int64_t> size = Size(layout);  // makes sure that no product below overflows
  if (!size) return std::unexpected(size.error());
  std::vector<StridedMode> result;
  int64_t step = 1;
  for (const StridedMode& mode : *modes) {
    if (mode.stride == 0) result.push_back({mode.extent, mode.extent == 1 ? 0 : step});
    step *= mode.extent;
  }
  return LayoutOfModes(result, IsStatic(layout));
}

Expected<int64_t> MaxCommonVector(const ShapeStrideLayout& a, const ShapeStrideLayout& b) {
  const Expected<ShapeStrideLayout> inverse = RightInverse(b);
  if (!inverse) return std::unexpected(inverse.error());
  const Expected<ShapeStrideLayout> composed = Composition(a, *inverse);
  if (!composed) return std::unexpected(composed.error());
  const Expected<ShapeStrideLayout> common = Coalesce(*composed);
  if (!common) return std::unexpected(common.error());
  const Expected<std::vector<StridedMode>> modes = FlatModes(*common);
  if (!modes) return std::unexpected(modes.error());
  return modes->front().stride == 1 ? modes->front().extent : 1;
}

Expected<ShapeStrideLayout> MaxCommonLayout(const ShapeStrideLayout& a, const ShapeStrideLayout& b) {
  const Expected<int64_t> count = MaxCommonVector(a, b);
  if (!count) return std::unexpected(count.error());
  const bool is_static = IsStatic(a) && IsStatic(b);
  if (*count == 1) return LayoutOfModes({}, is_static);
  const Expected<ShapeStrideLayout> inverse = RightInverse(b);
  if (!inverse) return inverse;
  Expected<ShapeStrideLayout> result = Composition(*inverse, LayoutOfModes({{*count, 1}}));
  return result ? WithStatic(*result, is_static) : result;
}

Expected<ShapeStrideLayout> DomainDistribute(const IntTuple& shape, int64_t count) {
  if (count < 1) return MakeError(ErrorKind::kInvalidArgument, StrCat("count ", count, ": expected at least 1"));
  const Expected<int64_t> size = Product(shape);
  if (!size) return std::unexpected(size.error());
  std::vector<StridedMode> modes;
  int64_t step = 1;
  for (const IntTuple& extent : Leaves(shape)) {
    if (extent.value() < 1) {
      return MakeError(ErrorKind::kInvalidArgument, StrCat("shape ", ToString(shape), " has no coordinate"));
    }
    const int64_t part = std::gcd(extent.value(), count);
    modes.push_back({part, part == 1 ? 0 : step});
    count /= part;
    step *= extent.value();
  }
  return Coalesce(LayoutOfModes(modes, IsStatic(shape)));
}

}  // namespace layoutcheck
