// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/cli/notations/grid_views.h"
#include <algorithm>
#include <charconv>
#include <functional>
#include <string>
#include <unordered_map>
#include <utility>
#include "layoutcheck/cli/base/count.h"
#include "layoutcheck/core/base/integer.h"
#include "layoutcheck/core/base/str_cat.h"
#include "layoutcheck/core/tiling/tiled_layout.h"
#include "layoutcheck/core/xla_util/permutation.h"

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

// Chooses the axes of a grid that run down and across: `rows_first` takes axes 0 and 1, otherwise it is the last two. A
// single axis runs across.
void ArrangeAxes(CellGrid& grid, bool rows_first) {
  const size_t rank = grid.axes.size();
  if (rank == 1) grid.columns = 0;
  if (rank < 2) return;
  grid.rows = rows_first ? 0 : rank - 2;
  grid.columns = *grid.rows + 1;
}

// Returns "17: y=2 x=3".
std::string CellDetails(std::string_view name, std::span<const GridAxis> axes, std::span<const int64_t> coordinate) {
  std::string text = StrCat(name, ":");
  for (size_t d = 0; d < axes.size(); ++d) StrAppend(text, " ", axes[d].name, "=", coordinate[d]);
  return axes.empty() ? text + " ()" : text;
}

// Maps a coordinate of one layout to that of the corresponding element of the other.
using Correspondence = std::function<Integers(std::span<const int64_t>)>;

// Calls visit(d) for each dimension, the one that counts fastest first.
template <class Visit>
void FastestFirst(size_t rank, bool colexicographic, Visit visit) {
  for (size_t k = 0; k < rank; ++k) visit(colexicographic ? k : rank - 1 - k);
}

// Lets elements correspond by their number.
Correspondence ByNumber(Integers from, Integers to, bool colexicographic) {
  return [from = std::move(from), to = std::move(to), colexicographic](std::span<const int64_t> coordinate) {
    int64_t number = 0;
    int64_t weight = 1;
    FastestFirst(from.size(), colexicographic, [&](size_t d) {
      number += coordinate[d] * weight;
      weight *= from[d];
    });
    Integers result(to.size());
    FastestFirst(to.size(), colexicographic, [&](size_t d) {
      result[d] = number % to[d];
      number /= to[d];
    });
    return result;
  };
}

// Lets element c correspond to the one with coordinates c[permutation[0]], c[permutation[1]], ...
Correspondence ByPermutation(const Integers& permutation) {
  return [permutation](std::span<const int64_t> coordinate) {
    Integers result;
    for (const int64_t d : permutation) result.push_back(coordinate[static_cast<size_t>(d)]);
    return result;
  };
}

// Returns the grid of `layout` with the elements marked that `other` has at another index.
CellGrid MarkedGrid(const AnyLayout& layout, const AnyLayout& other, Correspondence correspondence) {
  CellGrid grid = LogicalGrid(layout);
  grid.marks = "moves";
  grid.colors = {{0, 1, false, "stays"}, {1, 1, true, "moves"}};
  grid.cell = [&layout, &other, correspondence = std::move(correspondence),
               cell = std::move(grid.cell)](std::span<const int64_t> coordinate) {
    PictureCell result = cell(coordinate);
    const int64_t at_other = other.Index(correspondence(coordinate));
    result.marked = layout.Index(coordinate) != at_other;
    result.color = result.marked ? 1 : 0;
    if (result.marked) result.details += ", in the other array at " + std::to_string(at_other);
    return result;
  };
  return grid;
}

struct Holder {
  int64_t thread = 0;
  int64_t value = 0;
};

std::string LabelOf(const Holder& holder) { return StrCat("T", holder.thread, "V", holder.value); }

// Returns the index of an element of a tile, dimension 0 fastest. A layout without outputs has an empty coordinate.
int64_t IndexInTile(std::span<const int64_t> tile, std::span<const int64_t> coordinate) {
  int64_t index = 0;
  for (size_t d = coordinate.size(); d-- > 0;) index = index * tile[d] + coordinate[d];
  return index;
}

// The pairs of threads and values of a layout, and where their elements are in a tile.
struct ThreadValues {
  const AnyLayout& layout;
  std::optional<LinearLayout> in_bits = std::nullopt;
  Integers sizes;                         // sizes of the layout's dimensions
  std::optional<size_t> value_dimension;  // the others, the first one fastest, count threads
  Integers tile;
  int64_t threads = 1;
  int64_t values = 1;

  int64_t IndexOf(const Holder& holder) const {
    Integers coordinate;
    int64_t rest = holder.thread;
    for (size_t d = 0; d < sizes.size(); ++d) {
      coordinate.push_back(d == value_dimension ? holder.value : rest % sizes[d]);
      if (d != value_dimension) rest /= sizes[d];
    }
    const int64_t index = layout.Index(coordinate);
    return in_bits ? IndexInTile(tile, in_bits->OutputParts(static_cast<uint64_t>(index))) : index;
  }
};

Expected<ThreadValues> ThreadValuesOf(const AnyLayout& layout, std::span<const int64_t> tile_sizes) {
  constexpr int64_t kMostPairs = int64_t{1} << 20;
  const CoreForms forms = layout.Forms();
  ThreadValues pairs{.layout = layout, .sizes = layout.Dimensions(), .value_dimension = 1};
  pairs.tile.assign(tile_sizes.begin(), tile_sizes.end());
  if (forms.linear) {
    if (!tile_sizes.empty()) {
      return MakeError(ErrorKind::kInvalidArgument, "a layout in bits has its own tile: expected no --tile");
    }
    pairs.in_bits = forms.linear;
    pairs.value_dimension = forms.linear->FindInput("register");
    for (const LinearOutput& output : forms.linear->outputs()) {
      pairs.tile.push_back(static_cast<int64_t>(output.size()));
    }
    if (pairs.tile.empty()) pairs.tile.push_back(1);
  } else if (!forms.strided || forms.shape || pairs.sizes.size() != 2) {
    return MakeError(ErrorKind::kInvalidArgument,
                     "expected a layout in bits or a shape:stride layout of two modes, threads and values, such as "
                     "((4,8),(2,2)):((32,1),(16,8))");
  }
  if (pairs.tile.empty()) pairs.tile.push_back(layout.Sizes().padded_elements);
  for (size_t d = 0; d < pairs.sizes.size(); ++d) {
    (d == pairs.value_dimension ? pairs.values : pairs.threads) *= pairs.sizes[d];
  }
  if (layout.Sizes().elements > kMostPairs) {
    return MakeError(ErrorKind::kUnsupported, StrCat(pairs.threads, " threads with ", pairs.values,
                                                     " values: expected at most ", kMostPairs, " pairs of both"));
  }
  return pairs;
}

}  // namespace

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
  grid.label_width = std::max(DecimalWidth(allocation.first_offset + (allocation.padded_elements - 1)),
                              DecimalWidth(allocation.first_offset));
  grid.cell = [&layout, axes = grid.axes](std::span<const int64_t> coordinate) {
    const int64_t index = layout.Index(coordinate);
    return PictureCell{std::to_string(index), CellDetails(std::to_string(index), axes, coordinate),
                       static_cast<int>(Mod(index, int64_t{8})), false};
  };
  return grid;
}

GridPair ComparisonGrids(const AnyLayout& a, const AnyLayout& b, const std::optional<Integers>& transpose,
                         const std::optional<MovedElement>& moved) {
  if (a.Sizes().elements != b.Sizes().elements) return {LogicalGrid(a), LogicalGrid(b)};
  const bool colexicographic = !a.Forms().shape && !b.Forms().shape;
  const auto by_number = [&](const AnyLayout& from, const AnyLayout& to) {
    return ByNumber(from.Dimensions(), to.Dimensions(), colexicographic);
  };
  GridPair grids{MarkedGrid(a, b, transpose ? ByPermutation(*transpose) : by_number(a, b)),
                 MarkedGrid(b, a, transpose ? ByPermutation(*InversePermutation(*transpose)) : by_number(b, a))};
  if (moved) {
    grids.a.focus = moved->a;
    grids.b.focus = moved->b;
  }
  return grids;
}

Expected<std::vector<int64_t>> ReadTileSizes(std::string_view text) {
  std::vector<int64_t> sizes;
  CheckedInt64 elements = 1;
  const char* const begin = text.data();
  const char* const end = begin + text.size();
  const char* at = begin;
  for (;;) {
    int64_t size = 0;
    const auto [after, error] = std::from_chars(at, end, size);
    const int64_t column = at - begin + 1;
    if (error == std::errc::result_out_of_range) {
      return MakeError(ErrorKind::kOverflow, "a size does not fit 64 bits", column);
    }
    if (error != std::errc() || size < 1) {
      return MakeError(ErrorKind::kSyntax, "expected a size of at least 1, as in 16x8", column);
    }
    sizes.push_back(size);
    elements = elements * size;
    if (after == end) break;
    if (*after != 'x') {
      return MakeError(ErrorKind::kSyntax, "expected 'x' or the end of the sizes", after - begin + 1);
    }
    at = after + 1;
  }
  if (elements.overflow) return MakeError(ErrorKind::kOverflow, "the number of elements does not fit 64 bits");
  return sizes;
}

Expected<CellGrid> ThreadGrid(const AnyLayout& layout, std::span<const int64_t> tile_sizes) {
  LAYOUTCHECK_TRY(const ThreadValues pairs, ThreadValuesOf(layout, tile_sizes));
  CellGrid grid;
  int64_t elements = 1;
  for (size_t d = 0; d < pairs.tile.size(); ++d) {
    grid.axes.push_back({pairs.tile.size() == 2 ? std::string(1, "mn"[d]) : StrCat("m", d), pairs.tile[d], {}});
    elements *= pairs.tile[d];
  }
  ArrangeAxes(grid, true);

  std::unordered_map<int64_t, Holder> holders;
  bool shared = false;
  for (int64_t thread = 0; thread < pairs.threads; ++thread) {
    for (int64_t value = 0; value < pairs.values; ++value) {
      const int64_t index = pairs.IndexOf({thread, value});
      if (index < 0 || index >= elements) {
        return MakeError(ErrorKind::kInvalidArgument,
                         StrCat("value ", value, " of thread ", thread, " is at ", index, ": expected 0 to ",
                                elements - 1, " in a tile of ", StrJoin(pairs.tile, "x")));
      }
      if (!holders.try_emplace(index, Holder{thread, value}).second) shared = true;
    }
  }
  grid.what = "Tile";
  grid.labels = StrCat("the thread (T) and its value (V)", shared ? ", of several the first" : "");
  if (static_cast<int64_t>(holders.size()) < elements) grid.empty_cells = "in no thread";
  grid.colors = {{0, 8, false, "the thread modulo 8"}};
  grid.label_width = LabelOf({pairs.threads - 1, pairs.values - 1}).size();
  grid.cell = [holders = std::move(holders), axes = grid.axes, tile = pairs.tile](std::span<const int64_t> coordinate) {
    const int64_t index = IndexInTile(tile, coordinate);
    const std::string details = CellDetails(std::to_string(index), axes, coordinate);
    const auto found = holders.find(index);
    if (found == holders.end()) return PictureCell{"", details + ", in no thread", 0, false};
    const Holder& holder = found->second;
    return PictureCell{LabelOf(holder), StrCat(details, ", thread ", holder.thread, ", value ", holder.value),
                       static_cast<int>(holder.thread % 8), false};
  };
  return grid;
}

}  // namespace layoutcheck
