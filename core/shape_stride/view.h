// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Views of an array: a box of its coordinates as an array of its own (TLA's GetTile, TileView, and slices of a Tensor).
//
// The text of views: a suffix of a layout's text, as in "zN:f16[20,40]@[5:12,7:14]".
//
//     view  = layout "@[" range { "," range } "]"      a layout may be a view itself
//     range = [ begin ] ":" [ end ]                    Python's half-open ranges: from 0, up to the extent
//           | "_"                                      the whole mode
//           | index                                    fixes the mode, which the view then does not have
//
// A range may end beyond the extent, as that of a last tile does. Blanks may stand between tokens.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>
#include "layoutcheck/core/base/error.h"
#include "layoutcheck/core/shape_stride/composed_layout.h"

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

// Returns the place of the '@' of the last view in the text, or npos if the text is not meant as a view.
size_t FindView(std::string_view text);
// Parses the view that begins at `at` in the text, of an array with these extents. Errors: syntax, with the column in
// the whole text; another number of ranges than extents, a range that ends before it begins, an index outside of its
// mode (invalid layout).
Expected<View> ParseView(std::string_view text, size_t at, std::span<const int64_t> extents);
// Returns the suffix, such as "@[5:12,7:14]" or "@[0:8,3]".
std::string ToString(const View& view);

// An element of a view that its strided form puts elsewhere.
struct WrongElement {
  std::vector<int64_t> coordinate;  // within the view
  int64_t offset = 0;               // offset that the element has in the whole layout
  int64_t strided_offset = 0;       // offset that the strided form gives it
};

// The strided form of a view. It has the strides and inner blocks of the whole, as many blocks as the tile needs, the
// offset of the view's first element, and the valid extents as its origin shape. It is wrong for a view that begins
// inside of a block of a mode and reaches into the next block, unless the strides go on evenly from block to block.
// `first_wrong` is then the first wrong element along the first mode that has one.
struct StridedView {
  ComposedLayout layout;
  std::optional<WrongElement> first_wrong;

  bool is_right() const { return !first_wrong.has_value(); }
};

// Returns the offset of an element of a view of `whole`, a coordinate within ValidExtents. Errors: those of Crd2Idx.
Expected<int64_t> OffsetInView(const ComposedLayout& whole, const View& view, std::span<const int64_t> coordinate);

// Returns the strided form and decides exactly if it is right, without visiting elements. The form of a view without
// elements has the offset of coordinate 0. Errors: a layout that is not valid, a view of another number of modes
// (invalid argument); basis strides (unsupported); overflow.
Expected<StridedView> StridedViewOf(const ComposedLayout& whole, const View& view);

// Returns "element (0,9) has offset 592, its strides give 96".
std::string ToString(const WrongElement& wrong);

}  // namespace layoutcheck
