// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/core/tiling/tilings.h"
#include <algorithm>
#include <numeric>
#include "layoutcheck/core/base/str_cat.h"
#include "layoutcheck/core/hlo/parser.h"
#include "layoutcheck/core/tiling/sizes.h"

namespace layoutcheck {

Expected<Tiling> ParseTiling(std::string_view text) {
  constexpr std::string_view kFront = "{0:";
  const auto fail = [&](std::string_view found) {
    return MakeError(ErrorKind::kSyntax, StrCat("expected a tiling such as T(8,128)(2,1), ", found));
  };
  Expected<Layout> layout = ParseLayout(StrCat(kFront, text, "}"));
  if (!layout) return fail(layout.error().message);
  Tiling tiling{.tiles = layout->tiles};
  layout->tiles.clear();
  if (tiling.tiles.empty() || *layout != MakeDescendingLayout(1)) return fail(StrCat("found '", text, "'"));
  for (const Tile& tile : tiling.tiles) {
    for (const int64_t size : tile.dimensions) {
      if (size < 1 && size != Tile::kCombineDimension) {
        return fail(StrCat("in which sizes are positive; found ", size, " in '", text, "'"));
      }
    }
  }
  return tiling;
}

std::span<const Tiling> TpuTilings() {
  static const std::vector<Tiling> tilings = [] {
    struct Family {
      int64_t element_bits;
      std::vector<std::string_view> vectors;
      std::vector<std::string_view> others;
    };
    const Family families[] = {
        {32, {"T(128)", "T(256)", "T(1024)"}, {"T(8,128)", "T(4,128)", "T(2,128)", "T(1,128)"}},
        {16,
         {"T(256)(128)(2,1)", "T(1024)(128)(2,1)"},
         {"T(8,128)(2,1)", "T(16,128)(2,1)", "T(4,128)(2,1)", "T(2,128)(2,1)"}},
        {8, {"T(1024)(128)(4,1)"}, {"T(8,128)(4,1)", "T(32,128)(4,1)"}},
        {4, {}, {"T(8,128)(8,1)", "T(64,128)(8,1)"}},
        {2, {}, {"T(16,128)(16,1)"}},
        {1, {}, {"T(32,128)(32,1)"}},
    };
    std::vector<Tiling> all;
    for (const Family& family : families) {
      for (const std::string_view text : family.vectors) {
        all.push_back({ParseTiling(text)->tiles, family.element_bits, 1});
      }
      for (const std::string_view text : family.others) all.push_back({ParseTiling(text)->tiles, family.element_bits});
    }
    return all;
  }();
  return tilings;
}

namespace {

bool Fits(const Tiling& tiling, const Shape& shape) {
  if (tiling.tiles.empty() || static_cast<int64_t>(tiling.tiles[0].dimensions.size()) > shape.rank()) return false;
  return (tiling.element_bits == 0 || tiling.element_bits == ElementSizeInBits(shape)) &&
         (tiling.rank == 0 || tiling.rank == shape.rank());
}

// Tries all orders of the candidate's dimensions. Keeps those that take fewer than `smallest` elements.
void TryOrders(Shape& candidate, int64_t& smallest, std::optional<Shape>& result) {
  std::vector<int64_t>& order = candidate.layout->minor_to_major;
  std::iota(order.begin(), order.end(), 0);
  do {
    const Expected<LayoutSizes> sizes = SizesOf(candidate);
    if (!sizes || sizes->padded_elements >= smallest) continue;
    smallest = sizes->padded_elements;
    result = candidate;
  } while (std::ranges::next_permutation(order).found);
}

}  // namespace

std::optional<Shape> TightestOrder(const Shape& shape, std::span<const Tiling> tilings) {
  constexpr int64_t kMaxRank = 6;
  const Expected<LayoutSizes> sizes = SizesOf(shape);
  if (!sizes || shape.rank() > kMaxRank) return std::nullopt;
  int64_t smallest = sizes->padded_elements;
  std::optional<Shape> result;
  Shape candidate = shape;
  candidate.layout->split_configs.clear();  // splits name physical dimensions, which change with the order
  TryOrders(candidate, smallest, result);
  for (const Tiling& tiling : tilings) {
    if (!Fits(tiling, shape)) continue;
    candidate.layout->tiles = tiling.tiles;
    TryOrders(candidate, smallest, result);
  }
  return result;
}

}  // namespace layoutcheck
