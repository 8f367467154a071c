// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/core/hlo/parser.h"
#include <utility>
#include "layoutcheck/core/hlo/lexer.h"
#include "layoutcheck/core/hlo/shape_parser.h"

namespace layoutcheck {
namespace {

// Parses the whole text with one of the readers of ShapeParser. `what` names the result.
template <class T>
Expected<T> ParseWhole(std::string_view text, const ParseOptions& options, bool (ShapeParser::*read)(T&),
                       std::string_view what) {
  Lexer lexer(text);
  ShapeParser parser(lexer, options);
  Expected<T> result;
  if (!(parser.*read)(*result)) return std::unexpected(std::move(parser.syntax_error()));
  const Token& token = lexer.token();
  if (token.kind != TokenKind::kEof) {
    return SyntaxErrorAt(token.column, "expected end of text after ", what, ", found ", DescribeToken(token));
  }
  if (parser.invalid_layout()) return std::unexpected(std::move(*parser.invalid_layout()));
  return result;
}

}  // namespace

Expected<Shape> ParseShape(std::string_view text, const ParseOptions& options) {
  return ParseWhole(text, options, &ShapeParser::ReadShape, "the shape");
}

Expected<Layout> ParseLayout(std::string_view text) {
  return ParseWhole(text, {}, &ShapeParser::ReadLayout, "the layout");
}

}  // namespace layoutcheck
