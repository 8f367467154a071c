// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/properties/algebra/algebra_generator.h"
#include <algorithm>
#include <array>
#include <cstdlib>
#include <iterator>
#include <tuple>
#include <utility>
#include "layoutcheck/core/base/str_cat.h"
#include "layoutcheck/core/shape_stride/text.h"
#include "layoutcheck/properties/axis/axis_generator.h"
#include "layoutcheck/properties/generate/draw_case.h"
#include "layoutcheck/properties/generate/layout_family.h"
#include "layoutcheck/properties/sharding/sharding_generator.h"

namespace layoutcheck {
namespace {

constexpr int64_t kMostDrawnCoordinates = 256;

// Draws one to three modes of one or two integers, with at most kMostDrawnCoordinates coordinates in all.
IntTuple DrawShape(Choices& choices) {
  constexpr int64_t kExtents[] = {1, 2, 3, 4, 5, 6, 8};
  int64_t room = kMostDrawnCoordinates;
  const auto extent = [&] {
    const int64_t drawn = kExtents[Draw(choices, 7)];
    if (drawn > room) return IntTuple(1);
    room /= drawn;
    return IntTuple(drawn);
  };
  std::vector<IntTuple> modes;
  const int64_t rank = 1 + Draw(choices, 3);
  for (int64_t d = 0; d < rank; ++d) {
    const bool nested = Draw(choices, 3) == 2;
    const IntTuple first = extent();
    if (!nested) {
      modes.push_back(first);
      continue;
    }
    const IntTuple second = extent();
    modes.push_back(IntTuple::Tuple({first, second}));
  }
  if (rank == 1 && Draw(choices, 2) == 0) return modes.front();
  return IntTuple::Tuple(std::move(modes));
}

// Draws strides for the leaves (see DrawShapeStrideLayout).
std::vector<int64_t> DrawStrides(Choices& choices, const std::vector<IntTuple>& extents) {
  std::vector<int64_t> strides(extents.size());
  const int64_t kind = Draw(choices, 3);
  if (kind == 2) {
    constexpr int64_t kArbitrary[] = {1, 0, 2, 3, 4, 6, 7, 12, 16, -1, -3};
    for (int64_t& stride : strides) stride = kArbitrary[Draw(choices, 11)];
    return strides;
  }
  // Strides grow in the order of sort keys: each is past the values of the modes before it, directly or with a gap.
  std::vector<std::pair<int64_t, size_t>> order;
  for (size_t k = 0; k < extents.size(); ++k) order.emplace_back(Draw(choices, 4), k);
  std::ranges::stable_sort(order, std::ranges::less{}, [](const auto& entry) { return entry.first; });
  int64_t next = 1 + Draw(choices, 3);
  for (const auto& [key, k] : order) {
    if (kind == 1) next += Draw(choices, 4);
    strides[k] = next;
    next *= extents[k].value();
  }
  return strides;
}

// Draws a layout of one to three integers whose values are all below `size`.
ShapeStrideLayout DrawWithin(Choices& choices, int64_t size) {
  std::vector<StridedMode> modes;
  int64_t room = size - 1;  // room for the remaining modes below the largest value
  const int64_t rank = 1 + Draw(choices, 3);
  for (int64_t d = 0; d < rank; ++d) {
    const int64_t stride = Draw(choices, room + 2);  // 0 repeats the values
    const int64_t most = stride == 0 ? 3 : 1 + room / stride;
    const int64_t extent = 1 + Draw(choices, std::min<int64_t>(most, 16));
    modes.push_back({extent, stride});
    room -= (extent - 1) * stride;
  }
  if (Draw(choices, 2) == 1) {  // a last mode that repeats all values
    modes.push_back({1 + Draw(choices, 2), 0});
  }
  return LayoutOfModes(modes);
}

// Draws a layout of the same shape as `a` with one or all strides changed.
ShapeStrideLayout DrawTwin(Choices& choices, const ShapeStrideLayout& a) {
  std::vector<IntTuple> strides = Leaves(a.stride);
  if (Draw(choices, 2) == 0) {
    IntTuple& changed = strides[static_cast<size_t>(Draw(choices, std::ssize(strides)))];
    changed = changed.value() + Draw(choices, 4);
  } else {
    const std::vector<int64_t> drawn = DrawStrides(choices, Leaves(a.shape));
    strides.assign(drawn.begin(), drawn.end());
  }
  return {a.shape, Unflatten(a.shape, strides)};
}

// Draws a shape that mostly repeats each mode of `shape` up to 3 times, sometimes with one more mode, and a mode order.
std::pair<IntTuple, IntTuple> DrawTiledShape(Choices& choices, const IntTuple& shape) {
  std::vector<IntTuple> modes;
  for (const IntTuple& mode : Modes(shape)) modes.emplace_back(CheckedProduct(mode).value);
  if (Draw(choices, 3) == 2) modes.emplace_back(1);
  std::vector<IntTuple> order;
  std::vector<int64_t> keys;
  for (IntTuple& mode : modes) {
    mode = mode.value() * (1 + Draw(choices, 3));
    if (Draw(choices, 8) == 7) mode = mode.value() + 1;  // mostly not divisible
    keys.push_back(Draw(choices, 3));
  }
  for (size_t d = 0; d < modes.size(); ++d) {  // the order is the number of modes that come before
    int64_t before = 0;
    for (size_t k = 0; k < modes.size(); ++k) before += keys[k] < keys[d] || (keys[k] == keys[d] && k < d) ? 1 : 0;
    order.emplace_back(before);
  }
  return {IntTuple::Tuple(std::move(modes)), IntTuple::Tuple(std::move(order))};
}

// Changes about one pair of sizes in four: one size is within 1 of a power of two up to 2^33, where products of 32 bits
// wrap, and the other perhaps within 1 of one up to 2^20.
void DrawLargeSizes(Choices& choices, int64_t& rows, int64_t& columns) {
  constexpr int64_t kLarge[] = {16, 20, 24, 26, 27, 28, 29, 30, 31, 32, 33};
  const int64_t kind = Draw(choices, 8);
  if (kind < 6) return;
  int64_t& larger = kind == 6 ? rows : columns;
  int64_t& smaller = kind == 6 ? columns : rows;
  larger = (int64_t{1} << kLarge[Draw(choices, std::ssize(kLarge))]) + Draw(choices, 3) - 1;
  if (Draw(choices, 2) == 1) smaller = (int64_t{1} << (4 + Draw(choices, 17))) + Draw(choices, 3) - 1;
}

// Draws the first or last of `size` indices, or any.
int64_t DrawIndex(Choices& choices, int64_t size) {
  const int64_t kind = Draw(choices, 3);
  return kind == 0 ? 0 : kind == 1 ? size - 1 : Draw(choices, size);
}

}  // namespace

ShapeStrideLayout DrawShapeStrideLayout(Choices& choices) {
  const IntTuple shape = DrawShape(choices);
  std::vector<IntTuple> strides;
  for (const int64_t stride : DrawStrides(choices, Leaves(shape))) strides.emplace_back(stride);
  return {shape, Unflatten(shape, strides)};
}

namespace {

// Draws `a` by draw_a(choices), with few enough coordinates for a table, and the other arguments except `made`, views
// and layouts in bits to suit it.
template <class DrawA>
AlgebraCase DrawCaseOf(Choices& choices, DrawA draw_a) {
  // The tags of matrices that have blocks of their own.
  constexpr auto kTags = static_cast<int64_t>(TlaTag::kMxScaleNN) + 1;
  constexpr int64_t kBits[] = {16, 8, 32, 4, 64};
  constexpr int64_t kFactors[] = {1, 2, 4, 3, 8, 6, 12, 64};
  constexpr int64_t kOffsets[] = {0, 16, 5, 64};
  constexpr int64_t kWidths[] = {16, 32, 8, 4, 64, 6};
  AlgebraCase drawn;
  drawn.number = kFactors[Draw(choices, 8)];
  drawn.a = draw_a(choices);
  const int64_t size = CheckedProduct(drawn.a.shape).value;
  drawn.b = DrawWithin(choices, size);
  drawn.coordinate = Draw(choices, size);
  drawn.swizzle.bits = Draw(choices, 4);
  drawn.swizzle.base = Draw(choices, 4);
  const int64_t more = Draw(choices, 3);
  const int64_t sign = Draw(choices, 2) == 0 ? 1 : -1;
  drawn.swizzle.shift = sign * (drawn.swizzle.bits + more);
  drawn.tag = static_cast<TlaTag>(Draw(choices, kTags));
  drawn.element_bits = kBits[Draw(choices, 5)];
  drawn.rows = 1 + Draw(choices, 70);
  drawn.columns = 1 + Draw(choices, 70);
  drawn.twin = DrawTwin(choices, drawn.a);
  std::tie(drawn.tiled_shape, drawn.order) = DrawTiledShape(choices, drawn.a.shape);
  drawn.offset = kOffsets[Draw(choices, 4)];
  drawn.power = int64_t{1} << Draw(choices, 5);
  drawn.other_swizzle.bits = Draw(choices, 4);
  drawn.other_swizzle.base = Draw(choices, 4);
  const bool shifts_differ = Draw(choices, 4) == 3;
  const int64_t least = std::max(drawn.other_swizzle.bits, shifts_differ ? 0 : std::abs(drawn.swizzle.shift));
  drawn.other_swizzle.shift = sign * (least + (shifts_differ ? Draw(choices, 3) : 0));
  drawn.old_bits = kWidths[Draw(choices, 6)];
  drawn.new_bits = kWidths[Draw(choices, 6)];
  DrawLargeSizes(choices, drawn.rows, drawn.columns);
  drawn.row = DrawIndex(choices, drawn.rows);
  drawn.column = DrawIndex(choices, drawn.columns);
  return drawn;
}

// Returns the tags of tensors, or those of matrices in blocks.
std::vector<const TagOrder*> TagsOf(bool tensors) {
  std::vector<const TagOrder*> tags;
  for (const TagOrder& order : kTagOrders) {
    if (tensors ? order.rank() > 2 : order.rank() == 2 && order.cuts() > 0) tags.push_back(&order);
  }
  return tags;
}

// Draws the tag with these rows and columns in two cases of three, and otherwise a tag of matrices in blocks of any
// size, or one of tensors. One tensor in four has a size within 1 of a power of two up to 2^33.
DrawnTag DrawTag(Choices& choices, TlaTag tag, int64_t rows, int64_t columns) {
  static const std::vector<const TagOrder*> matrices = TagsOf(false);
  static const std::vector<const TagOrder*> tensors = TagsOf(true);
  constexpr int64_t kBlocks[] = {1, 2, 3, 4, 8, 16, 17, 32, 64, 128};
  constexpr int64_t kLarge[] = {16, 20, 24, 28, 31, 32, 33};
  const uint64_t kind = choices.Choose(6);
  if (kind < 4) return {std::string(TlaTagName(tag)), {rows, columns}};
  if (kind == 4) {
    const TagOrder& order = *matrices[choices.Choose(matrices.size())];
    std::vector<int64_t> blocks(order.cuts());
    for (int64_t& block : blocks) block = kBlocks[choices.Choose(std::size(kBlocks))];
    return {StrCat(order.name, "<", StrJoin(blocks, ","), ">"), {rows, columns}};
  }
  const TagOrder& order = *tensors[choices.Choose(tensors.size())];
  std::vector<int64_t> sizes(order.rank());
  for (size_t d = 0; d < sizes.size(); ++d) {
    sizes[d] = 1 + static_cast<int64_t>(choices.Choose(order.CutOf(d) ? 40 : 5));
  }
  if (choices.Choose(4) == 3) {
    int64_t& size = sizes[choices.Choose(sizes.size())];
    size = (int64_t{1} << kLarge[choices.Choose(std::size(kLarge))]) + static_cast<int64_t>(choices.Choose(3)) - 1;
  }
  return {std::string(order.name), sizes};
}

constexpr int64_t kMostComposedCoordinates = 1024;

// Draws a layout of the pattern, with its swizzle. The first choice of each name is 1, the simplest.
ComposedLayout DrawComposed(Choices& choices, const LayoutPattern& pattern) {
  constexpr std::array<int64_t, 8> kSizes = {1, 2, 3, 4, 5, 7, 8, 16};
  std::vector<int64_t> values;
  for (size_t n = 0; n < pattern.names().size(); ++n) values.push_back(kSizes[choices.Choose(kSizes.size())]);
  for (;;) {
    const auto composed = ParseComposedLayout(pattern.Write(values));
    const auto size = composed ? Size(composed->layout) : std::unexpected(composed.error());
    if (size && *size >= 1 && *size <= kMostComposedCoordinates) return *composed;
    bool reduced = false;
    for (int64_t& value : values) {
      reduced = reduced || value > 1;
      value = value > 1 ? value / 2 : 1;
    }
    if (!reduced) return {};
  }
}

}  // namespace

AlgebraCaseSource::AlgebraCaseSource() {
  for (const LayoutPattern& pattern : FindFamily("cute")->patterns) patterns_.push_back(&pattern);
}

AlgebraCaseSource::AlgebraCaseSource(std::span<const LayoutPattern> patterns) : patterns_only_(true) {
  for (const LayoutPattern& pattern : patterns) {
    if (pattern.is_shape_stride()) patterns_.push_back(&pattern);
  }
}

const LayoutPattern* AlgebraCaseSource::PatternOf(uint64_t number) const {
  if (!patterns_only_ && !IsFamilyCase(number)) return nullptr;
  return patterns_[(patterns_only_ ? number : number / 3) % patterns_.size()];
}

AlgebraCase AlgebraCaseSource::Draw(Choices& choices, const LayoutPattern* pattern) {
  const auto draw_others = [&choices](AlgebraCase& drawn) {
    drawn.views = DrawViews(choices, drawn.a, drawn.tag, drawn.element_bits, drawn.rows, drawn.columns);
    drawn.linear = DrawLinear(choices);
    drawn.made = DrawTag(choices, drawn.tag, drawn.rows, drawn.columns);
    drawn.axes = DrawAxisExpression(choices).ToString();
    drawn.shards = DrawShardedArray(choices);
    auto [from, to] = DrawReshard(choices);
    drawn.reshard = {std::move(from), std::move(to)};
    auto [array, sizes] = DrawShardedView(choices);
    drawn.shard_view = {std::move(array), std::move(sizes)};
    drawn.shards = DrawLocalLayout(choices, std::move(drawn.shards));
  };
  if (pattern == nullptr) {
    AlgebraCase random = DrawCaseOf(choices, DrawShapeStrideLayout);
    draw_others(random);
    return random;
  }
  ComposedLayout composed;
  AlgebraCase drawn = DrawCaseOf(choices, [&](Choices& of_a) {
    composed = DrawComposed(of_a, *pattern);
    return composed.layout;
  });
  if (composed.swizzle) drawn.swizzle = *composed.swizzle;
  // Sizes about those of a fractal, 16 rows of 32 bytes.
  const int64_t fractal_columns = FractalColumns(drawn.element_bits).value_or(16);
  for (const auto& [size, fractal] :
       {std::pair{&drawn.rows, int64_t{16}}, std::pair{&drawn.columns, fractal_columns}}) {
    const auto off = static_cast<int64_t>(choices.Choose(4)) - 1;
    if (off < 2) *size = fractal * (1 + static_cast<int64_t>(choices.Choose(2))) + off;
  }
  draw_others(drawn);
  return drawn;
}

}  // namespace layoutcheck
