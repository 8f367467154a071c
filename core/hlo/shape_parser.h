// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Parses shapes and layouts that are parts of a stream of tokens. For whole texts, use parser.h.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>
#include "layoutcheck/core/base/error.h"
#include "layoutcheck/core/hlo/layout.h"
#include "layoutcheck/core/hlo/lexer.h"
#include "layoutcheck/core/hlo/parser.h"
#include "layoutcheck/core/hlo/shape.h"

namespace layoutcheck {

class IntegerList;

// Parses shapes and layouts from the lexer's current token on, and leaves the lexer after them. A syntax error ends the
// parse. An invalid layout does not, because only a text that is well formed as a whole counts as one: the first such
// error waits in invalid_layout() until the caller has parsed the rest.
class ShapeParser {
 public:
  // The lexer and the options must outlive the parser.
  ShapeParser(Lexer& lexer, const ParseOptions& options) : lexer_(lexer), options_(options) {}

  // Returns true if a shape can start at the current token.
  bool AtShape() const;
  // Parses a shape into `shape`, which must be default-constructed. Returns false after a syntax error.
  [[nodiscard]] bool ReadShape(Shape& shape);
  // Parses a layout that belongs to no shape, without validating it. Returns false after a syntax error.
  [[nodiscard]] bool ReadLayout(Layout& layout);

  Error& syntax_error() { return syntax_error_; }
  std::optional<Error>& invalid_layout() { return invalid_layout_; }

 private:
  bool ReadArray(Shape& shape);
  bool ReadDimensions(Shape& shape);
  bool ReadAttributes(Layout& layout);
  bool SkipDimensionLevelTypes();
  bool ReadTiles(Layout& layout);
  bool ReadSplitConfigs(Layout& layout);
  bool ReadNumberAttribute(std::string_view name, int64_t& number);
  bool ReadTypeAttribute(TokenKind name, std::optional<ElementType>& type);
  bool Expect(TokenKind kind, std::string_view expected);
  bool ReadInteger(int64_t& number, std::string_view expected);
  // Parses [item { ',' item }] `close` after the current token, an opening bracket or the colon of a split. Stores
  // plain integers in `integers` unless it is null; `read_item` parses everything else.
  template <class ReadItem>
  bool ReadList(IntegerList* integers, TokenKind close, std::string_view expected_close, ReadItem read_item);

  bool FailExpected(std::string_view expected);
  void KeepInvalidLayout(Error error, int64_t column);
  void Validate(const Shape& shape, int64_t shape_column, int64_t layout_column);

  Lexer& lexer_;
  const ParseOptions& options_;
  Error syntax_error_;
  std::optional<Error> invalid_layout_;
};

}  // namespace layoutcheck
