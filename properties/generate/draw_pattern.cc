// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/properties/generate/draw_pattern.h"
#include <algorithm>
#include <array>
#include <iterator>
#include <utility>
#include "layoutcheck/core/tiling/sizes.h"

namespace layoutcheck {
namespace {

constexpr int64_t kPrimes[] = {2, 3, 5, 7, 11, 13, 17, 31, 61, 127};
constexpr int64_t kTileSizes[] = {64, 2, 128, 3, 64, 1, 5, 16};
constexpr int kAttempts = 8;

// Draws a size about one of the tiles that cut the dimension.
int64_t DrawNearTile(Choices& choices, const std::vector<int64_t>& periods, bool any) {
  const int64_t tile = periods[choices.Choose(4) == 3 ? choices.Choose(periods.size()) : 0];
  const int64_t off = std::array{1, -1, 1, 0}[choices.Choose(4)];
  const int64_t tiles = any && choices.Choose(4) == 3 ? 2 + static_cast<int64_t>(choices.Choose(2)) : 1;
  return tile * tiles + off;
}

// Draws a size of a dimension without regard to tiles.
int64_t DrawFree(Choices& choices, bool any) {
  if (!any || choices.Choose(2) == 0) return 1 + static_cast<int64_t>(choices.Choose(3));
  const uint64_t kind = choices.Choose(8);
  if (kind == 7) return 0;
  if (kind >= 4) return 1 + static_cast<int64_t>(choices.Choose(9));
  return kPrimes[choices.Choose(std::size(kPrimes))];
}

// Returns the periods of a name. Those of a dimension that a named tile cuts are only known once the tile has its
// value.
std::vector<int64_t> PeriodsOf(const LayoutPattern& pattern, std::span<const int64_t> values, size_t name) {
  std::vector<int64_t> periods = pattern.names()[name].periods;
  if (!periods.empty()) return periods;
  for (size_t tile = 0; tile < pattern.names().size(); ++tile) {
    if (pattern.names()[tile].is_tile) periods.push_back(std::max<int64_t>(values[tile], 1));
  }
  return periods;
}

// Returns the names of dimensions that are to be near a tile: one, or half of the time all of them.
std::vector<bool> DrawFocus(Choices& choices, const LayoutPattern& pattern, std::span<const int64_t> values) {
  std::vector<bool> focus(pattern.names().size());
  std::vector<size_t> tiled;
  for (size_t n = 0; n < focus.size(); ++n) {
    if (!pattern.names()[n].is_tile && !PeriodsOf(pattern, values, n).empty()) tiled.push_back(n);
  }
  if (tiled.empty()) return focus;
  const size_t one = tiled[choices.Choose(tiled.size())];
  const bool all = choices.Choose(2) == 1;
  for (const size_t n : tiled) focus[n] = all || n == one;
  return focus;
}

// Sets one dimension so that the array has about as many elements or bytes as a narrow integer can count.
void MakeHuge(Choices& choices, const LayoutPattern& pattern, std::vector<int64_t>& values) {
  std::vector<size_t> dimensions;
  for (size_t n = 0; n < values.size(); ++n) {
    if (!pattern.names()[n].is_tile) dimensions.push_back(n);
  }
  if (dimensions.empty()) return;
  for (const size_t n : dimensions) values[n] = std::max<int64_t>(values[n], 1);  // an element is asked for
  const size_t large = dimensions[choices.Choose(dimensions.size())];
  const int64_t limit = int64_t{1} << (31 + choices.Choose(2));
  const bool bytes = choices.Choose(4) == 3;
  const std::vector<int64_t> periods = PeriodsOf(pattern, values, large);
  const int64_t tile = periods.empty() ? 1 : periods[0];
  values[large] = tile;
  const Expected<Shape> one_tile = pattern.ShapeWith(values);
  if (!one_tile) return;
  const Expected<LayoutSizes> sizes = SizesOf(*one_tile);
  if (!sizes) return;
  const int64_t per_tile = std::max<int64_t>(bytes ? sizes->bytes : sizes->padded_elements, 1);
  const int64_t off = std::array<int64_t, 5>{1, 0, -1, tile, -tile}[choices.Choose(5)];
  values[large] = std::max<int64_t>(1, (limit / per_tile) * tile + off);
}

// Makes the largest dimension smaller. Returns false if all are 1.
bool Reduce(const LayoutPattern& pattern, int64_t elements, const LayoutScope& scope, std::vector<int64_t>& values) {
  size_t largest = values.size();
  for (size_t n = 0; n < values.size(); ++n) {
    if (values[n] > 1 && (largest == values.size() || values[n] > values[largest])) largest = n;
  }
  if (largest == values.size()) return false;
  int64_t& value = values[largest];
  const int64_t others = elements / value;
  const int64_t most = std::max<int64_t>(scope.max_elements / std::max<int64_t>(others, 1), 1);
  const bool too_many = !pattern.names()[largest].is_tile && value > most;
  value = too_many ? 1 + value % most : value / 2;
  return true;
}

}  // namespace

std::vector<int64_t> DrawValues(Choices& choices, const LayoutPattern& pattern, DrawnSizes sizes) {
  const bool any = sizes == DrawnSizes::kAny;
  std::vector<int64_t> values(pattern.names().size(), 1);
  for (size_t n = 0; n < values.size(); ++n) {
    if (pattern.names()[n].is_tile) values[n] = kTileSizes[choices.Choose(std::size(kTileSizes))];
  }
  const std::vector<bool> focus = DrawFocus(choices, pattern, values);
  for (size_t n = 0; n < values.size(); ++n) {
    if (pattern.names()[n].is_tile) continue;
    values[n] = focus[n] ? DrawNearTile(choices, PeriodsOf(pattern, values, n), any) : DrawFree(choices, any);
  }
  if (sizes == DrawnSizes::kHuge) MakeHuge(choices, pattern, values);
  return values;
}

std::optional<PatternLayout> DrawFromPattern(Choices& choices, const LayoutPattern& pattern, DrawnSizes sizes,
                                             const LayoutScope& scope) {
  for (int attempt = 0; attempt < kAttempts; ++attempt) {
    std::vector<int64_t> values = DrawValues(choices, pattern, sizes);
    for (;;) {
      Expected<Shape> shape = pattern.ShapeWith(values);
      if (!shape) break;
      const Expected<LayoutSizes> drawn = SizesOf(*shape);
      const bool fits = drawn && (sizes == DrawnSizes::kHuge || (drawn->elements <= scope.max_elements &&
                                                                 drawn->padded_elements <= scope.max_padded_elements));
      if (fits) return PatternLayout{std::move(values), *std::move(shape)};
      if (!drawn || !Reduce(pattern, drawn->elements, scope, values)) break;
    }
  }
  return std::nullopt;
}

}  // namespace layoutcheck
