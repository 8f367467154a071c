// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/core/shape_stride/fractal_layout.h"
#include <functional>
#include <optional>
#include <utility>
#include "layoutcheck/core/base/nearest_name.h"
#include "layoutcheck/core/base/str_cat.h"
#include "layoutcheck/core/base/text_cursor.h"
#include "layoutcheck/core/shape_stride/cute_types.h"

namespace layoutcheck {

namespace {

// Reads numbers between the two brackets. Errors: syntax; an integer below 0, or one that does not fit int64.
Expected<std::vector<int64_t>> ReadNumbers(TextCursor& cursor, const char* open, const char* close,
                                           std::string_view what) {
  std::vector<int64_t> numbers;
  if (!cursor.Take(open)) return cursor.Unexpected(StrCat("'", std::string_view(open), "'"));
  do {
    const TextCursor at_number = cursor;
    const Expected<int64_t> number = cursor.TakeInteger();
    if (!number && number.error().kind == ErrorKind::kOverflow) return std::unexpected(number.error());
    if (!number || at_number.byte() == '-') return at_number.Unexpected(what);
    numbers.push_back(*number);
  } while (cursor.Take(","));
  if (!cursor.Take(close)) return cursor.Unexpected(StrCat("',' or '", std::string_view(close), "'"));
  return numbers;
}

std::string TagNames() {
  std::vector<std::string_view> names;
  for (const TagOrder& order : kTagOrders) names.push_back(order.name);
  return StrCat("a tag: ", StrJoin(names, ", "));
}

// Reads a tag and, if there are any, the sizes of its blocks.
Expected<BlockedTag> TakeTag(TextCursor& cursor) {
  const std::string_view text = cursor.rest();
  const std::string_view name = text.substr(0, text.find_first_of(":<"));
  const std::optional<TlaTag> tag = TlaTagFromName(name);
  if (!tag && name.empty()) return cursor.Unexpected(TagNames());
  if (!tag)
    return SyntaxErrorAt(cursor.column(), "expected ", TagNames(), ", found '", name, "'",
                         DidYouMean(name, kTagOrders, std::mem_fn(&TagOrder::name)));
  cursor.TakeWhile([](char c) { return c != ':' && c != '<'; });
  if (!cursor.Sees("<")) return BlockedTag{*tag, {}};
  LAYOUTCHECK_TRY(std::vector<int64_t> blocks, ReadNumbers(cursor, "<", ">", "a size of at least 1 that fits int64"));
  return BlockedTag{*tag, std::move(blocks)};
}

}  // namespace

Expected<BlockedTag> ParseBlockedTag(std::string_view text) {
  TextCursor cursor(text, "");
  Expected<BlockedTag> tag = TakeTag(cursor);
  if (tag && !cursor.AtEnd()) return cursor.Unexpected("the end of the tag");
  return tag;
}

bool IsFractalText(std::string_view text) {
  if (IsCuteLayoutType(text)) return false;
  const size_t first = text.find_first_not_of(" \t\r\n");
  const size_t end = text.find_first_of(":([{,<");
  // A shape:stride layout may begin with an integer: "5:2" and "3 o 5:2".
  if (end == std::string_view::npos || first >= end ||
      std::string_view("0123456789-_").find(text[first]) != std::string_view::npos) {
    return false;
  }
  // A swizzle has blanks behind "Sw<2,0,3>".
  const size_t close = text.find('>', end);
  return text[end] == ':' ||
         (text[end] == '<' && (TlaTagFromName(text.substr(first, end - first)) ||
                               (close != std::string_view::npos && text.substr(close + 1, 1) == ":")));
}

Expected<FractalLayout> ParseFractalLayout(std::string_view text) {
  TextCursor cursor(text, "");
  LAYOUTCHECK_TRY(BlockedTag blocked, TakeTag(cursor));
  const TagOrder& order = OrderOf(blocked.tag);
  const auto blocks_column = static_cast<int64_t>(order.name.size()) + 1;
  FractalLayout fractal{blocked.tag, ElementType::kF16, {}, std::move(blocked.blocks)};
  if (!cursor.Take(":")) return cursor.Unexpected("':' and an element type");
  const TextCursor at_type = cursor;
  const std::string_view name = cursor.TakeWhile([](char c) { return c != '['; });
  const std::optional<ElementType> type = ElementTypeFromName(name);
  if (!type && name.empty()) return at_type.Unexpected("an element type");
  if (!type) return at_type.Fail(StrCat("expected an element type, found '", name, "'", DidYouMeanType(name)));
  fractal.element_type = *type;
  const Expected<int64_t> bits = FractalElementBits(*type);
  if (!bits) return ErrorAt(at_type.column(), LayoutError(bits.error().message));
  const int64_t sizes_column = cursor.column();
  LAYOUTCHECK_TRY(std::vector<int64_t> sizes, ReadNumbers(cursor, "[", "]", "a size that fits int64"));
  fractal.sizes = std::move(sizes);
  if (!cursor.AtEnd()) return cursor.Unexpected("the end of the text");
  const Expected<std::vector<int64_t>> blocks = BlocksOf(fractal.tag, *bits, fractal.blocks);
  if (!blocks) return ErrorAt(blocks_column, LayoutError(blocks.error().message));
  // The tag's own blocks are not written.
  if (const auto own = BlocksOf(fractal.tag, *bits, {}); own && *own == fractal.blocks) fractal.blocks.clear();
  const bool has_rows_too = fractal.tag == TlaTag::kVectorLayout && fractal.sizes.size() == 2;
  if (fractal.sizes.size() != order.rank() && !has_rows_too) {
    return ErrorAt(sizes_column, LayoutError(fractal.sizes.size(), " sizes: expected ", order.rank(), " for the tag ",
                                             order.name, ", ", order.dimensions));
  }
  return fractal;
}

std::string ToString(const FractalLayout& fractal) {
  const std::string blocks = fractal.blocks.empty() ? "" : StrCat("<", StrJoin(fractal.blocks, ","), ">");
  return StrCat(TlaTagName(fractal.tag), blocks, ":", ElementTypeName(fractal.element_type), "[",
                StrJoin(fractal.sizes, ","), "]");
}

Expected<int64_t> FractalElementBits(ElementType type) {
  const int64_t bits = type == ElementType::kPred ? 8 : BitWidth(type);
  const Expected<int64_t> c0 = FractalColumns(bits);
  if (c0) return bits;
  return MakeError(c0.error().kind, StrCat("element type ", ElementTypeName(type), ": ", c0.error().message));
}

std::vector<int64_t> SizesOf(const FractalLayout& fractal) {
  const bool is_vector = fractal.tag == TlaTag::kVectorLayout && !fractal.sizes.empty();
  return is_vector ? std::vector{fractal.sizes.back()} : fractal.sizes;
}

Expected<ShapeStrideLayout> ShapeStrideOf(const FractalLayout& fractal) {
  LAYOUTCHECK_TRY(const int64_t bits, FractalElementBits(fractal.element_type));
  return MakeTagLayout(fractal.tag, bits, SizesOf(fractal), fractal.blocks);
}

}  // namespace layoutcheck
