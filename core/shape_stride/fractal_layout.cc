// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/core/shape_stride/fractal_layout.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "layoutcheck/core/base/str_cat.h"

namespace layoutcheck {
namespace {

void SkipDigits(std::string_view text, size_t& at) {
  while (at < text.size() && text[at] >= '0' && text[at] <= '9') ++at;
}

}  // namespace

bool IsFractalText(std::string_view text) {
  const size_t colon = text.find(':');
  return colon != std::string_view::npos && colon < text.find_first_of("([{,<") &&
         text.find_first_not_of(" \t\r\n0123456789-_") < colon;
}

Expected<FractalLayout> ParseFractalLayout(std::string_view text) {
  size_t at = 0;
  const auto expected = [&at](std::string_view what) {
    return MakeError(ErrorKind::kSyntax, StrCat("expected ", what), static_cast<int64_t>(at) + 1);
  };
  const size_t colon = text.find(':');
  const std::optional<TlaTag> tag = TlaTagFromName(text.substr(0, colon));
  if (!tag) return expected("RowMajor, ColumnMajor, VectorLayout, zN, nZ, zZ, nN, L0C or Weight4BitnZ");
  at = std::min(colon, text.size());
  if (colon == std::string_view::npos) return expected("':' and an element type");
  at = colon + 1;
  const size_t bracket = std::min(text.find('[', at), text.size());
  const std::optional<ElementType> type = ElementTypeFromName(text.substr(at, bracket - at));
  if (!type) return expected("an element type");
  const Expected<int64_t> bits = FractalElementBits(*type);
  if (!bits) return MakeError(ErrorKind::kInvalidLayout, bits.error().message, static_cast<int64_t>(at) + 1);
  FractalLayout fractal{*tag, *type, 0, 0};
  at = bracket;
  for (const auto& [open, number] : {std::pair{'[', &fractal.rows}, std::pair{',', &fractal.columns}}) {
    if (at >= text.size() || text[at] != open) return expected(StrCat("'", open, "'"));
    const size_t begin = ++at;
    SkipDigits(text, at);
    CheckedInt64 value = 0;
    for (size_t i = begin; i < at; ++i) value = value * 10 + int64_t{text[i] - '0'};
    if (at == begin || value.overflow) {
      at = begin;
      return expected("a size that fits int64");
    }
    *number = value.value;
  }
  if (at >= text.size() || text[at] != ']') return expected("']'");
  ++at;
  if (at < text.size()) return expected("the end of the text");
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
