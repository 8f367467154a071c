// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <algorithm>
#include <utility>
#include <vector>
#include "layoutcheck/core/shape_stride/fractal_layout.h"
#include "layoutcheck/core/shape_stride/view.h"
#include "layoutcheck/properties/algebra/algebra_generator.h"

namespace layoutcheck {
namespace {

// A mode of the whole: the number of its elements, and of those in its inner block.
struct ModeSize {
  int64_t extent;
  int64_t block;
};

struct Whole {
  std::string text;
  std::vector<ModeSize> modes;

  std::vector<int64_t> Extents() const {
    std::vector<int64_t> extents;
    for (const ModeSize& mode : modes) extents.push_back(mode.extent);
    return extents;
  }
};

ElementType TypeOf(int64_t bits) {
  switch (bits) {
    case 4: return ElementType::kS4;
    case 8: return ElementType::kS8;
    case 32: return ElementType::kF32;
    case 64: return ElementType::kF64;
    default: return ElementType::kF16;
  }
}

// Returns the layout that the text stands for. A layout that does not fit int64 has no modes.
Whole WholeOf(std::string text, const Expected<ShapeStrideLayout>& layout) {
  Whole whole{std::move(text), {}};
  if (!layout) return whole;
  const Expected<std::vector<int64_t>> extents = LogicalSizes(*layout);
  if (!extents) return whole;
  const std::vector<ShapeStrideLayout> modes = Modes(*layout);
  for (size_t d = 0; d < modes.size(); ++d) {
    int64_t block = 1;
    const std::vector<IntTuple> leaves = Leaves(modes[d].shape);
    for (size_t k = 0; k + 1 < leaves.size(); ++k) block *= std::max<int64_t>(leaves[k].value(), 1);
    whole.modes.push_back({(*extents)[d], block});
  }
  return whole;
}

int64_t DrawTile(Choices& choices, const ModeSize& mode) {
  switch (Draw(choices, 4)) {
    case 0: return 1 + Draw(choices, 4);
    case 1: return mode.block * (1 + Draw(choices, 3));
    case 2: return 1 + Draw(choices, mode.extent);
    default: return mode.extent + Draw(choices, 3);
  }
}

ViewRange DrawRange(Choices& choices, const ModeSize& mode) {
  const int64_t tile = DrawTile(choices, mode);
  switch (Draw(choices, 6)) {
    case 0: return {0, tile};
    case 1: return {mode.block * Draw(choices, mode.extent / mode.block + 1), tile};
    case 2: return {Draw(choices, mode.extent), tile};
    case 3: return {std::min((int64_t{1} << (31 + Draw(choices, 2))) + Draw(choices, 3), mode.extent), tile};
    case 4: return {std::max<int64_t>(mode.extent - 1 - Draw(choices, 2 * mode.block), 0), tile};
    default: return {mode.extent + Draw(choices, 2), tile};
  }
}

// Draws the range of a tile: the first one, the last one, or any, also the one behind the last.
ViewRange DrawTileRange(Choices& choices, const ModeSize& mode) {
  const int64_t tile = DrawTile(choices, mode);
  switch (Draw(choices, 3)) {
    case 0: return {0, tile};
    case 1: return {std::max<int64_t>(mode.extent - 1, 0) / tile * tile, tile};
    default: return {Draw(choices, mode.extent / tile + 2) * tile, tile};
  }
}

View DrawView(Choices& choices, const std::vector<ModeSize>& modes, ViewRange (*draw)(Choices&, const ModeSize&)) {
  View view;
  for (const ModeSize& mode : modes) {
    view.extents.push_back(mode.extent);
    view.ranges.push_back(draw(choices, mode));
  }
  return view;
}

View DrawSlice(Choices& choices, const Whole& whole) {
  View view{whole.Extents(), {}};
  bool keeps_any = false;
  for (const ModeSize& mode : whole.modes) {
    const bool is_last = view.ranges.size() + 1 == whole.modes.size();
    const bool is_kept = mode.extent == 0 || Draw(choices, 2) == 0 || (is_last && !keeps_any);
    keeps_any = keeps_any || is_kept;
    view.ranges.push_back(is_kept ? ViewRange{0, mode.extent} : ViewRange{Draw(choices, mode.extent), 1, false});
  }
  return view;
}

Whole DrawWhole(Choices& choices, const ShapeStrideLayout& a, TlaTag tag, int64_t element_bits, int64_t rows,
                int64_t columns) {
  const int64_t kind = Draw(choices, 3);
  if (kind == 0) return WholeOf(ToString(a), a);
  // Products of two large sizes do not fit int64.
  rows = 1 + (rows - 1) % 70;
  columns = 1 + (columns - 1) % 70;
  if (kind == 2) (Draw(choices, 2) == 0 ? rows : columns) += int64_t{1} << (32 + Draw(choices, 2));
  const FractalLayout fractal{tag, TypeOf(element_bits), {rows, columns}, {}};
  return WholeOf(ToString(fractal), ShapeStrideOf(fractal));
}

}  // namespace

DrawnViews DrawViews(Choices& choices, const ShapeStrideLayout& a, TlaTag tag, int64_t element_bits, int64_t rows,
                     int64_t columns) {
  const Whole whole = DrawWhole(choices, a, tag, element_bits, rows, columns);
  DrawnViews drawn;
  const View view = DrawView(choices, whole.modes, DrawRange);
  drawn.view = whole.text + ToString(view);
  drawn.tile_view = whole.text + ToString(DrawView(choices, whole.modes, DrawTileRange));
  drawn.slice = whole.text + ToString(DrawSlice(choices, whole));
  std::vector<ModeSize> inner = whole.modes;
  const std::vector<int64_t> valid = ValidExtents(view);
  for (size_t d = 0; d < inner.size(); ++d) inner[d].extent = valid[d];
  drawn.view_of_view = drawn.view + ToString(DrawView(choices, inner, DrawRange));
  return drawn;
}

}  // namespace layoutcheck
