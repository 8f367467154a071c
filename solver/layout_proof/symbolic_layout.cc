// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/solver/layout_proof/symbolic_layout.h"
#include <algorithm>
#include <cctype>
#include "layoutcheck/core/base/str_cat.h"
#include "layoutcheck/core/bridges/text_to_hlo.h"
#include "layoutcheck/core/hlo/lexer.h"
#include "layoutcheck/core/hlo/parser.h"
#include "layoutcheck/core/hlo/printer.h"
#include "layoutcheck/core/shape_stride/fractal_layout.h"
#include "layoutcheck/core/tiling/sizes.h"
#include "layoutcheck/core/tiling/tiled_index.h"

namespace layoutcheck {
namespace {

// Maximum length of a name. A number with as many digits fits int64 and can replace the name for parsing.
constexpr size_t kMaxNameLength = 18;

Expected<void> CheckName(const Token& token, std::string_view name) {
  if (name.size() > kMaxNameLength) {
    return ErrorAt(token.column,
                   UnsupportedError("expected a name of at most ", kMaxNameLength, " letters, got '", name, "'"));
  }
  const bool is_numbered = name.size() >= 2 && name.find_first_not_of("0123456789", 1) == std::string_view::npos;
  if (is_numbered && (name[0] == 'i' || name[0] == 'd')) {
    return ErrorAt(token.column,
                   ArgumentError("the name '", name, "' is kept for an index or a dimension: use another"));
  }
  return {};
}

// The names among the sizes, in the order of the text.
struct Sizes {
  std::vector<std::string> dimensions;          // name of each dimension, "" for a number
  std::vector<std::vector<std::string>> tiles;  // name of each tile entry, "" for a number or `*`
};

// Returns the token as a name if it can be one: letters, digits and _, as the lexer delimits them.
std::optional<std::string_view> NameOf(const Token& token) {
  if (token.text.empty() || !(std::isalpha(static_cast<unsigned char>(token.text[0])) || token.text[0] == '_')) {
    return std::nullopt;
  }
  const bool word =
      std::ranges::all_of(token.text, [](char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; });
  return word ? std::optional(token.text) : std::nullopt;
}

// Reads sizes up to the token `end`. Overwrites every name in `text`, where the lexer's text begins at `begin`, by a
// number 1 of the same width, so that the parsers report the user's columns. Appends each name, or "" for a number, to
// `names`.
Expected<void> TakeNames(Lexer& lexer, TokenKind end, size_t begin, std::string& text,
                         std::vector<std::string>& names) {
  bool expects_size = true;
  for (; lexer.kind() != end && lexer.kind() != TokenKind::kEof; lexer.Advance()) {
    Token token = lexer.token();
    if (token.kind == TokenKind::kComma) {
      expects_size = true;
      continue;
    }
    if (token.kind == TokenKind::kLeq || !expects_size) continue;
    expects_size = false;
    names.emplace_back();
    const auto name = NameOf(token);
    if (!name) continue;
    token.column += static_cast<int64_t>(begin);
    if (auto ok = CheckName(token, *name); !ok) return ok;
    names.back() = *name;
    text.replace(static_cast<size_t>(token.column - 1), name->size(), std::string(name->size() - 1, '0') + "1");
  }
  return {};
}

// Reads the sizes of one array shape. Stops at the first unexpected token, which the parser reports.
Expected<Sizes> TakeNamesOfShape(std::string& text) {
  const std::string original = text;
  Lexer lexer(original);
  Sizes sizes;
  if (lexer.kind() != TokenKind::kPrimitiveType) return sizes;
  lexer.Advance();
  if (lexer.kind() != TokenKind::kLeftSquare) return sizes;
  lexer.Advance();
  LAYOUTCHECK_RETURN_IF_ERROR(TakeNames(lexer, TokenKind::kRightSquare, 0, text, sizes.dimensions));
  while (lexer.kind() != TokenKind::kEof && !lexer.token().Is(TokenKind::kIdent, "T")) lexer.Advance();
  if (lexer.kind() == TokenKind::kEof) return sizes;
  lexer.Advance();
  while (lexer.kind() == TokenKind::kLeftParen) {
    lexer.Advance();
    LAYOUTCHECK_RETURN_IF_ERROR(TakeNames(lexer, TokenKind::kRightParen, 0, text, sizes.tiles.emplace_back()));
    lexer.Advance();
  }
  return sizes;
}

// Returns the layout with names in place of its sizes. Requires a name, or "", for each size.
SymbolicLayout WithNames(std::string_view text, const TiledLayout& layout, const Sizes& names) {
  SymbolicLayout result{.text = std::string(text), .layout = {{}, layout.minor_to_major, {}}, .names = {}};
  const auto size_of = [&](const std::string& name, int64_t value) {
    if (name.empty()) return SymbolicSize{"", value};
    if (std::ranges::find(result.names, name) == result.names.end()) result.names.push_back(name);
    return SymbolicSize{name, 0};
  };
  for (size_t d = 0; d < layout.dimensions.size(); ++d) {
    result.layout.dimensions.push_back(size_of(names.dimensions[d], layout.dimensions[d]));
  }
  for (size_t t = 0; t < layout.tiles.size(); ++t) {
    auto& tile = result.layout.tiles.emplace_back();
    for (size_t k = 0; k < layout.tiles[t].size(); ++k) {
      const auto& entry = layout.tiles[t][k];
      tile.push_back({entry.combine, size_of(names.tiles[t][k], entry.size)});
    }
  }
  return result;
}

// Parses "zN:f16[M,20]". The result is the XLA layout of the tag.
Expected<SymbolicLayout> ParseSymbolicFractal(std::string_view text) {
  std::string numbers(text);
  Sizes names;
  const size_t bracket = std::min(text.find('['), text.size());
  Lexer lexer(text.substr(bracket));
  lexer.Advance();
  LAYOUTCHECK_RETURN_IF_ERROR(TakeNames(lexer, TokenKind::kRightSquare, bracket, numbers, names.dimensions));
  LAYOUTCHECK_TRY(const FractalLayout fractal, ParseFractalLayout(numbers));
  LAYOUTCHECK_TRY(const Shape shape, HloOfFractal(fractal));
  LAYOUTCHECK_TRY(const TiledLayout layout, TiledLayoutOf(shape));
  const int64_t bits = FractalElementBits(fractal.element_type).value_or(8);
  LAYOUTCHECK_TRY(const std::vector<int64_t> blocks, BlocksOf(fractal.tag, bits, fractal.blocks));
  // The checkers know the tags of tla::MakeLayout and nN, with the blocks that these have unless the text names some.
  const bool has_default_blocks = text.substr(0, bracket).find('<') == std::string_view::npos;
  const bool has_checkers = fractal.tag <= TlaTag::kWeight4BitnZ && has_default_blocks && names.dimensions.size() == 2;
  names.dimensions.resize(fractal.sizes.size());
  if (names.dimensions.size() > layout.dimensions.size())
    names.dimensions.erase(names.dimensions.begin());  // a layout of one dimension has no rows
  for (const auto& tile : layout.tiles) names.tiles.emplace_back(tile.size());
  SymbolicLayout result = WithNames(text, layout, names);
  result.element_bits = bits;
  std::vector<std::string> sizes;
  for (const SymbolicSize& size : result.layout.dimensions) {
    sizes.push_back(size.name.empty() ? std::to_string(size.value) : size.name);
  }
  const std::string hlo = ToString(shape);
  result.fractal =
      SymbolicFractal{fractal.tag, blocks, bits == 4, has_checkers,
                      StrCat(hlo.substr(0, hlo.find('[') + 1), StrJoin(sizes, ","), hlo.substr(hlo.find(']')))};
  return result;
}

}  // namespace

bool SymbolicLayout::IsTileName(const std::string& name) const {
  return std::ranges::any_of(layout.tiles, [&](const auto& tile) {
    return std::ranges::any_of(tile, [&](const auto& entry) { return entry.size.name == name; });
  });
}

bool SymbolicLayout::IsDimensionName(const std::string& name) const {
  return std::ranges::any_of(layout.dimensions, [&](const SymbolicSize& size) { return size.name == name; });
}

Expected<SymbolicLayout> ParseSymbolicLayout(std::string_view text) {
  if (IsFractalText(text)) return ParseSymbolicFractal(text);
  std::string numbers(text);
  LAYOUTCHECK_TRY(const Sizes sizes, TakeNamesOfShape(numbers));
  LAYOUTCHECK_TRY(const Shape shape, ParseShape(numbers));
  LAYOUTCHECK_TRY(const TiledLayout layout, TiledLayoutOf(shape));
  const auto same_length = [](const auto& a, const auto& b) { return a.size() == b.size(); };
  if (!same_length(sizes.dimensions, layout.dimensions) ||
      !std::ranges::equal(sizes.tiles, layout.tiles, same_length)) {
    return UnsupportedError("expected an array shape with sizes in its brackets and tiles only");
  }
  SymbolicLayout result = WithNames(text, layout, sizes);
  result.element_bits = ElementSizeInBits(shape);
  return result;
}

BasicTiledLayout<Term> ToTerms(const BasicTiledLayout<SymbolicSize>& layout, TermContext& terms,
                               const std::map<std::string, int64_t>& values) {
  return MapSizes<Term>(layout, [&](const SymbolicSize& size) {
    if (size.name.empty()) return Term(size.value);
    const auto value = values.find(size.name);
    return value == values.end() ? terms.Variable(size.name) : Term(value->second);
  });
}

TiledLayout ToNumbers(const BasicTiledLayout<SymbolicSize>& layout, const std::map<std::string, int64_t>& values) {
  return MapSizes<int64_t>(
      layout, [&](const SymbolicSize& size) { return size.name.empty() ? size.value : values.at(size.name); });
}

namespace {

// An integer that records its computation as text, except operators of constants, which it computes.
class WrittenInteger {
 public:
  WrittenInteger(int64_t value = 0) : value_(value) {}  // NOLINT(google-explicit-constructor): mixes with literals
  explicit WrittenInteger(std::string text) : text_(std::move(text)) {}

  std::string text() const { return text_.empty() ? StrCat(value_.value) : text_; }

  friend WrittenInteger operator+(const WrittenInteger& a, const WrittenInteger& b) {
    if (a.Is(0)) return b;
    if (b.Is(0)) return a;
    return Written(a, " + ", b, a.value_ + b.value_);
  }
  friend WrittenInteger operator*(const WrittenInteger& a, const WrittenInteger& b) {
    if (a.Is(1) || b.Is(0)) return b;
    if (b.Is(1) || a.Is(0)) return a;
    return Written(a, " * ", b, a.value_ * b.value_);
  }
  friend WrittenInteger FloorDiv(const WrittenInteger& a, const WrittenInteger& b) {
    return b.Is(1) ? a : Written(a, " / ", b, FloorDiv(a.value_, b.value_));
  }
  friend WrittenInteger Mod(const WrittenInteger& a, const WrittenInteger& b) {
    return b.Is(1) ? WrittenInteger(0) : Written(a, " % ", b, Mod(a.value_, b.value_));
  }
  friend WrittenInteger CeilDiv(const WrittenInteger& a, const WrittenInteger& b) {
    if (b.Is(1)) return a;
    if (a.text_.empty() && b.text_.empty()) return Constant(CeilDiv(a.value_, b.value_));
    const std::string less_one = b.text_.empty() ? StrCat(" + ", b.value_.value - 1) : StrCat(" + ", b.text_, " - 1");
    return Written(WrittenInteger(StrCat("(", a.text(), less_one, ")")), " / ", b, {});
  }

 private:
  bool Is(int64_t number) const { return text_.empty() && !value_.overflow && value_.value == number; }
  // A number that does not fit int64 becomes a product that does not fit either; the layout has no index then.
  static WrittenInteger Constant(CheckedInt64 value) {
    WrittenInteger result;
    result.value_ = value;
    return result;
  }
  static WrittenInteger Written(const WrittenInteger& a, const char* op, const WrittenInteger& b, CheckedInt64 value) {
    if (a.text_.empty() && b.text_.empty()) return Constant(value);
    return WrittenInteger(StrCat("(", a.text(), op, b.text(), ")"));
  }

  std::string text_;  // empty for a constant
  CheckedInt64 value_;
};

}  // namespace

std::string LayoutFormula(const SymbolicLayout& layout) {
  const auto sizes = MapSizes<WrittenInteger>(layout.layout, [](const SymbolicSize& size) {
    return size.name.empty() ? WrittenInteger(size.value) : WrittenInteger(size.name);
  });
  std::vector<WrittenInteger> index;
  for (size_t d = 0; d < sizes.dimensions.size(); ++d) index.emplace_back(StrCat("i", d));
  return BasicTiledIndex<WrittenInteger>(sizes)(index).text();
}

}  // namespace layoutcheck
