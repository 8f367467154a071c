// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/core/shape_stride/view_text.h"
#include <algorithm>
#include <limits>
#include <optional>
#include "layoutcheck/core/base/str_cat.h"
#include "layoutcheck/core/base/text_cursor.h"

namespace layoutcheck {
namespace {

bool StartsNumber(char c) { return c == '-' || (c >= '0' && c <= '9'); }

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
  cursor.SkipBlanks();
  const int64_t column = cursor.column();
  const bool has_begin = StartsNumber(cursor.byte());
  if (!has_begin && !cursor.Sees(":")) return cursor.Unexpected("a range begin:end, an index or '_'");
  const Expected<int64_t> begin = has_begin ? ReadNumber(cursor, "an index") : Expected<int64_t>(0);
  if (!begin) return std::unexpected(begin.error());
  if (!cursor.Take(":")) {
    if (*begin < extent) return ViewRange{*begin, 1, false};
    return MakeError(ErrorKind::kInvalidLayout,
                     StrCat("index ", *begin, " is outside of the mode's ", extent, " elements"), column);
  }
  cursor.SkipBlanks();
  const bool has_end = StartsNumber(cursor.byte());
  const Expected<int64_t> end =
      has_end ? ReadNumber(cursor, "the end of the range") : Expected<int64_t>(std::max(*begin, extent));
  if (!end) return std::unexpected(end.error());
  if (*end < *begin) {
    return MakeError(ErrorKind::kInvalidLayout, StrCat("range ", *begin, ":", *end, " ends before it begins"), column);
  }
  return ViewRange{*begin, *end - *begin};
}

}  // namespace

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
      const auto range = ReadRange(cursor, d < extents.size() ? extents[d] : std::numeric_limits<int64_t>::max());
      if (!range) return std::unexpected(range.error());
      view.ranges.push_back(*range);
    } while (cursor.Take(","));
    if (!cursor.Take("]")) return cursor.Unexpected("',' or ']'");
  }
  if (!cursor.AtEnd()) return cursor.Unexpected("the end of the text");
  if (view.ranges.size() != extents.size()) {
    return MakeError(ErrorKind::kInvalidLayout,
                     StrCat("a view of ", view.ranges.size(), " ranges: expected ", extents.size(), ", one per mode"),
                     column);
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

}  // namespace layoutcheck
