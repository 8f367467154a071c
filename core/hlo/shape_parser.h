// The grammar of shapes and layouts on a stream of tokens, for texts of which a shape is a part. Whole texts:
// parser.h.
#ifndef LAYOUTCHECK_CORE_HLO_SHAPE_PARSER_H_
#define LAYOUTCHECK_CORE_HLO_SHAPE_PARSER_H_

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

// Parses shapes and layouts at the lexer's position and leaves it after them. A syntax error ends the parse. A broken
// validation rule does not: a text can be called an invalid layout only when all of it is well formed, so that the
// first one is kept in invalid_layout() until the caller has read the rest.
class ShapeParser {
 public:
  // Both must outlive the parser.
  ShapeParser(Lexer& lexer, const ParseOptions& options) : lexer_(lexer), options_(options) {}

  // Whether a shape can start at the current token.
  bool AtShape() const;
  // Into a shape that is as constructed. False: syntax_error() says why.
  [[nodiscard]] bool ReadShape(Shape& shape);
  // A layout by itself. Its values are not compared with a shape's.
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
  // At an opening bracket (or the colon of a split): reads [item { ',' item }] `close`. Plain integers go straight to
  // `integers` where that is given; everything else is read by `read_item`.
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

#endif  // LAYOUTCHECK_CORE_HLO_SHAPE_PARSER_H_
