// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Test support: tiled layouts in the notation of HLO's numbers.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>
#include "layoutcheck/core/hlo/printer.h"
#include "layoutcheck/core/tiling/tiled_layout.h"

namespace layoutcheck {

inline constexpr int64_t kStar = Tile::kCombineDimension;  // stands for `*` in the tiles of MakeTiled

inline TiledLayout MakeTiled(std::vector<int64_t> dimensions, std::vector<int64_t> minor_to_major,
                             const std::vector<std::vector<int64_t>>& tiles) {
  TiledLayout layout{std::move(dimensions), std::move(minor_to_major), {}};
  for (const auto& tile : tiles) {
    auto& entries = layout.tiles.emplace_back();
    for (const int64_t size : tile) entries.push_back({size == kStar, size == kStar ? 1 : size});
  }
  return layout;
}

// Returns the HLO text of an f32 array with the layout.
inline std::string Describe(const TiledLayout& layout) {
  Layout text(layout.minor_to_major);
  for (const auto& tile : layout.tiles) {
    Tile& entries = text.tiles.emplace_back();
    for (const auto& entry : tile) entries.dimensions.push_back(entry.combine ? kStar : entry.size);
  }
  return ToString(Shape::Array(ElementType::kF32, layout.dimensions, text));
}

}  // namespace layoutcheck
