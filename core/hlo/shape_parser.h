// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Parses shapes and layouts that are parts of a stream of tokens, and is the base of parsers of texts with such parts.
// For whole texts, use parser.h.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>
#include "layoutcheck/core/base/error.h"
#include "layoutcheck/core/base/str_cat.h"
#include "layoutcheck/core/hlo/layout.h"
#include "layoutcheck/core/hlo/lexer.h"
#include "layoutcheck/core/hlo/parser.h"
#include "layoutcheck/core/hlo/shape.h"

namespace layoutcheck {

// Parses shapes and layouts from the lexer's current token on, and leaves the lexer after them. A syntax error ends the
// parse. An invalid layout does not, because only a text that is well formed as a whole counts as one: the first such
// error waits in invalid_layout() until the caller has parsed the rest.
class ShapeParser {
 public:
  // The lexer and the options must outlive the parser.
  ShapeParser(Lexer& lexer, const ParseOptions& options) : lexer_(lexer), options_(options) {}

  // Returns true if a shape can start at the current token.
  bool AtShape() const;
  bool FailExpectedShape();
  // Parses a shape into `shape`, which must be default-constructed. Returns false after a syntax error.
  [[nodiscard]] bool ReadShape(Shape& shape);
  // Parses a layout that belongs to no shape, without validating it. Returns false after a syntax error.
  [[nodiscard]] bool ReadLayout(Layout& layout);

  Error& syntax_error() { return syntax_error_; }
  std::optional<Error>& invalid_layout() { return invalid_layout_; }

 protected:
  // Keep a syntax error and return false. FailExpected is at the current token: "expected ..., found ...".
  bool Fail(std::string message, int64_t column);
  template <class... Pieces>
  bool FailExpected(const Pieces&... expected) {
    return Fail(StrCat("expected ", expected..., ", found ", DescribeToken(lexer_.token())), lexer_.token().column);
  }
  // Steps over the token if it is of this kind. Returns false if it is not.
  bool Take(TokenKind kind) {
    if (lexer_.kind() != kind) return false;
    lexer_.Advance();
    return true;
  }
  // Steps over a token of this kind. Another one is a syntax error.
  template <class... Pieces>
  bool Expect(TokenKind kind, const Pieces&... expected) {
    return Take(kind) || FailExpected(expected...);
  }
  // Steps over an integer of at least `least`. Anything else is a syntax error.
  template <class... Pieces>
  bool ReadInteger(int64_t& number, int64_t least, const Pieces&... expected) {
    if (lexer_.kind() != TokenKind::kInt || lexer_.token().integer < least) return FailExpected(expected...);
    number = lexer_.token().integer;
    lexer_.Advance();
    return true;
  }

  Lexer& lexer_;
  const ParseOptions& options_;

 private:
  bool ReadArray(Shape& shape);
  bool ReadDimensions(Shape& shape);
  bool ReadAttributes(Layout& layout);
  bool SkipDimensionLevelTypes();
  bool ReadTiles(Layout& layout);
  bool ReadSplitConfigs(Layout& layout);
  bool ReadNumberAttribute(std::string_view name, int64_t& number);
  bool ReadTypeAttribute(TokenKind name, std::optional<ElementType>& type);
  // Adds up to eight plain integers after the current token. Returns false if there is none.
  bool AddPlainIntegers(std::vector<int64_t>& integers);
  // Parses [item { ',' item }] `close` after the current token, an opening bracket or the colon of a split. Stores
  // plain integers in `integers` unless it is null; `read_item` parses everything else.
  template <class ReadItem>
  bool ReadList(std::vector<int64_t>* integers, TokenKind close, std::string_view expected_close, ReadItem read_item);

  void KeepInvalidLayout(Error error, int64_t column);
  void Validate(const Shape& shape, int64_t shape_column, int64_t layout_column);

  Error syntax_error_;
  std::optional<Error> invalid_layout_;
};

}  // namespace layoutcheck
