// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/core/bridges/fractal_to_hlo.h"
#include <algorithm>
#include <optional>
#include <string>
#include <utility>
#include <vector>
#include "layoutcheck/core/shape_stride/fractal_layout.h"

namespace layoutcheck {
namespace {

// Returns the layout of a tag with blocks of these sizes. A tile has one entry per dimension from the most major one
// that is cut on, and at least two if there are as many dimensions.
Layout LayoutOf(const TagOrder& order, const std::vector<int64_t>& blocks) {
  std::vector<int64_t> major_to_minor;
  std::string in_block;  // the digits in a block, capitalized, most major first
  for (const char digit : order.order) {
    if (TagOrder::IsInBlock(digit)) {
      in_block += TagOrder::Capital(digit);
    } else {
      major_to_minor.push_back(static_cast<int64_t>(order.DimensionOf(digit)));
    }
  }
  Tile tile;
  std::string cut;  // the dimensions that are cut, most major first
  for (const int64_t d : major_to_minor) {
    const std::optional<size_t> k = order.CutOf(static_cast<size_t>(d));
    if (k) cut += order.dimensions[static_cast<size_t>(d)];
    if (k || !tile.dimensions.empty() || order.rank() == 2) tile.dimensions.push_back(k ? blocks[*k] : 1);
  }
  std::vector<Tile> tiles;
  if (!cut.empty()) tiles.push_back(tile);
  // A second tile makes the less major block the outer one; it pads nothing.
  if (cut != in_block) {
    for (size_t k = 1; k < tile.dimensions.size(); ++k) tile.dimensions[k] = 1;
    tiles.push_back(tile);
  }
  std::ranges::reverse(major_to_minor);
  return Layout(std::move(major_to_minor), std::move(tiles));
}

}  // namespace

Expected<Shape> HloOfFractal(const FractalLayout& fractal) {
  const Expected<int64_t> bits = FractalElementBits(fractal.element_type);
  if (!bits) return std::unexpected(bits.error());
  const Expected<ShapeStrideLayout> exists = ShapeStrideOf(fractal);
  if (!exists) return std::unexpected(exists.error());
  const Expected<std::vector<int64_t>> blocks = BlocksOf(fractal.tag, *bits, fractal.blocks);
  if (!blocks) return std::unexpected(blocks.error());
  const bool packs_two = *bits == 4;
  Layout layout = LayoutOf(OrderOf(fractal.tag), *blocks);
  if (packs_two && HasPitch(fractal.tag)) layout.tiles = {Tile{{1, 2}}};
  if (packs_two) layout.element_size_in_bits = 4;
  return Shape::Array(fractal.element_type, SizesOf(fractal), std::move(layout));
}

}  // namespace layoutcheck
