// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/properties/algebra/algebra_generator.h"
#include <algorithm>
#include <cstdlib>
#include <iterator>
#include <tuple>
#include <utility>
#include "layoutcheck/core/algebra/coalesce.h"
#include "layoutcheck/properties/algebra/algebra_law.h"

namespace layoutcheck {
namespace {

constexpr int64_t kMostCoordinates = 256;

int64_t Draw(Choices& choices, int64_t bound) {
  return static_cast<int64_t>(choices.Choose(static_cast<uint64_t>(bound)));
}

// Draws one to three modes of one or two integers, with at most kMostCoordinates coordinates in all.
IntTuple DrawShape(Choices& choices) {
  constexpr int64_t kExtents[] = {1, 2, 3, 4, 5, 6, 8};
  int64_t room = kMostCoordinates;
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

AlgebraCase DrawAlgebraCase(Choices& choices) { return DrawAlgebraCaseOf(choices, DrawShapeStrideLayout); }

AlgebraCase DrawAlgebraCaseOf(Choices& choices, const std::function<ShapeStrideLayout(Choices&)>& draw_a) {
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

}  // namespace layoutcheck
