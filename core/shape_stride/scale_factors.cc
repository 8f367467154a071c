// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/core/shape_stride/scale_factors.h"
#include <cstdint>
#include "layoutcheck/core/base/integer.h"
#include "layoutcheck/core/base/str_cat.h"
#include "layoutcheck/core/base/text_cursor.h"

namespace layoutcheck {
namespace {

constexpr std::string_view kName = "sf128x4";
constexpr int64_t kTileRows = 128;
constexpr int64_t kTileColumns = 4;

// Reads a size that is a positive multiple of that of a tile.
Expected<int64_t> TakeSize(TextCursor& cursor, std::string_view what, int64_t of_tile) {
  const int64_t column = cursor.NextColumn();
  LAYOUTCHECK_TRY(const int64_t size, cursor.TakeInteger());
  if (size > 0 && size % of_tile == 0) return size;
  return ErrorAt(column, LayoutError("expected a positive multiple of ", of_tile, " ", what, ", found ", size,
                                     ": the layout has whole tiles, and sf128x4[256,8]@[:200,:5] is a part of it"));
}

}  // namespace

bool IsScaleFactorText(std::string_view text) { return TextCursor(text).Sees(kName); }

Expected<ShapeStrideLayout> ParseScaleFactors(std::string_view text) {
  TextCursor cursor(text);
  if (!cursor.Take(kName)) return cursor.Unexpected(StrCat("'", kName, "'"));
  if (!cursor.Take("[")) return cursor.Unexpected("'[' before the rows and columns");
  LAYOUTCHECK_TRY(const int64_t rows, TakeSize(cursor, "rows", kTileRows));
  if (!cursor.Take(",")) return cursor.Unexpected("',' between the rows and columns");
  LAYOUTCHECK_TRY(const int64_t columns, TakeSize(cursor, "columns", kTileColumns));
  if (!cursor.Take("]")) return cursor.Unexpected("']' after the columns");
  if (!cursor.AtEnd()) return cursor.Unexpected("the end of the text");
  LAYOUTCHECK_RETURN_IF_ERROR(ValueOrOverflow(CheckedInt64(rows) * columns, "the number of scale factors"));
  constexpr int64_t kTile = kTileRows * kTileColumns;
  const int64_t row_tiles = rows / kTileRows;
  const int64_t column_tiles = columns / kTileColumns;
  const auto tuple = [](auto... elements) { return IntTuple::Tuple({elements...}); };
  return ShapeStrideLayout{
      tuple(tuple(IntTuple(32), IntTuple(4), IntTuple(row_tiles)),
            tuple(IntTuple(kTileColumns), IntTuple(column_tiles))),
      tuple(tuple(IntTuple(16), IntTuple(4), IntTuple(kTile * column_tiles)), tuple(IntTuple(1), IntTuple(kTile)))};
}

}  // namespace layoutcheck
