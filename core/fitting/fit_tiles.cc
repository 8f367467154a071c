// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <algorithm>
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
constexpr int64_t kLargestRank = 8;  // 40,320 orders of dimensions

// The search for tiles of one table. Each tile leaves its mark in the digits of the coordinates: the digits of a
// dimension change at its entries, and strides are products of entries.
class TileFit {
 public:
  TileFit(const ElementOffsets& table, size_t most) : table_(table), most_(most) {
    std::set<int64_t> strides = {1};
    for (size_t d = 0; d < table.sizes.size(); ++d) {
      std::vector<int64_t>& changes = changes_.emplace_back();
      int64_t product = 1;
      const std::vector<LineDigit> digits = DigitsOf(LineOf(table, d));
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

  std::vector<Layout> Run() {
    const auto rank = static_cast<int64_t>(table_.sizes.size());
    if (rank > kLargestRank) return {};
    for (size_t tiles = 0; tiles <= kMostTiles && found_.empty(); ++tiles) {
      Layout layout = MakeDescendingLayout(rank);
      do {
        AddTiles(layout, tiles);
      } while (std::ranges::prev_permutation(layout.minor_to_major).found);
    }
    std::ranges::stable_sort(found_, {}, SumOfEntries);
    if (found_.size() > most_) found_.resize(most_);
    return std::move(found_);
  }

 private:
  static constexpr size_t kMostFound = 64;

  static double SumOfEntries(const Layout& layout) {
    double sum = 0;
    for (const Tile& tile : layout.tiles) {
      for (const int64_t entry : tile.dimensions) sum += static_cast<double>(entry);
    }
    return sum;
  }

  // Adds to found_ the layouts that fit with `more` tiles behind those of the layout.
  void AddTiles(Layout& layout, size_t more) {
    if (found_.size() >= kMostFound || (more == 0 && !HasStridesOfTile(layout))) return;
    if (!IsIndexOfTiles(layout, more > 0)) return;
    if (more == 0) {
      found_.push_back(layout);
      return;
    }
    const bool is_first = layout.tiles.empty();
    const size_t most_entries = is_first ? table_.sizes.size() : layout.tiles.back().dimensions.size();
    for (size_t entries = 1; entries <= most_entries; ++entries) {
      std::vector<std::vector<int64_t>> choices;
      for (size_t k = entries; k-- > 0;) {
        const int64_t outer = is_first ? 0 : *(layout.tiles.back().dimensions.rbegin() + static_cast<int64_t>(k));
        choices.push_back(EntriesOf(static_cast<size_t>(layout.Minor(static_cast<int64_t>(k))), outer));
        if (k + 1 == entries) std::erase(choices.back(), 1);  // a first entry of 1 says nothing
      }
      std::vector<int64_t> counts;
      for (const auto& choice : choices) counts.push_back(static_cast<int64_t>(choice.size()));
      ForEachIndex(counts, [&](std::span<const int64_t> chosen) {
        Tile& tile = layout.tiles.emplace_back();
        for (size_t k = 0; k < entries; ++k) tile.dimensions.push_back(choices[k][static_cast<size_t>(chosen[k])]);
        AddTiles(layout, more - 1);
        layout.tiles.pop_back();
        return found_.size() < kMostFound;
      });
    }
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
  size_t most_;
  std::vector<std::vector<int64_t>> changes_;    // per dimension, the products of radices at which its digits change
  std::vector<std::optional<int64_t>> strides_;  // per dimension, that of its first digit
  std::set<int64_t> ratios_;                     // of strides, and these divided by a number in changes_
  std::vector<Layout> found_;
};

}  // namespace

std::vector<Layout> FitTiles(const ElementOffsets& table, size_t most) { return TileFit(table, most).Run(); }

}  // namespace layoutcheck
