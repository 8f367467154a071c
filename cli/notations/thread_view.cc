// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/cli/notations/thread_view.h"
#include <algorithm>
#include <charconv>
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
  const std::vector<int64_t> modes = layout.Dimensions();
  if (!forms.strided || forms.shape || modes.size() != 2) {
    return MakeError(ErrorKind::kInvalidArgument,
                     "expected a shape:stride layout of two modes, threads and values, such as "
                     "((4,8),(2,2)):((32,1),(16,8))");
  }
  if (layout.Sizes().elements > kMostPairs) {
    return MakeError(ErrorKind::kUnsupported, StrCat(modes[0], " threads with ", modes[1], " values: expected at most ",
                                                     kMostPairs, " pairs of both"));
  }
  CellGrid grid;
  int64_t elements = 1;
  std::vector<int64_t> sizes(tile_sizes.begin(), tile_sizes.end());
  if (sizes.empty()) sizes.push_back(layout.Sizes().padded_elements);
  for (size_t d = 0; d < sizes.size(); ++d) {
    grid.axes.push_back({sizes.size() == 2 ? std::string(1, "mn"[d]) : StrCat("m", d), sizes[d], {}});
    elements *= sizes[d];
  }
  ArrangeAxes(grid, true);

  std::unordered_map<int64_t, Holder> holders;
  bool shared = false;
  for (int64_t thread = 0; thread < modes[0]; ++thread) {
    for (int64_t value = 0; value < modes[1]; ++value) {
      const int64_t index = layout.Index(std::vector<int64_t>{thread, value});
      if (index < 0 || index >= elements) {
        return MakeError(ErrorKind::kInvalidArgument,
                         StrCat("value ", value, " of thread ", thread, " is at ", index, ": expected 0 to ",
                                elements - 1, " in a tile of ", StrJoin(sizes, "x")));
      }
      if (!holders.try_emplace(index, Holder{thread, value}).second) shared = true;
    }
  }
  grid.what = "Tile";
  grid.labels = StrCat("the thread (T) and its value (V)", shared ? ", of several the first" : "");
  if (static_cast<int64_t>(holders.size()) < elements) grid.empty_cells = "in no thread";
  grid.colors = {{0, 8, false, "the thread modulo 8"}};
  grid.label_width = LabelOf({modes[0] - 1, modes[1] - 1}).size();
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
