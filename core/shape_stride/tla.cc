// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/core/shape_stride/tla.h"
#include <algorithm>
#include <utility>

namespace layoutcheck {
namespace {

// Returns true if the layout of the tag depends on the width of an element.
bool DependsOnElement(TlaTag tag) {
  return HasPitch(tag) || (OrderOf(tag).cuts() > 0 && std::ranges::count(OrderOf(tag).blocks, kC0) > 0);
}

Expected<ShapeStrideLayout> LayoutOf(const BasicStridedLayout<CheckedInt64>& modes, IntTuple origin) {
  bool overflow = false;
  std::vector<ShapeStrideLayout> parts;
  for (const auto& mode : modes.modes) {
    std::vector<StridedMode> leaves;
    for (const auto& [extent, stride] : mode) {
      overflow = overflow || extent.overflow || stride.overflow;
      leaves.push_back({extent.value, stride.value});
    }
    parts.push_back(LayoutOfModes(leaves));
  }
  if (overflow) return OverflowError("an extent or a stride of the layout does not fit int64");
  ShapeStrideLayout layout = ConcatenateModes(parts);
  layout.origin_shape = std::move(origin);
  return layout;
}

// Returns the integers of an argument, which must have one integer >= 0 per mode of the layout.
Expected<std::vector<int64_t>> OnePerMode(const ShapeStrideLayout& layout, const IntTuple& numbers,
                                          std::string_view what) {
  LAYOUTCHECK_RETURN_IF_ERROR(ValidateLayout(layout));
  if (Depth(numbers) > 1 || numbers.is_leaf() != layout.shape.is_leaf() || Rank(numbers) != Rank(layout)) {
    return ArgumentError(what, " ", ToString(numbers), ": expected one integer for each of the ", Rank(layout),
                         " modes of ", ToString(layout));
  }
  std::vector<int64_t> result;
  for (const IntTuple& number : Leaves(numbers)) {
    if (number.value() < 0) return ArgumentError(what, " ", ToString(numbers), " has an integer below 0");
    result.push_back(number.value());
  }
  return result;
}

Expected<IntTuple> TileShapeOf(const ShapeStrideLayout& layout, const std::vector<int64_t>& tile) {
  std::vector<IntTuple> shape;
  for (size_t i = 0; i < tile.size(); ++i) {
    const IntTuple mode = *Get(layout.shape, static_cast<int64_t>(i));
    if (mode.is_leaf()) {
      shape.emplace_back(tile[i]);
      continue;
    }
    if (Depth(mode) != 1 || Rank(mode) != 2 || mode.elements()[0].value() < 1) {
      return UnsupportedError("mode ", i, " is ", ToString(mode), ": expected an integer or (inner,outer)");
    }
    const IntTuple& inner = mode.elements()[0];
    shape.push_back(IntTuple::Tuple({inner, CeilDiv(tile[i], inner.value())}));
  }
  return layout.shape.is_leaf() ? shape[0] : IntTuple::Tuple(std::move(shape));
}

}  // namespace

std::optional<TlaTag> TlaTagFromName(std::string_view name) {
  // libc++'s iterators of arrays are no pointers.
  const auto place = std::ranges::find(kTagOrders, name, &TagOrder::name) - kTagOrders.begin();
  return place == std::ssize(kTagOrders) ? std::nullopt : std::optional(static_cast<TlaTag>(place));
}

Expected<int64_t> FractalColumns(int64_t element_bits) {
  for (const int64_t bits : {4, 8, 16, 32, 64}) {
    if (element_bits == bits) return 256 / bits;
  }
  return ArgumentError("elements of ", element_bits, " bits: expected 4, 8, 16, 32 or 64");
}

Expected<std::vector<int64_t>> BlocksOf(TlaTag tag, int64_t element_bits, std::span<const int64_t> given) {
  const TagOrder& order = OrderOf(tag);
  LAYOUTCHECK_TRY(const int64_t c0, DependsOnElement(tag) ? FractalColumns(element_bits) : Expected<int64_t>(1));
  std::vector<int64_t> blocks(order.blocks.begin(), order.blocks.begin() + static_cast<ptrdiff_t>(order.cuts()));
  if (given.empty() && std::ranges::count(blocks, kGivenBlock) > 0) {
    return ArgumentError(order.name, " has no blocks of its own: expected ", order.name, "<rows,columns>, such as ",
                         order.name, "<64,128>");
  }
  if (!given.empty() && given.size() != blocks.size()) {
    return ArgumentError(given.size(), " sizes of blocks: expected ", blocks.size(), " for the tag ", order.name);
  }
  for (size_t k = 0; k < blocks.size(); ++k) {
    if (!given.empty()) blocks[k] = given[k];
    if (given.empty() && blocks[k] == kC0) blocks[k] = c0;
    if (blocks[k] < 1) return ArgumentError("block of ", blocks[k], ": expected a size of at least 1");
  }
  return blocks;
}

Expected<ShapeStrideLayout> MakeTagLayout(TlaTag tag, int64_t element_bits, std::span<const int64_t> sizes,
                                          std::span<const int64_t> blocks) {
  const TagOrder& order = OrderOf(tag);
  if (sizes.size() != order.rank()) {
    return ArgumentError(sizes.size(), " sizes: expected ", order.rank(), " for the tag ", order.name, ", ",
                         order.dimensions);
  }
  for (const int64_t size : sizes) {
    if (size < 0) return ArgumentError("size ", size, ": expected sizes of at least 0");
  }
  LAYOUTCHECK_TRY(const std::vector<int64_t> known, BlocksOf(tag, element_bits, blocks));
  using Ints = std::vector<CheckedInt64>;
  return LayoutOf(TagModes<CheckedInt64>(tag, Ints(known.begin(), known.end()), element_bits == 4,
                                         Ints(sizes.begin(), sizes.end())),
                  IntTuple::Tuple({sizes.begin(), sizes.end()}));
}

Expected<ShapeStrideLayout> MakeTlaLayout(TlaTag tag, int64_t element_bits, int64_t rows, int64_t columns) {
  const std::vector<int64_t> sizes = {rows, columns};
  return MakeTagLayout(tag, element_bits, std::span(sizes).subspan(tag == TlaTag::kVectorLayout ? 1 : 0), {});
}

Expected<ShapeStrideLayout> GetTileLayout(const ShapeStrideLayout& layout, const IntTuple& tile_shape,
                                          const IntTuple& coordinate) {
  LAYOUTCHECK_TRY(const std::vector<int64_t> tile, OnePerMode(layout, tile_shape, "tile shape"));
  LAYOUTCHECK_TRY(const std::vector<int64_t> start, OnePerMode(layout, coordinate, "coordinate"));
  LAYOUTCHECK_TRY(std::vector<int64_t> origin, LogicalSizes(layout));
  LAYOUTCHECK_TRY(IntTuple shape, TileShapeOf(layout, tile));
  for (size_t i = 0; i < origin.size(); ++i) {
    origin[i] = std::min(tile[i], std::max<int64_t>(origin[i] - start[i], 0));
  }
  const std::vector<IntTuple> sizes(origin.begin(), origin.end());
  return ShapeStrideLayout{std::move(shape), layout.stride, layout.shape.is_leaf() ? sizes[0] : IntTuple::Tuple(sizes)};
}

template <class T>
Expected<std::optional<int64_t>> FirstWrappingRows(TlaTag tag, int64_t element_bits, int64_t columns,
                                                   std::span<const int64_t> blocks) {
  LAYOUTCHECK_TRY(const std::vector<int64_t> known, BlocksOf(tag, element_bits, blocks));
  if (OrderOf(tag).rank() > 2) return ArgumentError(TlaTagName(tag), " is no layout of rows and columns");
  if (columns < 1) return ArgumentError("columns ", columns, ": expected at least 1");
  using Int = WrappingInt<T>;
  std::vector<Int> own_blocks;
  for (const int64_t block : known) own_blocks.push_back(Int(block));
  // Every number in the computation grows with the rows, and the last element has the largest offset, so bisection
  // finds the first number of rows that wraps.
  const auto wraps = [&](int64_t rows) {
    std::vector<Int> sizes = {Int(rows), Int(columns)};
    std::vector<Int> last = {Int(rows - 1), Int(columns - 1)};
    if (OrderOf(tag).rank() == 1) {
      sizes.erase(sizes.begin());
      last.erase(last.begin());
    }
    const BasicStridedLayout<Int> layout = TagModes<Int>(tag, own_blocks, element_bits == 4, sizes);
    bool wrapped = StridedOffset<Int>(layout, last).overflow;
    for (const auto& mode : layout.modes) {
      for (const auto& leaf : mode) wrapped |= leaf.extent.overflow || leaf.stride.overflow;
    }
    return wrapped;
  };
  int64_t fine = 0;
  int64_t wrong = int64_t{1} << 40;
  if (!wraps(wrong)) return std::nullopt;
  while (wrong - fine > 1) {
    const int64_t middle = fine + (wrong - fine) / 2;
    (wraps(middle) ? wrong : fine) = middle;
  }
  return wrong;
}
template Expected<std::optional<int64_t>> FirstWrappingRows<int32_t>(TlaTag, int64_t, int64_t,
                                                                     std::span<const int64_t>);
template Expected<std::optional<int64_t>> FirstWrappingRows<uint32_t>(TlaTag, int64_t, int64_t,
                                                                      std::span<const int64_t>);

}  // namespace layoutcheck
