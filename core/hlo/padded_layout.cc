// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/core/hlo/padded_layout.h"
#include <algorithm>
#include <array>
#include <utility>
#include "layoutcheck/core/base/integer.h"
#include "layoutcheck/core/base/str_cat.h"
#include "layoutcheck/core/hlo/element_type.h"
#include "layoutcheck/core/hlo/lexer.h"
#include "layoutcheck/core/hlo/parser.h"
#include "layoutcheck/core/hlo/printer.h"
#include "layoutcheck/core/hlo/validate.h"

namespace layoutcheck {
namespace {

constexpr int64_t kMaxPictureCells = int64_t{1} << 26;

constexpr std::array<std::pair<PaddingValue, std::string_view>, 5> kPaddingValueTexts = {{
    {PaddingValue::kZero, "0"},
    {PaddingValue::kOne, "1"},
    {PaddingValue::kLowest, "lowest"},
    {PaddingValue::kHighest, "highest"},
    {PaddingValue::kUnknown, "unknown"},
}};

std::unexpected<Error> SyntaxError(std::string_view expected, const Token& token) {
  return MakeError(ErrorKind::kSyntax, StrCat("expected ", expected, ", found ", DescribeToken(token)), token.column);
}

// Parses a list such as `[3,5]`. The lexer is at the opening bracket before, and after the closing one afterwards.
Expected<std::vector<int64_t>> ParsePaddedDimensions(Lexer& lexer) {
  if (lexer.kind() != TokenKind::kLeftSquare) return SyntaxError("'['", lexer.token());
  lexer.Advance();
  std::vector<int64_t> sizes;
  if (lexer.kind() != TokenKind::kRightSquare) {
    while (true) {
      if (lexer.kind() != TokenKind::kInt) return SyntaxError("a padded dimension", lexer.token());
      sizes.push_back(lexer.token().integer);
      lexer.Advance();
      if (lexer.kind() != TokenKind::kComma) break;
      lexer.Advance();
    }
  }
  if (lexer.kind() != TokenKind::kRightSquare) return SyntaxError("',' or ']'", lexer.token());
  lexer.Advance();
  return sizes;
}

Expected<PaddingValue> ParsePaddingValue(Lexer& lexer) {
  for (const auto& [value, text] : kPaddingValueTexts) {
    if (lexer.token().text == text) {
      lexer.Advance();
      return value;
    }
  }
  return SyntaxError("0, 1, lowest, highest or unknown", lexer.token());
}

}  // namespace

Expected<PaddedLayout> PaddedLayout::Create(Shape shape, std::vector<int64_t> padded_dimensions,
                                            PaddingValue padding_value) {
  const auto invalid = [](std::string message) { return MakeError(ErrorKind::kInvalidLayout, std::move(message)); };
  if (!shape.IsArray()) return invalid("a padded layout belongs to an array");
  if (shape.HasDynamicDimension()) return invalid("a padded layout has no dynamic dimensions");
  if (!shape.layout) shape.layout = MakeDescendingLayout(shape.rank());
  if (Expected<void> valid = ValidateShape(shape, MissingLayout::kRejected); !valid) {
    return std::unexpected(std::move(valid.error()));
  }
  if (*shape.layout != Layout(shape.layout->minor_to_major)) {
    return invalid("a padded layout has a dimension order alone, no tiles or other attributes");
  }
  if (!padded_dimensions.empty() && padded_dimensions.size() != shape.dimensions.size()) {
    return invalid(
        StrCat("expected ", shape.dimensions.size(), " padded dimensions or none, found ", padded_dimensions.size()));
  }
  for (size_t d = 0; d < padded_dimensions.size(); ++d) {
    if (padded_dimensions[d] < shape.dimensions[d]) {
      return invalid(StrCat("dimension ", d, " of size ", shape.dimensions[d], " is padded to ", padded_dimensions[d],
                            ", which is smaller"));
    }
  }

  PaddedLayout layout;
  layout.sizes_ = padded_dimensions.empty() ? shape.dimensions : padded_dimensions;
  const auto elements = ValueOrOverflow(ProductOfSizes(shape.dimensions), "the element count");
  if (!elements) return std::unexpected(elements.error());
  const auto padded_elements = ValueOrOverflow(ProductOfSizes(layout.sizes_), "the padded element count");
  if (!padded_elements) return std::unexpected(padded_elements.error());
  const auto bytes =
      ValueOrOverflow(CheckedInt64(*padded_elements) * ByteWidth(shape.element_type), "the padded byte size");
  if (!bytes) return std::unexpected(bytes.error());
  layout.elements_ = *elements;
  layout.padded_elements_ = *padded_elements;
  layout.bytes_ = *bytes;
  layout.shape_ = std::move(shape);
  layout.padded_dimensions_ = std::move(padded_dimensions);
  layout.padding_value_ = padding_value;
  return layout;
}

Expected<PaddedLayout> PaddedLayout::Parse(std::string_view text) {
  Lexer lexer(text);
  while (lexer.kind() != TokenKind::kEof && !lexer.token().Is(TokenKind::kIdent, "pad")) lexer.Advance();
  const Token pad = lexer.token();
  auto shape = ParseShape(text.substr(0, static_cast<size_t>(pad.column - 1)));
  if (!shape) return std::unexpected(std::move(shape.error()));
  if (pad.kind == TokenKind::kEof) return SyntaxError("'pad'", pad);
  lexer.Advance();
  auto padded_dimensions = ParsePaddedDimensions(lexer);
  if (!padded_dimensions) return std::unexpected(std::move(padded_dimensions.error()));
  PaddingValue padding_value = PaddingValue::kInvalid;
  if (lexer.kind() == TokenKind::kEqual) {
    lexer.Advance();
    const auto value = ParsePaddingValue(lexer);
    if (!value) return std::unexpected(value.error());
    padding_value = *value;
  }
  if (lexer.kind() != TokenKind::kEof) {
    return SyntaxError(padding_value == PaddingValue::kInvalid ? "'=' or end of text" : "end of text", lexer.token());
  }
  return Create(*std::move(shape), *std::move(padded_dimensions), padding_value);
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
    return MakeError(ErrorKind::kInvalidArgument,
                     StrCat("the index has ", index.size(), " entries, expected ", sizes_.size()));
  }
  for (size_t d = 0; d < index.size(); ++d) {
    if (index[d] < 0 || index[d] >= shape_.dimensions[d]) {
      return MakeError(ErrorKind::kInvalidArgument, StrCat("index ", index[d], " of dimension ", d,
                                                           " is not within its size ", shape_.dimensions[d]));
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
    return MakeError(ErrorKind::kInvalidArgument,
                     StrCat("offset ", offset, " is not within the ", padded_elements_, " cells"));
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
    return MakeError(ErrorKind::kUnsupported,
                     StrCat("a picture of ", padded_elements_, " cells, expected at most ", kMaxPictureCells));
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
    return MakeError(ErrorKind::kUnsupported,
                     StrCat("an array without elements takes ", padded_elements_, " here, and none in tiles"));
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
