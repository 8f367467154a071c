// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Views of an array: a box of its coordinates as an array of its own (TLA's GetTile, TileView, and slices of a Tensor).
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>
#include "layoutcheck/core/base/error.h"

namespace layoutcheck {

// The part of one mode of an array that a view has: `tile` coordinates from `begin` on. A mode with is_kept == false is
// fixed at `begin`, and the view does not have it.
struct ViewRange {
  int64_t begin = 0;
  int64_t tile = 1;
  bool is_kept = true;

  bool operator==(const ViewRange&) const = default;
};

// A view of an array whose mode k has `extents[k]` elements. Element c of the view, with one integer per kept mode, is
// element begin + c of the array. A range may reach beyond the array, as at the last tile: the view has the elements
// that are inside both.
struct View {
  std::vector<int64_t> extents;
  std::vector<ViewRange> ranges;  // one per mode of the array

  bool operator==(const View&) const = default;
};

// Returns the view that begins at `origin` and has up to `tile` elements per mode. Errors (invalid argument): another
// number of integers than modes, or one below 0; overflow of origin + tile.
Expected<View> MakeView(std::span<const int64_t> extents, std::span<const int64_t> origin,
                        std::span<const int64_t> tile);
// Returns the view that is tile number `number`, with one integer per mode, of the array cut into tiles: its origin is
// number * tile. Errors: those of MakeView; overflow of the product.
Expected<View> MakeTileView(std::span<const int64_t> extents, std::span<const int64_t> number,
                            std::span<const int64_t> tile);
// Returns the view that fixes each mode at its coordinate and keeps the modes without one (`_`). Errors (invalid
// argument): another number of coordinates than modes, or one outside its mode.
Expected<View> MakeSlice(std::span<const int64_t> extents, std::span<const std::optional<int64_t>> coordinate);
// Returns `inner`, a view of the array that `outer` is, as a view of the array of `outer`. A tile that reaches beyond
// the tile of `outer` ends with it. Errors: `inner` has other extents than `outer` has valid ones (invalid argument);
// overflow of a sum of origins.
Expected<View> ComposeViews(const View& outer, const View& inner);

// Returns the sizes of the view per kept mode: min(tile, max(extent - begin, 0)), TLA's origin shape.
std::vector<int64_t> ValidExtents(const View& view);
// Returns true if the view has no element.
bool IsEmpty(const View& view);
// Returns the coordinate in the array of an element of the view. Requires a coordinate within ValidExtents.
std::vector<int64_t> CoordinateInWhole(const View& view, std::span<const int64_t> coordinate);
// Returns the coordinate in the view of an element of the array, or nothing if the view does not have it.
std::optional<std::vector<int64_t>> CoordinateInView(const View& view, std::span<const int64_t> coordinate);

}  // namespace layoutcheck
