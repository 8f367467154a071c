// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/core/hlo/shape_parser.h"
#include <algorithm>
#include <cstddef>
#include <limits>
#include <span>
#include <utility>
#include "layoutcheck/core/hlo/validate.h"

namespace layoutcheck {
namespace {

constexpr int64_t kAnyInteger = std::numeric_limits<int64_t>::min();
constexpr std::string_view kAttributeOrder = "D T L # * E S SC P M";

bool IsAttributeName(const Token& token) {
  if (token.kind == TokenKind::kOctothorp || token.kind == TokenKind::kAsterisk) return true;
  constexpr std::string_view kNames[] = {"D", "T", "L", "E", "S", "SC", "P", "M"};
  return token.kind == TokenKind::kIdent && std::ranges::find(kNames, token.text) != std::end(kNames);
}

}  // namespace

bool ShapeParser::Fail(std::string message, int64_t column) {
  syntax_error_ = {ErrorKind::kSyntax, std::move(message), column};
  return false;
}

void ShapeParser::KeepInvalidLayout(Error error, int64_t column) {
  if (invalid_layout_) return;
  error.column = column;
  invalid_layout_ = std::move(error);
}

bool ShapeParser::AddPlainIntegers(std::vector<int64_t>& integers) {
  constexpr size_t kMost = 8;
  const size_t before = integers.size();
  integers.resize(before + kMost);
  const size_t added = lexer_.AdvanceOverPlainIntegers(std::span(integers).subspan(before));
  integers.resize(before + added);
  return added > 0;
}

template <class ReadItem>
bool ShapeParser::ReadList(std::vector<int64_t>* integers, TokenKind close, std::string_view expected_close,
                           ReadItem read_item) {
  const auto read_after_token = [&] {
    if (integers != nullptr && AddPlainIntegers(*integers)) return true;
    const bool may_be_empty = lexer_.kind() != TokenKind::kComma;
    lexer_.Advance();
    return (may_be_empty && lexer_.kind() == close) || read_item();
  };
  do {
    if (!read_after_token()) return false;
  } while (lexer_.kind() == TokenKind::kComma);
  return Expect(close, expected_close);
}

bool ShapeParser::AtShape() const {
  switch (lexer_.kind()) {
    case TokenKind::kPrimitiveType:
    case TokenKind::kLeftParen: return true;
    case TokenKind::kIdent: return lexer_.token().text == "b" && lexer_.Peek().kind == TokenKind::kLeftParen;
    default: return false;
  }
}

bool ShapeParser::FailExpectedShape() {
  const Token& found = lexer_.token();
  const std::string nearest = found.kind == TokenKind::kIdent ? DidYouMeanType(found.text) : "";
  return Fail(StrCat("expected a shape (an element type, '(' or 'b('), found ", DescribeToken(found), nearest),
              found.column);
}

bool ShapeParser::ReadShape(Shape& shape) {
  if (lexer_.kind() == TokenKind::kPrimitiveType && options_.max_recursion_depth > 0) return ReadArray(shape);
  // Open tuples and buffers, outermost first; a text of the permitted depth could exhaust the call stack.
  std::vector<Shape> open;
  while (true) {
    if (static_cast<int64_t>(open.size()) >= options_.max_recursion_depth) {
      return Fail(StrCat("expected at most ", options_.max_recursion_depth,
                         " nested shapes, found one more: maximum recursion depth exceeded"),
                  lexer_.token().column);
    }
    Shape done;
    const bool in_buffer = !open.empty() && open.back().IsBuffer();
    const bool at_array_type =
        lexer_.kind() == TokenKind::kPrimitiveType && IsArrayElementType(lexer_.token().element_type);
    if (in_buffer && !at_array_type) return FailExpected("an array in the buffer");
    if (lexer_.kind() == TokenKind::kPrimitiveType) {
      if (!ReadArray(done)) return false;
    } else {
      if (!AtShape()) return FailExpectedShape();
      if (lexer_.kind() == TokenKind::kIdent) {
        done.element_type = ElementType::kBuffer;
        lexer_.Advance();
      }
      lexer_.Advance();
      const bool is_empty_tuple = done.IsTuple() && lexer_.kind() == TokenKind::kRightParen;
      if (!is_empty_tuple) {
        open.push_back(std::move(done));
        continue;
      }
      lexer_.Advance();
    }
    while (true) {
      if (open.empty()) {
        shape = std::move(done);
        return true;
      }
      Shape& parent = open.back();
      parent.elements.push_back(std::move(done));
      if (parent.IsTuple() && Take(TokenKind::kComma)) break;
      if (!Expect(TokenKind::kRightParen,
                  parent.IsTuple() ? "',' or ')' in the tuple" : "')' at the end of the buffer")) {
        return false;
      }
      done = std::move(parent);
      open.pop_back();
    }
  }
}

bool ShapeParser::ReadArray(Shape& shape) {
  const int64_t shape_column = lexer_.token().column;
  int64_t layout_column = shape_column;
  shape.element_type = lexer_.token().element_type;
  lexer_.Advance();
  if (!ReadDimensions(shape)) return false;
  // After another shape, a brace starts the body of a computation.
  if (lexer_.kind() == TokenKind::kLeftBrace) {
    const Token next = lexer_.Peek();
    const bool is_large_integer =
        next.kind == TokenKind::kError && next.text.find_first_not_of("-0123456789") == std::string_view::npos;
    if (next.kind == TokenKind::kInt || next.kind == TokenKind::kColon || is_large_integer) {
      layout_column = lexer_.token().column;
      if (!ReadLayout(shape.layout.emplace())) return false;
      if (shape.layout->rank() != shape.rank()) {
        return Fail(
            StrCat("expected a layout of ", shape.rank(), " dimensions, found one of ", shape.layout->rank(),
                   ": Dimensions size is ", shape.rank(), ", but minor to major size is ", shape.layout->rank()),
            layout_column);
      }
    }
  }
  if (!shape.layout && shape.IsArray() && (options_.fill_missing_layouts || shape.rank() == 0)) {
    shape.layout = MakeDescendingLayout(shape.rank());
  }
  if (options_.validate) Validate(shape, shape_column, layout_column);
  return true;
}

void ShapeParser::Validate(const Shape& shape, int64_t shape_column, int64_t layout_column) {
  if (Expected<void> dimensions = ValidateDimensions(shape); !dimensions) {
    return KeepInvalidLayout(std::move(dimensions.error()), shape_column);
  }
  if (!shape.layout) return;
  if (!shape.IsArray()) {
    return KeepInvalidLayout(
        {ErrorKind::kInvalidLayout, StrCat(ElementTypeName(shape.element_type), " shape must have no layout")},
        layout_column);
  }
  if (Expected<void> layout = ValidateLayoutForShape(*shape.layout, shape); !layout) {
    KeepInvalidLayout(std::move(layout.error()), layout_column);
  }
}

bool ShapeParser::ReadDimensions(Shape& shape) {
  if (lexer_.kind() != TokenKind::kLeftSquare) return FailExpected("'[' after the element type");
  std::vector<int64_t> sizes;
  std::vector<size_t> dynamic;
  const bool read = ReadList(&sizes, TokenKind::kRightSquare, "',' or ']' after a dimension", [&] {
    int64_t size = Shape::kUnboundedSize;
    const bool is_dynamic = lexer_.kind() == TokenKind::kQuestionMark || lexer_.kind() == TokenKind::kLeq;
    if (is_dynamic) dynamic.push_back(sizes.size());
    if (!Take(TokenKind::kQuestionMark)) {
      Take(TokenKind::kLeq);
      const bool legal =
          lexer_.kind() == TokenKind::kInt &&
          (lexer_.token().integer >= 0 || (is_dynamic && lexer_.token().integer == Shape::kUnboundedSize));
      if (!legal) return FailExpected(is_dynamic ? "a bound >= 0" : "a dimension (an integer >= 0, '<=' or '?')");
      size = lexer_.token().integer;
      lexer_.Advance();
    }
    sizes.push_back(size);
    return true;
  });
  if (!read) return false;
  shape.dimensions = std::move(sizes);
  shape.dynamic_dimensions.resize(shape.dimensions.size());
  for (const size_t d : dynamic) shape.dynamic_dimensions[d] = true;
  return true;
}

bool ShapeParser::ReadLayout(Layout& layout) {
  if (lexer_.kind() != TokenKind::kLeftBrace) return FailExpected("'{' at the start of a layout");
  std::vector<int64_t> order;
  int64_t dimension = 0;
  do {
    if (!AddPlainIntegers(order)) {
      const bool first = lexer_.kind() == TokenKind::kLeftBrace;
      lexer_.Advance();
      if (first && (lexer_.kind() == TokenKind::kRightBrace || lexer_.kind() == TokenKind::kColon)) break;
      if (!ReadInteger(dimension, kAnyInteger,
                       first ? "a dimension number, ':' or '}' in the layout" : "a dimension number in the layout")) {
        return false;
      }
      order.push_back(dimension);
    }
  } while (lexer_.kind() == TokenKind::kComma);
  layout.minor_to_major = std::move(order);
  if (Take(TokenKind::kColon)) {
    if (!ReadAttributes(layout)) return false;
    if (lexer_.kind() != TokenKind::kRightBrace && IsAttributeName(lexer_.token())) {
      return FailExpected("'}' or a later attribute (each once, in the order ", kAttributeOrder, ")");
    }
    return Expect(TokenKind::kRightBrace, "'}' or an attribute of the layout");
  }
  return Expect(TokenKind::kRightBrace, "',', ':' or '}' in the layout");
}

bool ShapeParser::ReadAttributes(Layout& layout) {
  const auto at = [this](std::string_view name) { return lexer_.token().Is(TokenKind::kIdent, name); };
  if (at("D") && !SkipDimensionLevelTypes()) return false;
  if (at("T") && !ReadTiles(layout)) return false;
  if (at("L") && !ReadNumberAttribute("L", layout.tail_padding_alignment_in_elements)) return false;
  if (!ReadTypeAttribute(TokenKind::kOctothorp, layout.index_primitive_type)) return false;
  if (!ReadTypeAttribute(TokenKind::kAsterisk, layout.pointer_primitive_type)) return false;
  if (at("E") && !ReadNumberAttribute("E", layout.element_size_in_bits)) return false;
  if (at("S") && !ReadNumberAttribute("S", layout.memory_space)) return false;
  if (at("SC") && !ReadSplitConfigs(layout)) return false;
  if (at("P")) return FailExpected("'}' or M: a layout with a physical shape is not for a sparse array");
  if (at("M") && !ReadNumberAttribute("M", layout.dynamic_shape_metadata_prefix_bytes)) return false;
  return true;
}

// Skips D(D,C+~), which described the storage of sparse arrays and has no meaning any more.
bool ShapeParser::SkipDimensionLevelTypes() {
  lexer_.Advance();
  if (lexer_.kind() != TokenKind::kLeftParen) return FailExpected("'(' after D");
  return ReadList(nullptr, TokenKind::kRightParen, "',' or ')' in D(...)", [this] {
    constexpr std::string_view kLevelTypes[] = {"D", "C", "S", "H"};
    const Token& token = lexer_.token();
    if (token.kind != TokenKind::kIdent || std::ranges::find(kLevelTypes, token.text) == std::end(kLevelTypes)) {
      return FailExpected("a dimension level type (D, C, S or H)");
    }
    lexer_.Advance();
    Take(TokenKind::kPlus);
    Take(TokenKind::kTilde);
    return true;
  });
}

bool ShapeParser::ReadTiles(Layout& layout) {
  constexpr size_t kUsualTiles = 2;
  layout.tiles.reserve(kUsualTiles);
  lexer_.Advance();
  do {
    if (lexer_.kind() != TokenKind::kLeftParen) return FailExpected("'(' of a tile after T");
    std::vector<int64_t> sizes;
    const bool read = ReadList(&sizes, TokenKind::kRightParen, "',' or ')' in the tile", [&] {
      const Token& token = lexer_.token();
      if (Take(TokenKind::kAsterisk)) {
        sizes.push_back(Tile::kCombineDimension);
        return true;
      }
      if (token.kind != TokenKind::kInt) return FailExpected("a tile size (an integer or '*')");
      // The smallest integer stands for `*` in a Tile, but is not its text. Tiles may hold other negative sizes, but
      // the parser could not read their text again.
      if (token.integer == Tile::kCombineDimension || (token.integer < 0 && options_.validate)) {
        KeepInvalidLayout({ErrorKind::kInvalidLayout, StrCat("layout has invalid tiles: tile dimension ", token.integer,
                                                             " must be positive or '*'")},
                          token.column);
      }
      sizes.push_back(token.integer);
      lexer_.Advance();
      return true;
    });
    if (!read) return false;
    layout.tiles.push_back({std::move(sizes)});
  } while (lexer_.kind() == TokenKind::kLeftParen);
  return true;
}

bool ShapeParser::ReadSplitConfigs(Layout& layout) {
  lexer_.Advance();
  do {
    if (!Expect(TokenKind::kLeftParen, "'(' after SC")) return false;
    SplitConfig& split = layout.split_configs.emplace_back();
    if (!ReadInteger(split.dimension, kAnyInteger, "the physical dimension of a split")) return false;
    if (lexer_.kind() != TokenKind::kColon) return FailExpected("':' after the dimension of a split");
    std::vector<int64_t> indices;
    const bool read = ReadList(&indices, TokenKind::kRightParen, "',' or ')' in SC(...)", [&] {
      int64_t index = 0;
      if (!ReadInteger(index, kAnyInteger, "a split index")) return false;
      indices.push_back(index);
      return true;
    });
    if (!read) return false;
    split.split_indices = std::move(indices);
  } while (lexer_.kind() == TokenKind::kLeftParen);
  return true;
}

bool ShapeParser::ReadNumberAttribute(std::string_view name, int64_t& number) {
  lexer_.Advance();
  return Expect(TokenKind::kLeftParen, "'(' after ", name) &&
         ReadInteger(number, kAnyInteger, "an integer in ", name, "(...)") &&
         Expect(TokenKind::kRightParen, "')' at the end of ", name, "(...)");
}

bool ShapeParser::ReadTypeAttribute(TokenKind name, std::optional<ElementType>& type) {
  if (!Take(name)) return true;
  if (!Expect(TokenKind::kLeftParen, "'(' before the index or pointer type")) return false;
  if (lexer_.kind() != TokenKind::kPrimitiveType || !IsUnsignedIntegral(lexer_.token().element_type)) {
    return FailExpected("an unsigned integer type");
  }
  type = lexer_.token().element_type;
  lexer_.Advance();
  return Expect(TokenKind::kRightParen, "')' after the index or pointer type");
}

}  // namespace layoutcheck
