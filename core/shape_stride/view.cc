// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/core/shape_stride/view.h"
#include <algorithm>
#include <string_view>
#include "layoutcheck/core/base/integer.h"
#include "layoutcheck/core/base/str_cat.h"

namespace layoutcheck {
namespace {

Expected<void> CheckNumbers(std::span<const int64_t> extents, std::span<const int64_t> numbers, std::string_view what) {
  if (numbers.size() != extents.size()) {
    return MakeError(ErrorKind::kInvalidArgument, StrCat(what, " (", StrJoin(numbers, ","), "): expected ",
                                                         extents.size(), " integers, one per mode"));
  }
  for (const int64_t number : numbers) {
    if (number >= 0) continue;
    return MakeError(ErrorKind::kInvalidArgument,
                     StrCat(what, " (", StrJoin(numbers, ","), "): expected no integer below 0"));
  }
  return {};
}

int64_t ValidExtent(const ViewRange& range, int64_t extent) {
  return std::min(range.tile, std::max<int64_t>(extent - range.begin, 0));
}

}  // namespace

Expected<View> MakeView(std::span<const int64_t> extents, std::span<const int64_t> origin,
                        std::span<const int64_t> tile) {
  if (auto valid = CheckNumbers(extents, origin, "origin"); !valid) return std::unexpected(valid.error());
  if (auto valid = CheckNumbers(extents, tile, "tile shape"); !valid) return std::unexpected(valid.error());
  View view{{extents.begin(), extents.end()}, {}};
  for (size_t d = 0; d < extents.size(); ++d) {
    const Expected<int64_t> end = ValueOrOverflow(CheckedInt64(origin[d]) + tile[d], "the end of the view");
    if (!end) return std::unexpected(end.error());
    view.ranges.push_back({origin[d], tile[d]});
  }
  return view;
}

Expected<View> MakeTileView(std::span<const int64_t> extents, std::span<const int64_t> number,
                            std::span<const int64_t> tile) {
  if (auto valid = CheckNumbers(extents, number, "tile number"); !valid) return std::unexpected(valid.error());
  if (auto valid = CheckNumbers(extents, tile, "tile shape"); !valid) return std::unexpected(valid.error());
  std::vector<int64_t> origin;
  for (size_t d = 0; d < extents.size(); ++d) {
    const Expected<int64_t> begin = ValueOrOverflow(CheckedInt64(number[d]) * tile[d], "the origin of the tile");
    if (!begin) return std::unexpected(begin.error());
    origin.push_back(*begin);
  }
  return MakeView(extents, origin, tile);
}

Expected<View> MakeSlice(std::span<const int64_t> extents, std::span<const std::optional<int64_t>> coordinate) {
  if (coordinate.size() != extents.size()) {
    return MakeError(ErrorKind::kInvalidArgument,
                     StrCat(coordinate.size(), " coordinates: expected ", extents.size(), ", one per mode"));
  }
  View view{{extents.begin(), extents.end()}, {}};
  for (size_t d = 0; d < extents.size(); ++d) {
    if (!coordinate[d]) {
      view.ranges.push_back({0, extents[d]});
      continue;
    }
    if (*coordinate[d] < 0 || *coordinate[d] >= extents[d]) {
      return MakeError(ErrorKind::kInvalidArgument, StrCat("coordinate ", *coordinate[d], " of mode ", d,
                                                           " is outside of its ", extents[d], " elements"));
    }
    view.ranges.push_back({*coordinate[d], 1, false});
  }
  return view;
}

Expected<View> ComposeViews(const View& outer, const View& inner) {
  if (inner.extents != ValidExtents(outer)) {
    return MakeError(ErrorKind::kInvalidArgument,
                     StrCat("a view of (", StrJoin(inner.extents, ","), ") elements: expected one of (",
                            StrJoin(ValidExtents(outer), ","), ")"));
  }
  View composed{outer.extents, {}};
  size_t next = 0;
  for (const ViewRange& range : outer.ranges) {
    if (!range.is_kept) {
      composed.ranges.push_back(range);
      continue;
    }
    const ViewRange& of_view = inner.ranges[next++];
    const Expected<int64_t> begin = ValueOrOverflow(CheckedInt64(range.begin) + of_view.begin, "a sum of origins");
    if (!begin) return std::unexpected(begin.error());
    const int64_t room = std::max<int64_t>(range.tile - of_view.begin, 0);
    composed.ranges.push_back({*begin, std::min(of_view.tile, room), of_view.is_kept});
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

}  // namespace layoutcheck
