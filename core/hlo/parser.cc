// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/core/hlo/parser.h"
#include <optional>
#include <utility>
#include "layoutcheck/core/base/str_cat.h"
#include "layoutcheck/core/hlo/lexer.h"
#include "layoutcheck/core/hlo/shape_parser.h"

namespace layoutcheck {
namespace {

// Returns an error if text follows `what`, which the parser has just read, or if a layout in it is invalid.
std::optional<Error> ErrorAfter(std::string_view what, Lexer& lexer, ShapeParser& parser) {
  const Token& token = lexer.token();
  if (token.kind != TokenKind::kEof) {
    return Error{ErrorKind::kSyntax, StrCat("expected end of text after ", what, ", found ", DescribeToken(token)),
                 token.column};
  }
  return std::move(parser.invalid_layout());
}

}  // namespace

Expected<Shape> ParseShape(std::string_view text, const ParseOptions& options) {
  Lexer lexer(text);
  ShapeParser parser(lexer, options);
  Expected<Shape> shape;
  if (!parser.ReadShape(*shape)) return std::unexpected(std::move(parser.syntax_error()));
  if (std::optional<Error> error = ErrorAfter("the shape", lexer, parser)) return std::unexpected(std::move(*error));
  return shape;
}

Expected<Layout> ParseLayout(std::string_view text) {
  const ParseOptions options;
  Lexer lexer(text);
  ShapeParser parser(lexer, options);
  Expected<Layout> layout;
  if (!parser.ReadLayout(*layout)) return std::unexpected(std::move(parser.syntax_error()));
  if (std::optional<Error> error = ErrorAfter("the layout", lexer, parser)) return std::unexpected(std::move(*error));
  return layout;
}

}  // namespace layoutcheck
