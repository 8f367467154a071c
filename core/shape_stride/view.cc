// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/core/shape_stride/view.h"
#include <algorithm>
#include <limits>
#include <utility>
#include "layoutcheck/core/base/integer.h"
#include "layoutcheck/core/base/str_cat.h"
#include "layoutcheck/core/base/text_cursor.h"
#include "layoutcheck/core/shape_stride/evaluate.h"

namespace layoutcheck {
namespace {

Expected<void> CheckNumbers(std::span<const int64_t> extents, std::span<const int64_t> numbers, std::string_view what) {
  if (numbers.size() != extents.size()) {
    return ArgumentError(what, " (", StrJoin(numbers, ","), "): expected ", extents.size(), " integers, one per mode");
  }
  for (const int64_t number : numbers) {
    if (number >= 0) continue;
    return ArgumentError(what, " (", StrJoin(numbers, ","), "): expected no integer below 0");
  }
  return {};
}

int64_t ValidExtent(const ViewRange& range, int64_t extent) {
  return std::min(range.tile, std::max<int64_t>(extent - range.begin, 0));
}

Expected<int64_t> ReadNumber(TextCursor& cursor, std::string_view what) {
  cursor.SkipBlanks();
  const TextCursor at_number = cursor;
  const Expected<int64_t> number = cursor.TakeInteger();
  if (number && *number >= 0) return number;
  if (!number && number.error().kind != ErrorKind::kOverflow) return at_number.Unexpected(what);
  return at_number.Fail(StrCat("expected ", what, " from 0 to ", std::numeric_limits<int64_t>::max()));
}

Expected<ViewRange> ReadRange(TextCursor& cursor, int64_t extent) {
  if (cursor.Take("_")) return ViewRange{0, extent};
  const int64_t column = cursor.NextColumn();
  const bool has_begin = cursor.AtInteger();
  if (!has_begin && !cursor.Sees(":")) return cursor.Unexpected("a range begin:end, an index or '_'");
  LAYOUTCHECK_TRY(const int64_t begin, has_begin ? ReadNumber(cursor, "an index") : Expected<int64_t>(0));
  if (!cursor.Take(":")) {
    if (begin < extent) return ViewRange{begin, 1, false};
    return ErrorAt(column, LayoutError("index ", begin, " is outside of the mode's ", extent, " elements"));
  }
  cursor.SkipBlanks();
  const bool has_end = cursor.AtInteger();
  LAYOUTCHECK_TRY(const int64_t end,
                  has_end ? ReadNumber(cursor, "the end of the range") : Expected<int64_t>(std::max(begin, extent)));
  if (end < begin) return ErrorAt(column, LayoutError("range ", begin, ":", end, " ends before it begins"));
  return ViewRange{begin, end - begin};
}

using CheckedLeaf = BasicStridedMode<CheckedInt64>;

// Returns the leaves without those of extent 1, and with neighbors merged whose strides go on evenly: no carry from
// one to the other changes the offset. The last leaf is unbounded, so its extent is kept as it is.
std::vector<CheckedLeaf> MergedLeaves(const ShapeStrideLayout& mode) {
  const std::vector<IntTuple> extents = Leaves(mode.shape);
  const std::vector<IntTuple> strides = Leaves(mode.stride);
  std::vector<CheckedLeaf> merged;
  for (size_t i = 0; i < extents.size(); ++i) {
    const CheckedLeaf leaf{extents[i].value(), strides[i].value()};
    const bool is_last = i + 1 == extents.size();
    if (leaf.extent.value == 1 && !is_last) continue;
    if (!merged.empty()) {
      const CheckedInt64 even = merged.back().extent * merged.back().stride;
      const CheckedInt64 extent = merged.back().extent * leaf.extent;
      if (!even.overflow && even.value == leaf.stride.value && !extent.overflow) {
        merged.back().extent = extent;
        continue;
      }
    }
    merged.push_back(leaf);
  }
  return merged;
}

// Returns the first coordinate c < valid of the mode with f(begin + c) != f(begin) + f(c), where f is the offset in the
// mode, or nothing.
//
// Adding begin and c in the mixed radix of the leaves, a carry out of leaf i changes the sum by stride(i+1) - extent(i)
// * stride(i), which is not 0 after merging. Let i be the lowest leaf with a remainder r = begin mod P != 0, where P is
// the product of the extents up to it. The first carry of all is at c = P - r, out of leaf i, and perhaps on through
// the leaves above it. If these changes cancel, they no longer do at c = P, where leaf i has no carry and the ones
// above still do.
std::optional<int64_t> FirstWrong(const ShapeStrideLayout& mode, int64_t begin, int64_t valid) {
  const std::vector<CheckedLeaf> leaves = MergedLeaves(mode);
  const auto offset = [&](CheckedInt64 c) { return IntegralOffset<CheckedInt64>(leaves, c); };
  CheckedInt64 block = 1;
  for (size_t i = 0; i + 1 < leaves.size(); ++i) {
    block = block * leaves[i].extent;
    if (block.overflow || block.value < 1) return std::nullopt;  // no coordinate reaches the end of the block
    const int64_t inside = begin % block.value;
    if (inside == 0) continue;
    for (const int64_t c : {block.value - inside, block.value}) {
      if (c >= valid) return std::nullopt;
      const CheckedInt64 exact = offset(CheckedInt64(begin) + c);
      const CheckedInt64 strided = offset(begin) + offset(c);
      if (exact.overflow || strided.overflow || exact.value != strided.value) return c;
    }
    return std::nullopt;
  }
  return std::nullopt;
}

// Returns the shape of a mode that holds `tile` coordinates: the inner extents, and as many blocks as needed.
IntTuple TileShape(const IntTuple& shape, int64_t tile) {
  std::vector<IntTuple> extents = Leaves(shape);
  if (extents.empty()) return shape;
  CheckedInt64 block = 1;
  for (size_t i = 0; i + 1 < extents.size(); ++i) block = block * extents[i].value();
  const bool has_block = !block.overflow && block.value > 0;
  extents.back() = extents.back().WithValue(has_block ? CeilDiv(tile, block.value) : std::min<int64_t>(tile, 1));
  return Unflatten(shape, extents);
}

IntTuple CoordinateOf(const ShapeStrideLayout& layout, const std::vector<int64_t>& numbers) {
  if (layout.shape.is_leaf()) return numbers.front();
  return IntTuple::Tuple(std::vector<IntTuple>(numbers.begin(), numbers.end()));
}

}  // namespace

Expected<View> MakeView(std::span<const int64_t> extents, std::span<const int64_t> origin,
                        std::span<const int64_t> tile) {
  LAYOUTCHECK_RETURN_IF_ERROR(CheckNumbers(extents, origin, "origin"));
  LAYOUTCHECK_RETURN_IF_ERROR(CheckNumbers(extents, tile, "tile shape"));
  View view{{extents.begin(), extents.end()}, {}};
  for (size_t d = 0; d < extents.size(); ++d) {
    LAYOUTCHECK_RETURN_IF_ERROR(ValueOrOverflow(CheckedInt64(origin[d]) + tile[d], "the end of the view"));
    view.ranges.push_back({origin[d], tile[d]});
  }
  return view;
}

Expected<View> MakeTileView(std::span<const int64_t> extents, std::span<const int64_t> number,
                            std::span<const int64_t> tile) {
  LAYOUTCHECK_RETURN_IF_ERROR(CheckNumbers(extents, number, "tile number"));
  LAYOUTCHECK_RETURN_IF_ERROR(CheckNumbers(extents, tile, "tile shape"));
  std::vector<int64_t> origin;
  for (size_t d = 0; d < extents.size(); ++d) {
    LAYOUTCHECK_TRY(const int64_t begin, ValueOrOverflow(CheckedInt64(number[d]) * tile[d], "the origin of the tile"));
    origin.push_back(begin);
  }
  return MakeView(extents, origin, tile);
}

Expected<View> MakeSlice(std::span<const int64_t> extents, std::span<const std::optional<int64_t>> coordinate) {
  if (coordinate.size() != extents.size()) {
    return ArgumentError(coordinate.size(), " coordinates: expected ", extents.size(), ", one per mode");
  }
  View view{{extents.begin(), extents.end()}, {}};
  for (size_t d = 0; d < extents.size(); ++d) {
    if (!coordinate[d]) {
      view.ranges.push_back({0, extents[d]});
      continue;
    }
    if (*coordinate[d] < 0 || *coordinate[d] >= extents[d]) {
      return ArgumentError("coordinate ", *coordinate[d], " of mode ", d, " is outside of its ", extents[d],
                           " elements");
    }
    view.ranges.push_back({*coordinate[d], 1, false});
  }
  return view;
}

Expected<View> ComposeViews(const View& outer, const View& inner) {
  if (inner.extents != ValidExtents(outer)) {
    return ArgumentError("a view of (", StrJoin(inner.extents, ","), ") elements: expected one of (",
                         StrJoin(ValidExtents(outer), ","), ")");
  }
  View composed{outer.extents, {}};
  size_t next = 0;
  for (const ViewRange& range : outer.ranges) {
    if (!range.is_kept) {
      composed.ranges.push_back(range);
      continue;
    }
    const ViewRange& of_view = inner.ranges[next++];
    LAYOUTCHECK_TRY(const int64_t begin,
                    ValueOrOverflow(CheckedInt64(range.begin) + of_view.begin, "a sum of origins"));
    const int64_t room = std::max<int64_t>(range.tile - of_view.begin, 0);
    composed.ranges.push_back({begin, std::min(of_view.tile, room), of_view.is_kept});
  }
  return composed;
}

std::vector<int64_t> ValidExtents(const View& view) {
  std::vector<int64_t> valid;
  for (size_t d = 0; d < view.ranges.size(); ++d) {
    if (view.ranges[d].is_kept) valid.push_back(ValidExtent(view.ranges[d], view.extents[d]));
  }
  return valid;
}

bool IsEmpty(const View& view) {
  const std::vector<int64_t> valid = ValidExtents(view);
  return std::ranges::find(valid, 0) != valid.end();
}

std::vector<int64_t> CoordinateInWhole(const View& view, std::span<const int64_t> coordinate) {
  std::vector<int64_t> whole;
  size_t next = 0;
  for (const ViewRange& range : view.ranges) whole.push_back(range.begin + (range.is_kept ? coordinate[next++] : 0));
  return whole;
}

std::optional<std::vector<int64_t>> CoordinateInView(const View& view, std::span<const int64_t> coordinate) {
  std::vector<int64_t> inside;
  for (size_t d = 0; d < view.ranges.size(); ++d) {
    const ViewRange& range = view.ranges[d];
    if (coordinate[d] < range.begin || coordinate[d] - range.begin >= ValidExtent(range, view.extents[d])) {
      return std::nullopt;
    }
    if (range.is_kept) inside.push_back(coordinate[d] - range.begin);
  }
  return inside;
}

size_t FindView(std::string_view text) {
  // Blanks may stand between '@' and '['. The '@' of a basis stride has a digit behind it.
  const size_t at = text.rfind('@');
  if (at == std::string_view::npos) return at;
  const size_t open = text.find_first_not_of(" \t", at + 1);
  return open != std::string_view::npos && text[open] == '[' ? at : std::string_view::npos;
}

Expected<View> ParseView(std::string_view text, size_t at, std::span<const int64_t> extents) {
  TextCursor cursor(text);
  cursor.MoveTo(at);
  const int64_t column = cursor.column();
  if (!cursor.Take("@")) return cursor.Unexpected("'@'");
  if (!cursor.Take("[")) return cursor.Unexpected("'['");
  View view{{extents.begin(), extents.end()}, {}};
  if (!cursor.Take("]")) {
    do {
      // A range beyond the modes of the array is read, too: the number of ranges is checked below.
      const size_t d = view.ranges.size();
      LAYOUTCHECK_TRY(const auto range,
                      ReadRange(cursor, d < extents.size() ? extents[d] : std::numeric_limits<int64_t>::max()));
      view.ranges.push_back(range);
    } while (cursor.Take(","));
    if (!cursor.Take("]")) return cursor.Unexpected("',' or ']'");
  }
  if (!cursor.AtEnd()) return cursor.Unexpected("the end of the text");
  if (view.ranges.size() != extents.size()) {
    return ErrorAt(
        column, LayoutError("a view of ", view.ranges.size(), " ranges: expected ", extents.size(), ", one per mode"));
  }
  return view;
}

std::string ToString(const View& view) {
  std::string text = "@[";
  for (size_t d = 0; d < view.ranges.size(); ++d) {
    const ViewRange& range = view.ranges[d];
    StrAppend(text, d == 0 ? "" : ",", range.begin);
    if (range.is_kept) StrAppend(text, ":", range.begin + range.tile);
  }
  return text + "]";
}

Expected<int64_t> OffsetInView(const ComposedLayout& whole, const View& view, std::span<const int64_t> coordinate) {
  return Crd2Idx(CoordinateOf(whole.layout, CoordinateInWhole(view, coordinate)), whole);
}

Expected<StridedView> StridedViewOf(const ComposedLayout& whole, const View& view) {
  LAYOUTCHECK_RETURN_IF_ERROR(ValidateComposedLayout(whole));
  LAYOUTCHECK_RETURN_IF_ERROR(RequireOrdinaryStrides(whole.layout));
  const std::vector<ShapeStrideLayout> modes = Modes(whole.layout);
  if (modes.size() != view.ranges.size()) {
    return ArgumentError("a view of ", view.ranges.size(), " modes: expected ", modes.size(), " as in ",
                         ToString(whole));
  }
  const bool is_empty = IsEmpty(view);
  const std::vector<int64_t> valid = ValidExtents(view);
  StridedView result{{whole.swizzle, whole.offset, {}}, std::nullopt};
  std::vector<ShapeStrideLayout> kept;
  std::vector<int64_t> origin;
  std::optional<std::pair<size_t, int64_t>> first_wrong;  // kept mode and coordinate
  for (size_t d = 0; d < modes.size(); ++d) {
    const ViewRange& range = view.ranges[d];
    origin.push_back(is_empty ? 0 : range.begin);
    if (!range.is_kept) continue;
    if (!is_empty && !first_wrong) {
      const auto wrong = FirstWrong(modes[d], range.begin, valid[kept.size()]);
      if (wrong) first_wrong = {kept.size(), *wrong};
    }
    kept.push_back({TileShape(modes[d].shape, range.tile), modes[d].stride});
  }
  const bool one_mode = whole.layout.shape.is_leaf() && kept.size() == 1;
  result.layout.layout = one_mode ? kept[0] : ConcatenateModes(kept);
  const std::vector<IntTuple> sizes(valid.begin(), valid.end());
  result.layout.layout.origin_shape = one_mode ? sizes[0] : IntTuple::Tuple(sizes);
  if (!is_empty) {
    LAYOUTCHECK_TRY(const int64_t first, Crd2Idx(CoordinateOf(whole.layout, origin), whole.layout));
    LAYOUTCHECK_TRY(result.layout.offset,
                    ValueOrOverflow(CheckedInt64(first) + whole.offset, "the offset of the view"));
  }
  if (!first_wrong) return result;
  WrongElement wrong{std::vector<int64_t>(kept.size(), 0), 0, 0};
  wrong.coordinate[first_wrong->first] = first_wrong->second;
  LAYOUTCHECK_TRY(const int64_t exact, OffsetInView(whole, view, wrong.coordinate));
  LAYOUTCHECK_TRY(const int64_t strided, Crd2Idx(CoordinateOf(result.layout.layout, wrong.coordinate), result.layout));
  wrong.offset = exact;
  wrong.strided_offset = strided;
  result.first_wrong = std::move(wrong);
  return result;
}

std::string ToString(const WrongElement& wrong) {
  return StrCat("element (", StrJoin(wrong.coordinate, ","), ") has offset ", wrong.offset, ", its strides give ",
                wrong.strided_offset);
}

}  // namespace layoutcheck
