// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/properties/generate/layout_statistics.h"
#include <fmt/format.h>
#include <algorithm>
#include <iterator>
#include <limits>
#include "layoutcheck/core/tiling/sizes.h"

namespace layoutcheck {

void LayoutStatistics::Count(const Shape& shape) {
  const Layout& layout = *shape.layout;
  const auto rank = static_cast<size_t>(shape.rank());
  ++total_;
  if (rank < kRanks) ++ranks_[rank];
  if (layout.tiles.size() < kTilings) ++tilings_[layout.tiles.size()];

  bool row_major = true;
  bool involution = true;
  for (size_t k = 0; k < rank; ++k) {
    const auto p = static_cast<size_t>(layout.Major(static_cast<int64_t>(k)));
    row_major = row_major && p == k;
    involution = involution && static_cast<size_t>(layout.Major(static_cast<int64_t>(p))) == k;
  }
  bool longer = false;
  bool shorter = false;
  bool combines = false;
  for (const Tile& tile : layout.tiles) {
    longer = longer || tile.dimensions.size() > rank;
    shorter = shorter || tile.dimensions.size() < rank;
    combines = combines || std::ranges::find(tile.dimensions, Tile::kCombineDimension) != tile.dimensions.end();
  }
  constexpr int64_t kOverflow = std::numeric_limits<int64_t>::max();
  const int64_t elements = TiledElements(shape, 0).value_or(kOverflow);
  const int64_t first = TiledElements(shape, std::min<size_t>(layout.tiles.size(), 1)).value_or(kOverflow);
  const int64_t all = TiledElements(shape, layout.tiles.size()).value_or(kOverflow);
  const bool has_property[] = {
      rank > 1 && row_major,
      rank > 1 && !row_major && involution,
      !involution,
      std::ranges::find(shape.dimensions, 0) != shape.dimensions.end(),
      std::ranges::find(shape.dimensions, 1) != shape.dimensions.end(),
      shape.HasDynamicDimension(),
      longer,
      shorter,
      combines,
      first > elements,
      all > first,
      layout.tail_padding_alignment_in_elements != 1,
      layout.element_size_in_bits != 0,
      layout.memory_space != 0,
      !layout.split_configs.empty(),
      layout.dynamic_shape_metadata_prefix_bytes != 0,
  };
  static_assert(std::size(has_property) == kProperties);
  for (size_t k = 0; k < kProperties; ++k) properties_[k] += has_property[k] ? 1 : 0;
}

std::map<std::string, int64_t> LayoutStatistics::classes() const {
  static constexpr std::array<const char*, kProperties> kNames = {
      "order row major",
      "order involution",
      "order not an involution",
      "dimension 0",
      "dimension 1",
      "dynamic dimension",
      "tile longer than the array",
      "tile shorter than the array",
      "tile with *",
      "padding of the first tile",
      "padding of a later tile",
      "tail padding L",
      "element size E",
      "memory space S",
      "split config SC",
      "metadata prefix M",
  };
  std::map<std::string, int64_t> result;
  for (size_t r = 0; r < kRanks; ++r) result[fmt::format("rank {}", r)] = ranks_[r];
  for (size_t n = 0; n < kTilings; ++n) result[fmt::format("tiles {}", n)] = tilings_[n];
  for (size_t k = 0; k < kProperties; ++k) result[kNames[k]] = properties_[k];
  return result;
}

std::string LayoutStatistics::ToString() const {
  std::string text;
  for (const auto& [name, count] : classes()) {
    text += fmt::format("{}{} {:.1f}%", text.empty() ? "" : ", ", name,
                        total_ == 0 ? 0.0 : 100.0 * static_cast<double>(count) / static_cast<double>(total_));
  }
  return text;
}

}  // namespace layoutcheck
