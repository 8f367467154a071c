// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/core/hlo/padded_layout.h"
#include <algorithm>
#include <array>
#include <limits>
#include <utility>
#include "layoutcheck/core/base/integer.h"
#include "layoutcheck/core/base/str_cat.h"
#include "layoutcheck/core/hlo/element_type.h"
#include "layoutcheck/core/hlo/lexer.h"
#include "layoutcheck/core/hlo/parser.h"
#include "layoutcheck/core/hlo/printer.h"
#include "layoutcheck/core/hlo/shape_parser.h"
#include "layoutcheck/core/hlo/validate.h"

namespace layoutcheck {
namespace {

constexpr int64_t kMaxPictureCells = int64_t{1} << 26;

using PaddingValueText = std::pair<PaddingValue, std::string_view>;
constexpr std::array<PaddingValueText, 5> kPaddingValueTexts = {{
    {PaddingValue::kZero, "0"},
    {PaddingValue::kOne, "1"},
    {PaddingValue::kLowest, "lowest"},
    {PaddingValue::kHighest, "highest"},
    {PaddingValue::kUnknown, "unknown"},
}};

// Parses `shape pad [sizes] = value`.
class PaddedLayoutParser : public ShapeParser {
 public:
  explicit PaddedLayoutParser(std::string_view text) : ShapeParser(own_lexer_, kOptions), own_lexer_(text) {}

  bool Read(Shape& shape, std::vector<int64_t>& padded_dimensions, PaddingValue& padding_value) {
    if (!ReadShape(shape)) return false;
    if (!lexer_.token().Is(TokenKind::kIdent, "pad")) return FailExpected("'pad'");
    lexer_.Advance();
    if (!Expect(TokenKind::kLeftSquare, "'['")) return false;
    if (!Take(TokenKind::kRightSquare)) {
      do {
        if (!ReadInteger(padded_dimensions.emplace_back(), kLeast, "a padded dimension")) return false;
      } while (Take(TokenKind::kComma));
      if (!Expect(TokenKind::kRightSquare, "',' or ']'")) return false;
    }
    if (Take(TokenKind::kEqual)) {
      const auto known = std::ranges::find(kPaddingValueTexts, lexer_.token().text, &PaddingValueText::second);
      if (known == kPaddingValueTexts.end()) return FailExpected("0, 1, lowest, highest or unknown");
      padding_value = known->first;
      lexer_.Advance();
    }
    const bool has_value = padding_value != PaddingValue::kInvalid;
    return Expect(TokenKind::kEof, has_value ? "end of text" : "'=' or end of text");
  }

 private:
  static constexpr ParseOptions kOptions{};
  static constexpr int64_t kLeast = std::numeric_limits<int64_t>::min();

  Lexer own_lexer_;
};

}  // namespace

Expected<PaddedLayout> PaddedLayout::Create(Shape shape, std::vector<int64_t> padded_dimensions,
                                            PaddingValue padding_value) {
  if (!shape.IsArray()) return LayoutError("a padded layout belongs to an array");
  if (shape.HasDynamicDimension()) return LayoutError("a padded layout has no dynamic dimensions");
  if (!shape.layout) shape.layout = MakeDescendingLayout(shape.rank());
  LAYOUTCHECK_RETURN_IF_ERROR(ValidateShape(shape, MissingLayout::kRejected));
  if (*shape.layout != Layout(shape.layout->minor_to_major)) {
    return LayoutError("a padded layout has a dimension order alone, no tiles or other attributes");
  }
  if (!padded_dimensions.empty() && padded_dimensions.size() != shape.dimensions.size()) {
    return LayoutError("expected ", shape.dimensions.size(), " padded dimensions or none, found ",
                       padded_dimensions.size());
  }
  for (size_t d = 0; d < padded_dimensions.size(); ++d) {
    if (padded_dimensions[d] < shape.dimensions[d]) {
      return LayoutError("dimension ", d, " of size ", shape.dimensions[d], " is padded to ", padded_dimensions[d],
                         ", which is smaller");
    }
  }

  PaddedLayout layout;
  layout.sizes_ = padded_dimensions.empty() ? shape.dimensions : padded_dimensions;
  LAYOUTCHECK_TRY(const auto elements, ValueOrOverflow(ProductOfSizes(shape.dimensions), "the element count"));
  LAYOUTCHECK_TRY(const auto padded_elements,
                  ValueOrOverflow(ProductOfSizes(layout.sizes_), "the padded element count"));
  LAYOUTCHECK_TRY(const auto bytes, ValueOrOverflow(CheckedInt64(padded_elements) * ByteWidth(shape.element_type),
                                                    "the padded byte size"));
  layout.elements_ = elements;
  layout.padded_elements_ = padded_elements;
  layout.bytes_ = bytes;
  layout.shape_ = std::move(shape);
  layout.padded_dimensions_ = std::move(padded_dimensions);
  layout.padding_value_ = padding_value;
  return layout;
}

Expected<PaddedLayout> PaddedLayout::Parse(std::string_view text) {
  PaddedLayoutParser parser(text);
  Shape shape;
  std::vector<int64_t> padded_dimensions;
  PaddingValue padding_value = PaddingValue::kInvalid;
  if (!parser.Read(shape, padded_dimensions, padding_value)) return std::unexpected(std::move(parser.syntax_error()));
  if (parser.invalid_layout()) return std::unexpected(std::move(*parser.invalid_layout()));
  return Create(std::move(shape), std::move(padded_dimensions), padding_value);
}

std::string PaddedLayout::ToString() const {
  std::string text = StrCat(layoutcheck::ToString(shape_), "pad[", StrJoin(padded_dimensions_, ","), "]");
  for (const auto& [value, value_text] : kPaddingValueTexts) {
    if (value == padding_value_) StrAppend(text, "=", value_text);
  }
  return text;
}

Expected<int64_t> PaddedLayout::LinearIndex(std::span<const int64_t> index) const {
  if (index.size() != sizes_.size()) {
    return ArgumentError("the index has ", index.size(), " entries, expected ", sizes_.size());
  }
  for (size_t d = 0; d < index.size(); ++d) {
    if (index[d] < 0 || index[d] >= shape_.dimensions[d]) {
      return ArgumentError("index ", index[d], " of dimension ", d, " is not within its size ", shape_.dimensions[d]);
    }
  }
  int64_t offset = 0;
  for (int64_t p = 0; p < shape_.rank(); ++p) {
    const auto d = static_cast<size_t>(shape_.layout->Major(p));
    offset = offset * sizes_[d] + index[d];
  }
  return offset;
}

Expected<std::optional<std::vector<int64_t>>> PaddedLayout::IndexAt(int64_t offset) const {
  if (offset < 0 || offset >= padded_elements_) {
    return ArgumentError("offset ", offset, " is not within the ", padded_elements_, " cells");
  }
  std::vector<int64_t> index(sizes_.size());
  bool padding = false;
  for (const int64_t dimension : shape_.layout->minor_to_major) {
    const auto d = static_cast<size_t>(dimension);
    index[d] = offset % sizes_[d];
    offset /= sizes_[d];
    padding = padding || index[d] >= shape_.dimensions[d];
  }
  if (padding) return std::nullopt;
  return index;
}

Expected<std::vector<std::optional<int64_t>>> PaddedLayout::MemoryPicture() const {
  if (padded_elements_ > kMaxPictureCells) {
    return UnsupportedError("a picture of ", padded_elements_, " cells, expected at most ", kMaxPictureCells);
  }
  std::vector<std::optional<int64_t>> cells(static_cast<size_t>(padded_elements_));
  for (int64_t offset = 0; offset < padded_elements_; ++offset) {
    const auto index = IndexAt(offset);
    if (!index->has_value()) continue;
    int64_t element = 0;
    for (size_t d = 0; d < sizes_.size(); ++d) element = element * shape_.dimensions[d] + (**index)[d];
    cells[static_cast<size_t>(offset)] = element;
  }
  return cells;
}

Expected<Shape> PaddedLayout::ToTiledShape() const {
  if (elements_ == 0 && padded_elements_ > 0) {
    return UnsupportedError("an array without elements takes ", padded_elements_, " here, and none in tiles");
  }
  Shape tiled = shape_;
  Tile tile;
  for (int64_t p = 0; p < tiled.rank(); ++p) {
    const auto d = static_cast<size_t>(tiled.layout->Major(p));
    if (!tile.dimensions.empty() || sizes_[d] > shape_.dimensions[d]) tile.dimensions.push_back(sizes_[d]);
  }
  if (!tile.dimensions.empty()) tiled.layout->tiles = {std::move(tile)};
  return tiled;
}

}  // namespace layoutcheck
