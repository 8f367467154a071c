// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/core/shape_stride/fractal_layout.h"
#include <optional>
#include <utility>
#include "layoutcheck/core/base/str_cat.h"
#include "layoutcheck/core/base/text_cursor.h"

namespace layoutcheck {

bool IsFractalText(std::string_view text) {
  const size_t colon = text.find(':');
  const size_t first = text.find_first_not_of(" \t\r\n");
  // A shape:stride layout may begin with an integer: "5:2" and "3 o 5:2".
  return colon != std::string_view::npos && colon < text.find_first_of("([{,<") && first < colon &&
         std::string_view("0123456789-_").find(text[first]) == std::string_view::npos;
}

Expected<FractalLayout> ParseFractalLayout(std::string_view text) {
  TextCursor cursor(text, "");
  const std::optional<TlaTag> tag = TlaTagFromName(text.substr(0, text.find(':')));
  if (!tag) return cursor.Unexpected("RowMajor, ColumnMajor, VectorLayout, zN, nZ, zZ, nN, L0C or Weight4BitnZ");
  cursor.TakeWhile([](char c) { return c != ':'; });
  if (!cursor.Take(":")) return cursor.Unexpected("':' and an element type");
  const TextCursor at_type = cursor;
  const std::string_view name = cursor.TakeWhile([](char c) { return c != '['; });
  const std::optional<ElementType> type = ElementTypeFromName(name);
  if (!type && name.empty()) return at_type.Unexpected("an element type");
  if (!type) return at_type.Fail(StrCat("expected an element type, found '", name, "'"));
  const Expected<int64_t> bits = FractalElementBits(*type);
  if (!bits) return MakeError(ErrorKind::kInvalidLayout, bits.error().message, at_type.column());
  FractalLayout fractal{*tag, *type, 0, 0};
  for (const auto& [open, number] : {std::pair{"[", &fractal.rows}, std::pair{",", &fractal.columns}}) {
    if (!cursor.Take(open)) return cursor.Unexpected(StrCat("'", std::string_view(open), "'"));
    const TextCursor at_size = cursor;
    const Expected<int64_t> size = cursor.TakeInteger();
    if (!size && size.error().kind == ErrorKind::kOverflow) return std::unexpected(size.error());
    if (!size || at_size.byte() == '-') return at_size.Unexpected("a size that fits int64");
    *number = *size;
  }
  if (!cursor.Take("]")) return cursor.Unexpected("']'");
  if (!cursor.AtEnd()) return cursor.Unexpected("the end of the text");
  return fractal;
}

std::string ToString(const FractalLayout& fractal) {
  return StrCat(TlaTagName(fractal.tag), ":", ElementTypeName(fractal.element_type), "[", fractal.rows, ",",
                fractal.columns, "]");
}

Expected<int64_t> FractalElementBits(ElementType type) {
  const int64_t bits = type == ElementType::kPred ? 8 : BitWidth(type);
  const Expected<int64_t> c0 = FractalColumns(bits);
  if (c0) return bits;
  return MakeError(c0.error().kind, StrCat("element type ", ElementTypeName(type), ": ", c0.error().message));
}

Expected<ShapeStrideLayout> ShapeStrideOf(const FractalLayout& fractal) {
  const Expected<int64_t> bits = FractalElementBits(fractal.element_type);
  if (!bits) return std::unexpected(bits.error());
  return MakeTlaLayout(fractal.tag, *bits, fractal.rows, fractal.columns);
}

}  // namespace layoutcheck
