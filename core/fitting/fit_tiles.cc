// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <algorithm>
#include <limits>
#include <ranges>
#include <set>
#include <utility>
#include "layoutcheck/core/base/index_stepper.h"
#include "layoutcheck/core/base/integer.h"
#include "layoutcheck/core/fitting/element_offsets.h"
#include "layoutcheck/core/fitting/offset_line.h"
#include "layoutcheck/core/tiling/tiled_index.h"

namespace layoutcheck {
namespace {

constexpr size_t kMostTiles = 3;
constexpr size_t kLargestRank = 8;     // 40,320 orders of dimensions
constexpr int64_t kWorkOfLayout = 40;  // to begin to compute the offsets of a layout
constexpr size_t kMostFound = 64;

// The least and the largest number of entries of the first tile, where `*` counts with the entry behind it. Tiles with
// more than two are rare in practice, and are most of those to try.
struct FirstTile {
  size_t least;
  size_t most;
};
constexpr FirstTile kFirstTiles[] = {{1, 2}, {3, kLargestRank}};

// The search for tiles of one table. Each tile leaves its mark in the digits of the coordinates: the digits of a
// dimension change at its entries, and strides are products of entries.
class TileFit {
 public:
  // Counts `work` down, and ends at 0. Both arguments must outlive this object.
  TileFit(const ElementOffsets& table, int64_t& work) : table_(table), work_(work) {
    std::set<int64_t> strides = {1};
    for (size_t d = 0; d < table.sizes.size(); ++d) {
      std::vector<int64_t>& changes = changes_.emplace_back();
      int64_t product = 1;
      lines_.push_back(LineOf(table, d));
      const std::vector<LineDigit> digits = DigitsOf(lines_.back());
      strides_.push_back(digits.empty() ? std::nullopt : std::optional(digits.front().stride));
      for (const LineDigit& digit : digits) {
        if (digit.stride > 0) strides.insert(digit.stride);
        product *= digit.radix.value_or(1);
        if (digit.radix) changes.push_back(product);
      }
    }
    for (const int64_t large : strides) {
      for (const int64_t small : strides) {
        if (large == small || large % small != 0) continue;
        const int64_t ratio = large / small;
        ratios_.insert(ratio);
        // A stride may be the product of an entry that its dimension does not fill and of one that shows.
        for (const std::vector<int64_t>& changes : changes_) {
          for (const int64_t change : changes) {
            if (ratio > change && ratio % change == 0) ratios_.insert(ratio / change);
          }
        }
      }
    }
  }

  // Returns the layouts with this number of tiles that fit: with every order of dimensions, or in row-major order.
  std::vector<Layout> InEveryOrder(size_t tiles, const FirstTile& first) {
    first_ = first;
    Layout layout = MakeDescendingLayout(std::ssize(table_.sizes));
    do {
      AddTiles(layout, tiles);
    } while (work_ > 0 && std::ranges::prev_permutation(layout.minor_to_major).found);
    return std::exchange(found_, {});
  }
  std::vector<Layout> RowMajor(size_t tiles, const FirstTile& first) {
    first_ = first;
    Layout layout = MakeDescendingLayout(std::ssize(table_.sizes));
    AddTiles(layout, tiles);
    return std::exchange(found_, {});
  }

 private:
  // Adds to found_ the layouts that fit with `more` tiles behind those of the layout.
  void AddTiles(Layout& layout, size_t more) {
    if (more == 0 && !HasStridesOfTile(layout)) return;
    work_ -= kWorkOfLayout;
    if (!IsIndexOfTiles(layout, more > 0)) return;
    work_ -= std::ssize(table_.offsets);
    if (more == 0) {
      found_.push_back(layout);
      return;
    }
    const bool is_first = layout.tiles.empty();
    const size_t most_entries =
        is_first ? std::min(first_.most, table_.sizes.size()) : layout.tiles.back().dimensions.size();
    for (size_t entries = is_first ? first_.least : 1; entries <= most_entries; ++entries) {
      TileChoices choices{{}, more};
      int64_t limit = std::numeric_limits<int64_t>::max();
      for (size_t k = 0; k < lines_.size(); ++k) {
        const auto dimension = static_cast<size_t>(layout.Minor(static_cast<int64_t>(k)));
        if (k >= entries && lines_[dimension].size() > 1) limit = std::min(limit, lines_[dimension][1]);
        if (k >= entries) continue;
        const int64_t outer = is_first ? 0 : *(layout.tiles.back().dimensions.rbegin() + static_cast<int64_t>(k));
        choices.entries.push_back(EntriesOf(dimension, outer));
        if (k + 1 == entries) std::erase(choices.entries.back(), 1);  // a first entry of 1 says nothing
      }
      layout.tiles.emplace_back().dimensions.assign(entries, 1);
      ChooseEntries(layout, choices, 0, 1, limit);
      layout.tiles.pop_back();
    }
  }

  // The entries that the last tile may have.
  struct TileChoices {
    std::vector<std::vector<int64_t>> entries;  // from the most minor one
    size_t more;                                // tiles with this one
  };

  // Chooses the entries of the last tile from number `k` on, counted from the most minor one, and adds what fits.
  // `product` is that of the entries before. The tile is at most as large as `limit`: an element behind it is so far
  // from the first one.
  void ChooseEntries(Layout& layout, const TileChoices& choices, size_t k, int64_t product, int64_t limit) {
    if (found_.size() >= kMostFound || --work_ <= 0) return;
    if (k == choices.entries.size()) {
      if (HoldsItsLines(layout, product)) AddTiles(layout, choices.more - 1);
      return;
    }
    const std::vector<int64_t>& line = lines_[static_cast<size_t>(layout.Minor(static_cast<int64_t>(k)))];
    for (const int64_t entry : choices.entries[k]) {
      const auto end = static_cast<size_t>(entry);
      const int64_t new_limit = end < line.size() ? std::min(limit, line[end]) : limit;
      const CheckedInt64 size = CheckedInt64(product) * entry;
      if (size.overflow || size.value > new_limit || line[std::min(end, line.size()) - 1] >= new_limit) continue;
      layout.tiles.back().dimensions[choices.entries.size() - 1 - k] = entry;
      ChooseEntries(layout, choices, k + 1, size.value, new_limit);
    }
  }

  // Returns true if the last tile, of this size, holds the last element along each of its entries.
  bool HoldsItsLines(const Layout& layout, int64_t size) const {
    const std::vector<int64_t>& entries = layout.tiles.back().dimensions;
    for (size_t k = 0; k < entries.size(); ++k) {
      const std::vector<int64_t>& line = lines_[static_cast<size_t>(layout.Minor(static_cast<int64_t>(k)))];
      if (line[std::min(static_cast<size_t>(entries[entries.size() - 1 - k]), line.size()) - 1] >= size) return false;
    }
    return true;
  }

  // Returns the entries that a tile may have for the dimension. `outer` is its entry in the tile before, or 0.
  std::vector<int64_t> EntriesOf(size_t dimension, int64_t outer) const {
    std::set<int64_t> entries = {1};
    entries.insert(changes_[dimension].begin(), changes_[dimension].end());
    // An entry that the dimension does not fill, or behind which its stride goes on, shows in the strides of others.
    entries.insert(ratios_.begin(), ratios_.end());
    if (outer != 0) std::erase_if(entries, [outer](int64_t entry) { return entry > outer; });
    return {entries.begin(), entries.end()};
  }

  // Returns true if neighbors within the last tile are as far apart as they have to be, which few tiles fulfill.
  bool HasStridesOfTile(const Layout& layout) const {
    if (layout.tiles.empty()) return true;
    const std::vector<int64_t>& entries = layout.tiles.back().dimensions;
    CheckedInt64 stride = 1;
    for (size_t k = 0; k < entries.size(); ++k) {
      const int64_t entry = entries[entries.size() - 1 - k];
      const std::optional<int64_t> found = strides_[static_cast<size_t>(layout.Minor(static_cast<int64_t>(k)))];
      if (stride.overflow || (entry > 1 && found && *found != stride.value)) return false;
      stride = stride * entry;
    }
    return true;
  }

  // Returns true if the layout has the offsets of the table. With `only_tiles`, it has to place each element in the
  // right one of its last tiles, whatever the order within: further tiles change nothing else.
  bool IsIndexOfTiles(const Layout& layout, bool only_tiles) const {
    if (only_tiles && layout.tiles.empty()) return true;
    const auto index = MakeTiledIndex(Shape::Array(ElementType::kF32, table_.sizes, layout));
    if (!index) return false;
    if (!only_tiles) return table_.IsIndex(*index);
    CheckedInt64 size = 1;
    for (const int64_t entry : layout.tiles.back().dimensions) size = size * entry;
    if (size.overflow) return false;
    return table_.IsIndex([&](std::span<const int64_t> coordinate) {
      const int64_t offset = table_.At(coordinate);
      const bool is_in_tile = FloorDiv((*index)(coordinate), size.value) == FloorDiv(offset, size.value);
      return is_in_tile ? std::optional(offset) : std::nullopt;
    });
  }

  const ElementOffsets& table_;
  int64_t& work_;
  FirstTile first_{};
  std::vector<std::vector<int64_t>> lines_;      // LineOf each dimension
  std::vector<std::vector<int64_t>> changes_;    // per dimension, the products of radices at which its digits change
  std::vector<std::optional<int64_t>> strides_;  // per dimension, that of its first digit
  std::set<int64_t> ratios_;                     // of strides, and these divided by a number in changes_
  std::vector<Layout> found_;
};

double SumOfEntries(const Layout& layout) {
  double sum = 0;
  for (const Tile& tile : layout.tiles) {
    for (const int64_t entry : tile.dimensions)
      sum += entry == Tile::kCombineDimension ? 0 : static_cast<double>(entry);
  }
  return sum;
}

// The search for tiles whose first one combines dimensions: such a layout is a tiling of the array in which these
// dimensions are one.
class CombinedFit {
 public:
  // As TileFit.
  CombinedFit(const ElementOffsets& table, int64_t& work) : table_(table), work_(work) {}

  std::vector<Layout> InEveryOrder(size_t tiles, const FirstTile& first) {
    std::vector<Layout> found;
    if (tiles == 0) return found;
    const size_t rank = table_.sizes.size();
    Layout layout = MakeDescendingLayout(std::ssize(table_.sizes));
    do {
      const ElementOffsets ordered = InOrder(layout);
      work_ -= std::ssize(ordered.offsets);
      // Bit k: the dimension that k others are more minor than is combined with the next more minor one.
      for (uint64_t combined = 2; combined < uint64_t{1} << rank && work_ > 0; combined += 2) {
        const ElementOffsets merged{Merged(ordered.sizes, combined), ordered.offsets};
        work_ -= kWorkOfLayout + std::ssize(merged.offsets) / 64;  // copied
        for (const Layout& fit : TileFit(merged, work_).RowMajor(tiles, first)) {
          if (auto whole = Expanded(layout, fit, combined)) found.push_back(*std::move(whole));
        }
      }
    } while (found.size() < kMostFound && work_ > 0 && std::ranges::prev_permutation(layout.minor_to_major).found);
    return found;
  }

 private:
  // Returns the table of the array whose dimensions have the order of the layout, the most major one first.
  ElementOffsets InOrder(const Layout& layout) const {
    ElementOffsets ordered;
    const std::vector<int64_t> dimensions(layout.minor_to_major.rbegin(), layout.minor_to_major.rend());
    for (const int64_t d : dimensions) ordered.sizes.push_back(table_.sizes[static_cast<size_t>(d)]);
    std::vector<int64_t> coordinate(dimensions.size());
    ForEachIndex(ordered.sizes, [&](std::span<const int64_t> index) {
      for (size_t k = 0; k < dimensions.size(); ++k) coordinate[static_cast<size_t>(dimensions[k])] = index[k];
      ordered.offsets.push_back(table_.At(coordinate));
    });
    return ordered;
  }

  static bool IsCombined(uint64_t combined, size_t from_minor) { return (combined >> from_minor & 1) != 0; }

  // Returns the sizes, the most major one first, with the combined ones multiplied.
  static std::vector<int64_t> Merged(const std::vector<int64_t>& sizes, uint64_t combined) {
    std::vector<int64_t> merged;
    for (size_t k = 0; k < sizes.size(); ++k) {
      if (k > 0 && IsCombined(combined, sizes.size() - k)) {
        merged.back() *= sizes[k];
      } else {
        merged.push_back(sizes[k]);
      }
    }
    return merged;
  }

  // Returns the layout of the whole array, with `*` in its first tile, or nothing if the tile does not reach all of the
  // combined dimensions.
  static std::optional<Layout> Expanded(const Layout& order, const Layout& fit, uint64_t combined) {
    Layout layout = order;
    layout.tiles = fit.tiles;
    std::vector<int64_t> entries;  // from the most minor one
    size_t from_minor = 0;
    for (const int64_t entry : std::views::reverse(fit.tiles.front().dimensions)) {
      entries.push_back(entry);
      while (IsCombined(combined, ++from_minor)) entries.push_back(Tile::kCombineDimension);
    }
    if (combined >> from_minor != 0) return std::nullopt;
    layout.tiles.front().dimensions.assign(entries.rbegin(), entries.rend());
    return layout;
  }

  const ElementOffsets& table_;
  int64_t& work_;
};

}  // namespace

TileFits FitTiles(const ElementOffsets& table, size_t most, int64_t most_work) {
  TileFits fits;
  if (table.sizes.size() > kLargestRank) return fits;
  const auto search = [&](auto&& fit, const FirstTile& first) {
    for (size_t tiles = 0; tiles <= kMostTiles && fits.layouts.empty(); ++tiles) {
      fits.layouts = fit.InEveryOrder(tiles, first);
    }
  };
  for (const FirstTile& first : kFirstTiles) {
    int64_t work = most_work;
    search(TileFit(table, work), first);
    int64_t work_on_combined = most_work;
    search(CombinedFit(table, work_on_combined), first);
    fits.is_complete = fits.is_complete && work > 0 && work_on_combined > 0;
  }
  std::ranges::stable_sort(fits.layouts, {}, SumOfEntries);
  if (fits.layouts.size() > most) fits.layouts.resize(most);
  return fits;
}

}  // namespace layoutcheck
