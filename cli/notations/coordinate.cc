// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/cli/notations/coordinate.h"
#include <algorithm>
#include "layoutcheck/core/base/str_cat.h"
#include "layoutcheck/core/base/text_cursor.h"
#include "layoutcheck/core/hlo/shape.h"
#include "layoutcheck/json/json.h"

namespace layoutcheck {
namespace {

void AppendNested(std::string& out, const Json& coordinate) {
  if (!coordinate.is_array()) {
    out += coordinate.Dump();
    return;
  }
  out += '(';
  for (size_t i = 0; i < coordinate.size(); ++i) {
    if (i > 0) out += ',';
    AppendNested(out, coordinate[i]);
  }
  out += ')';
}

}  // namespace

Expected<int64_t> ReadInteger(std::string_view text) {
  TextCursor cursor(text);
  const Expected<int64_t> value = cursor.TakeInteger();
  if (value && !cursor.AtEnd()) return cursor.Unexpected("end of text after the integer");
  return value;
}

Expected<std::vector<int64_t>> ReadFlatCoordinate(std::string_view text) {
  TextCursor cursor(text);
  std::vector<int64_t> coordinate;
  const bool open = cursor.Take("(");
  if (!open || !cursor.Take(")")) {
    do {
      LAYOUTCHECK_TRY(const int64_t value, cursor.TakeInteger());
      coordinate.push_back(value);
    } while (cursor.Take(","));
    if (open && !cursor.Take(")")) return cursor.Unexpected("',' or ')'");
  }
  if (!cursor.AtEnd()) return cursor.Unexpected(open ? "end of text after ')'" : "',' or end of text");
  return coordinate;
}

Expected<std::vector<int64_t>> ReadCoordinateWithin(std::string_view text, std::span<const int64_t> dimensions) {
  LAYOUTCHECK_TRY(std::vector<int64_t> coordinate, ReadFlatCoordinate(text));
  const auto rank = static_cast<int64_t>(dimensions.size());
  if (coordinate.size() != dimensions.size()) {
    std::string names;
    for (int64_t d = 0; d < rank; ++d) StrAppend(names, d > 0 ? "," : "", DimensionName(d, rank));
    return MakeError(ErrorKind::kInvalidArgument,
                     rank == 0 ? StrCat("expected (), the coordinate of a scalar, found ", CoordinateText(coordinate))
                               : StrCat("expected ", rank, rank == 1 ? " coordinate, " : " coordinates, ", names,
                                        ", found ", coordinate.size()));
  }
  for (int64_t d = 0; d < rank; ++d) {
    const int64_t value = coordinate[static_cast<size_t>(d)];
    const int64_t size = dimensions[static_cast<size_t>(d)];
    if (value >= 0 && value < size) continue;
    return MakeError(
        ErrorKind::kInvalidArgument,
        StrCat("coordinate ", DimensionName(d, rank), "=", value, " is outside dimension ", d,
               size == 0 ? std::string(", whose size is 0") : StrCat(" of size ", size, ": expected 0 to ", size - 1)));
  }
  return coordinate;
}

std::string CoordinateText(const Json& coordinate) {
  std::string text;
  AppendNested(text, coordinate);
  const bool flat = coordinate.is_array() && !coordinate.empty() &&
                    std::ranges::none_of(coordinate, [](const Json& entry) { return entry.is_array(); });
  return flat ? text.substr(1, text.size() - 2) : text;
}

}  // namespace layoutcheck
