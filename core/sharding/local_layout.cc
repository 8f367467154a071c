// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/core/sharding/local_layout.h"
#include <algorithm>
#include <functional>
#include <utility>
#include "layoutcheck/core/base/integer.h"
#include "layoutcheck/core/base/str_cat.h"
#include "layoutcheck/core/linear/linear_text.h"
#include "layoutcheck/core/shape_stride/text.h"
#include "layoutcheck/core/shape_stride/view.h"

namespace layoutcheck {

Expected<LocalLayout> LocalLayout::Parse(std::string_view text, int64_t column) {
  const auto parse = [&]() -> Expected<LocalLayout> {
    if (IsLinearText(text)) {
      LAYOUTCHECK_TRY(LinearLayout linear, ParseLinearLayout(text));
      return OfBits(std::move(linear), column);
    }
    if (!IsShapeStrideText(text)) {
      return SyntaxErrorAt(1,
                           "expected the layout of the array of a device: shape:stride in numbers, such as "
                           "(8,128):(136,1), or a layout in bits, ll{...} -> [...]");
    }
    LAYOUTCHECK_TRY(ComposedLayout composed, ParseComposedLayout(text));
    return OfStrides(std::move(composed), column);
  };
  Expected<LocalLayout> layout = parse();
  if (!layout) return ErrorAt(column + std::max<int64_t>(layout.error().column - 1, 0), std::move(layout.error()));
  return layout;
}

Expected<LocalLayout> LocalLayout::OfStrides(ComposedLayout composed, int64_t column) {
  LocalLayout result(Strides{std::move(composed), {}}, column);
  auto& [layout, modes] = std::get<Strides>(result.map_);
  LAYOUTCHECK_TRY(result.sizes_, LogicalSizes(layout.layout));
  result.text_ = ToString(layout);
  if (HasNoCoordinate(layout.layout)) return result;
  LAYOUTCHECK_TRY(const OffsetRange range, RangeOfOffsets(layout.layout));
  LAYOUTCHECK_TRY(const int64_t smallest,
                  ValueOrOverflow(CheckedInt64(range.smallest) + layout.offset, "the smallest offset"));
  if (smallest < 0) return LayoutError("expected offsets from 0 on, found ", smallest, " as the smallest one");
  LAYOUTCHECK_TRY(result.allocation_, Cosize(layout));
  LAYOUTCHECK_TRY(modes, StridedLayoutOf(layout.layout));
  return result;
}

Expected<LocalLayout> LocalLayout::OfBits(LinearLayout layout, int64_t column) {
  if (!layout.IsInjective()) {
    return LayoutError("expected a layout in bits that gives each coordinate an offset of its own");
  }
  LocalLayout result(std::move(layout), column);
  const LinearLayout& bits = std::get<LinearLayout>(result.map_);
  result.text_ = ToString(bits);
  result.sizes_ = bits.InputSizes();
  result.allocation_ = int64_t{1} << bits.output_bits();
  return result;
}

const ComposedLayout* LocalLayout::strides() const {
  const auto* strides = std::get_if<Strides>(&map_);
  return strides == nullptr ? nullptr : &strides->layout;
}

Expected<void> LocalLayout::RequireRoomFor(std::span<const int64_t> array_sizes) const {
  if (array_sizes.size() != sizes_.size()) {
    return MakeError(ErrorKind::kInvalidLayout,
                     StrCat("expected a local layout with one mode per dimension of the array, which has ",
                            array_sizes.size(), ", found ", sizes_.size()),
                     column_);
  }
  for (size_t d = 0; d < sizes_.size(); ++d) {
    if (array_sizes[d] <= sizes_[d]) continue;
    return MakeError(ErrorKind::kInvalidLayout,
                     StrCat("expected room for dimension ", d, " of the array of a device, which has size ",
                            array_sizes[d], ": the local layout has size ", sizes_[d]),
                     column_);
  }
  return {};
}

std::string LocalLayout::TextOf(std::span<const int64_t> array_sizes) const {
  if (std::ranges::equal(array_sizes, sizes_)) return text_;
  View view{sizes_, {}};
  for (const int64_t size : array_sizes) view.ranges.push_back({0, size, true});
  return text_ + ToString(view);
}

int64_t LocalLayout::OffsetOf(std::span<const int64_t> coordinate) const {
  if (const auto* bits = std::get_if<LinearLayout>(&map_)) return bits->Index(coordinate);
  // The range of the offsets fits int64, and so do all partial sums.
  const auto& [layout, modes] = std::get<Strides>(map_);
  const int64_t offset = layout.offset + StridedOffset<int64_t>(modes, coordinate);
  return layout.swizzle ? ApplySwizzle(*layout.swizzle, offset) : offset;
}

Expected<std::optional<std::vector<int64_t>>> LocalLayout::CoordinateOf(int64_t offset,
                                                                        std::span<const int64_t> array_sizes) const {
  if (const auto* strides = std::get_if<Strides>(&map_)) {
    return FindCoordinateBelow(strides->layout, offset, array_sizes);
  }
  const LinearLayout& bits = std::get<LinearLayout>(map_);
  const std::optional<uint64_t> number = bits.Span().Combination(static_cast<uint64_t>(offset));
  if (!number) return std::nullopt;
  std::vector<int64_t> coordinate = bits.InputCoordinate(*number);
  if (!std::ranges::equal(coordinate, array_sizes, std::less<>())) return std::nullopt;
  return coordinate;
}

}  // namespace layoutcheck
