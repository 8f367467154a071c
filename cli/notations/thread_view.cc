// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/cli/notations/thread_view.h"
#include <algorithm>
#include <charconv>
#include <functional>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>
#include "layoutcheck/cli/notations/logical_view.h"
#include "layoutcheck/core/base/integer.h"
#include "layoutcheck/core/base/str_cat.h"

namespace layoutcheck {
namespace {

constexpr int64_t kMostPairs = int64_t{1} << 20;

struct Holder {
  int64_t thread = 0;
  int64_t value = 0;
};

std::string LabelOf(const Holder& holder) { return StrCat("T", holder.thread, "V", holder.value); }

// Returns the index of an element of a tile, dimension 0 fastest.
int64_t IndexInTile(std::span<const GridAxis> axes, std::span<const int64_t> coordinate) {
  int64_t index = 0;
  for (size_t d = axes.size(); d-- > 0;) index = index * axes[d].size + coordinate[d];
  return index;
}

// The pairs of threads and values of a layout, and where their elements are in a tile.
struct ThreadValues {
  int64_t threads = 1;
  int64_t values = 1;
  std::vector<int64_t> tile;
  std::function<int64_t(const Holder&)> index;  // in the tile, its dimension 0 fastest
};

Expected<void> CheckPairs(int64_t pairs, std::string_view threads, std::string_view values) {
  if (pairs <= kMostPairs) return {};
  return MakeError(ErrorKind::kUnsupported, StrCat(threads, " threads with ", values, " values: expected at most ",
                                                   kMostPairs, " pairs of both"));
}

// Returns the pairs of a layout of two modes. The result refers to the layout.
Expected<ThreadValues> PairsOfStrides(const AnyLayout& layout, const CoreForms& forms,
                                      std::span<const int64_t> tile_sizes) {
  const std::vector<int64_t> modes = layout.Dimensions();
  if (!forms.strided || forms.shape || modes.size() != 2) {
    return MakeError(ErrorKind::kInvalidArgument,
                     "expected a layout in bits or a shape:stride layout of two modes, threads and values, such as "
                     "((4,8),(2,2)):((32,1),(16,8))");
  }
  if (auto few = CheckPairs(layout.Sizes().elements, StrCat(modes[0]), StrCat(modes[1])); !few) {
    return std::unexpected(few.error());
  }
  ThreadValues pairs{modes[0], modes[1], std::vector<int64_t>(tile_sizes.begin(), tile_sizes.end()), {}};
  if (pairs.tile.empty()) pairs.tile.push_back(layout.Sizes().padded_elements);
  pairs.index = [&layout](const Holder& holder) {
    return layout.Index(std::vector<int64_t>{holder.thread, holder.value});
  };
  return pairs;
}

// Returns the pairs of a layout in bits: `register` counts values, and all other inputs, the first one fastest, count
// threads. The tile is that of the outputs.
Expected<ThreadValues> PairsInBits(const LinearLayout& layout, std::span<const int64_t> tile_sizes) {
  if (!tile_sizes.empty()) {
    return MakeError(ErrorKind::kInvalidArgument, "a layout in bits has its own tile: expected no --tile");
  }
  ThreadValues pairs;
  const std::optional<size_t> value_input = layout.FindInput("register");
  const std::vector<int64_t> sizes = layout.InputSizes();
  CheckedInt64 threads = 1;
  for (size_t k = 0; k < sizes.size(); ++k) {
    if (k == value_input)
      pairs.values = sizes[k];
    else
      threads = threads * sizes[k];
  }
  const CheckedInt64 all = threads * pairs.values;  // at most 2^LinearLayout::kMaxBits
  if (auto few = CheckPairs(all.value, StrCat(threads.value), StrCat(pairs.values)); !few) {
    return std::unexpected(few.error());
  }
  pairs.threads = threads.value;
  std::vector<GridAxis> axes;
  for (const LinearOutput& output : layout.outputs()) {
    pairs.tile.push_back(static_cast<int64_t>(output.size()));
    axes.push_back({output.name, pairs.tile.back(), {}});
  }
  if (pairs.tile.empty()) pairs.tile.push_back(1);
  pairs.index = [layout, value_input, sizes, axes](const Holder& holder) {
    std::vector<int64_t> coordinate;
    int64_t rest = holder.thread;
    for (size_t k = 0; k < sizes.size(); ++k) {
      coordinate.push_back(k == value_input ? holder.value : rest % sizes[k]);
      if (k != value_input) rest /= sizes[k];
    }
    return IndexInTile(axes, layout.OutputParts(static_cast<uint64_t>(layout.Index(coordinate))));
  };
  return pairs;
}

}  // namespace

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
  const CoreForms forms = layout.Forms();
  const Expected<ThreadValues> pairs =
      forms.linear ? PairsInBits(*forms.linear, tile_sizes) : PairsOfStrides(layout, forms, tile_sizes);
  if (!pairs) return std::unexpected(pairs.error());
  CellGrid grid;
  int64_t elements = 1;
  for (size_t d = 0; d < pairs->tile.size(); ++d) {
    grid.axes.push_back({pairs->tile.size() == 2 ? std::string(1, "mn"[d]) : StrCat("m", d), pairs->tile[d], {}});
    elements *= pairs->tile[d];
  }
  ArrangeAxes(grid, true);

  std::unordered_map<int64_t, Holder> holders;
  bool shared = false;
  for (int64_t thread = 0; thread < pairs->threads; ++thread) {
    for (int64_t value = 0; value < pairs->values; ++value) {
      const int64_t index = pairs->index({thread, value});
      if (index < 0 || index >= elements) {
        return MakeError(ErrorKind::kInvalidArgument,
                         StrCat("value ", value, " of thread ", thread, " is at ", index, ": expected 0 to ",
                                elements - 1, " in a tile of ", StrJoin(pairs->tile, "x")));
      }
      if (!holders.try_emplace(index, Holder{thread, value}).second) shared = true;
    }
  }
  grid.what = "Tile";
  grid.labels = StrCat("the thread (T) and its value (V)", shared ? ", of several the first" : "");
  if (static_cast<int64_t>(holders.size()) < elements) grid.empty_cells = "in no thread";
  grid.colors = {{0, 8, false, "the thread modulo 8"}};
  grid.label_width = LabelOf({pairs->threads - 1, pairs->values - 1}).size();
  grid.cell = [holders = std::move(holders), axes = grid.axes](std::span<const int64_t> coordinate) {
    const int64_t index = IndexInTile(axes, coordinate);
    const std::string details = CellDetails(std::to_string(index), axes, coordinate);
    const auto found = holders.find(index);
    if (found == holders.end()) return GridCell{"", details + ", in no thread", 0, false};
    const Holder& holder = found->second;
    return GridCell{LabelOf(holder), StrCat(details, ", thread ", holder.thread, ", value ", holder.value),
                    static_cast<int>(holder.thread % 8), false};
  };
  return grid;
}

}  // namespace layoutcheck
