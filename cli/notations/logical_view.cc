// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/cli/notations/logical_view.h"
#include <algorithm>
#include <utility>
#include "layoutcheck/core/base/integer.h"
#include "layoutcheck/core/base/str_cat.h"
#include "layoutcheck/core/tiling/tiled_layout.h"

namespace layoutcheck {
namespace {

using Integers = std::vector<int64_t>;

// Adds the tiles of an XLA layout as blocks. A tile with `*` and all after it have no blocks along single dimensions.
void AddTiles(const TiledLayout& layout, std::vector<GridAxis>& axes) {
  size_t covered = std::string::npos;  // number of entries of the tile before
  for (const auto& tile : layout.tiles) {
    const bool combines = std::ranges::any_of(tile, [](const auto& entry) { return entry.combine; });
    // A longer tile than the one before cuts the list of tiles, not the inside of one.
    if (combines || tile.size() > covered) return;
    covered = tile.size();
    for (size_t k = 0; k < tile.size(); ++k) {
      const int64_t position = layout.rank() - static_cast<int64_t>(tile.size() - k);
      if (position < 0) continue;
      GridAxis& axis = axes[static_cast<size_t>(layout.Major(position))];
      axis.blocks.push_back(tile[k].size);
    }
  }
}

// Adds the parts of nested modes as blocks: of a mode (4,2,3), blocks of 8 and of 4.
void AddModes(const ShapeStrideLayout& layout, std::vector<GridAxis>& axes) {
  const std::vector<IntTuple> modes = Modes(layout.shape);
  for (size_t d = 0; d < axes.size() && d < modes.size(); ++d) {
    const std::vector<IntTuple> leaves = Leaves(modes[d]);
    int64_t block = 1;
    for (size_t k = 0; k + 1 < leaves.size() && block < axes[d].size; ++k) {
      if (__builtin_mul_overflow(block, leaves[k].value(), &block)) break;
      axes[d].blocks.insert(axes[d].blocks.begin(), block);
    }
  }
}

// Removes blocks that show nothing: of one element, or not smaller than the block or the axis around them.
void RemoveTrivialBlocks(GridAxis& axis) {
  Integers kept;
  int64_t around = axis.size;
  for (const int64_t block : axis.blocks) {
    if (block > 1 && block < around) kept.push_back(block);
    around = std::min(around, block);
  }
  axis.blocks = std::move(kept);
}

size_t Digits(int64_t number) { return std::to_string(number).size(); }

}  // namespace

void ArrangeAxes(CellGrid& grid, bool rows_first) {
  const size_t rank = grid.axes.size();
  if (rank == 1) grid.columns = 0;
  if (rank < 2) return;
  grid.rows = rows_first ? 0 : rank - 2;
  grid.columns = *grid.rows + 1;
}

std::string CellDetails(std::string_view name, std::span<const GridAxis> axes, std::span<const int64_t> coordinate) {
  std::string text = StrCat(name, ":");
  for (size_t d = 0; d < axes.size(); ++d) StrAppend(text, " ", axes[d].name, "=", coordinate[d]);
  return axes.empty() ? text + " ()" : text;
}

CellGrid LogicalGrid(const AnyLayout& layout) {
  const CoreForms forms = layout.Forms();
  const Integers sizes = layout.Dimensions();
  const bool modes = forms.strided && !forms.shape;
  CellGrid grid;
  for (size_t d = 0; d < sizes.size(); ++d) {
    std::string name = DimensionName(static_cast<int64_t>(d), static_cast<int64_t>(sizes.size()));
    if (modes) name = sizes.size() == 2 ? std::string(1, "mn"[d]) : StrCat("m", d);
    grid.axes.push_back({std::move(name), sizes[d], {}});
  }
  if (forms.strided) {
    AddModes(forms.strided->layout, grid.axes);
  } else if (forms.shape && *forms.shape) {
    if (const auto tiled = TiledLayoutOf(**forms.shape)) AddTiles(*tiled, grid.axes);
  }
  std::ranges::for_each(grid.axes, RemoveTrivialBlocks);
  ArrangeAxes(grid, modes);
  grid.what = "Array";
  grid.labels = "the linear index";
  grid.colors = {{0, 8, false, "the linear index modulo 8"}};
  const AllocationSizes allocation = layout.Sizes();
  grid.label_width =
      std::max(Digits(allocation.first_offset + (allocation.padded_elements - 1)), Digits(allocation.first_offset));
  grid.cell = [&layout, axes = grid.axes](std::span<const int64_t> coordinate) {
    const int64_t index = layout.Index(coordinate);
    return GridCell{std::to_string(index), CellDetails(std::to_string(index), axes, coordinate),
                    static_cast<int>(Mod(index, int64_t{8})), false};
  };
  return grid;
}

}  // namespace layoutcheck
