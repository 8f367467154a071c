// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/solver/layout_proof/symbolic_layout.h"
#include <algorithm>
#include <cctype>
#include <optional>
#include "layoutcheck/core/base/str_cat.h"
#include "layoutcheck/core/bridges/fractal_to_hlo.h"
#include "layoutcheck/core/hlo/lexer.h"
#include "layoutcheck/core/hlo/parser.h"
#include "layoutcheck/core/hlo/printer.h"
#include "layoutcheck/core/shape_stride/fractal_layout.h"
#include "layoutcheck/core/shape_stride/tla.h"
#include "layoutcheck/core/tiling/sizes.h"

namespace layoutcheck {
namespace {

// Maximum length of a name. A number with as many digits fits int64 and can replace the name for parsing.
constexpr size_t kMaxNameLength = 18;

bool IsIndexOrDimensionName(std::string_view name) {
  return name.size() >= 2 && (name[0] == 'i' || name[0] == 'd') &&
         std::ranges::all_of(name.substr(1), [](char c) { return c >= '0' && c <= '9'; });
}

Expected<void> CheckName(const Token& token, std::string_view name) {
  if (name.size() > kMaxNameLength) {
    return MakeError(ErrorKind::kUnsupported,
                     StrCat("expected a name of at most ", kMaxNameLength, " letters, got '", name, "'"), token.column);
  }
  if (IsIndexOrDimensionName(name)) {
    return MakeError(ErrorKind::kInvalidArgument,
                     StrCat("the name '", name, "' is kept for an index or a dimension: use another"), token.column);
  }
  return {};
}

// The names among the sizes, in the order of the text.
struct Sizes {
  std::vector<std::string> dimensions;          // "" for a number
  std::vector<std::vector<std::string>> tiles;  // "" for a number or `*`
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

// Reads the sizes of one array shape and overwrites every name in `text` by a number 1 of the same width, so that the
// strict parser reads the text with the user's columns. Stops at the first unexpected token, which the parser reports.
Expected<Sizes> TakeNames(std::string& text) {
  const std::string original = text;
  Lexer lexer(original);
  Sizes sizes;
  const auto list = [&](TokenKind end, std::vector<std::string>& names) -> Expected<void> {
    bool expects_size = true;
    for (; lexer.kind() != end && lexer.kind() != TokenKind::kEof; lexer.Advance()) {
      const Token token = lexer.token();
      if (token.kind == TokenKind::kComma) {
        expects_size = true;
        continue;
      }
      if (token.kind == TokenKind::kLeq || !expects_size) continue;
      expects_size = false;
      names.emplace_back();
      if (const auto name = NameOf(token)) {
        if (auto ok = CheckName(token, *name); !ok) return std::unexpected(std::move(ok.error()));
        names.back() = *name;
        const auto begin = static_cast<size_t>(token.column - 1);
        text.replace(begin, name->size(), std::string(name->size() - 1, '0') + "1");
      }
    }
    return {};
  };
  if (lexer.kind() != TokenKind::kPrimitiveType) return sizes;
  lexer.Advance();
  if (lexer.kind() != TokenKind::kLeftSquare) return sizes;
  lexer.Advance();
  if (auto ok = list(TokenKind::kRightSquare, sizes.dimensions); !ok) return std::unexpected(std::move(ok.error()));
  while (lexer.kind() != TokenKind::kEof && !lexer.token().Is(TokenKind::kIdent, "T")) lexer.Advance();
  if (lexer.kind() == TokenKind::kEof) return sizes;
  lexer.Advance();
  while (lexer.kind() == TokenKind::kLeftParen) {
    lexer.Advance();
    if (auto ok = list(TokenKind::kRightParen, sizes.tiles.emplace_back()); !ok) {
      return std::unexpected(std::move(ok.error()));
    }
    lexer.Advance();
  }
  return sizes;
}

SymbolicSize SizeOf(const std::string& name, int64_t value) {
  return name.empty() ? SymbolicSize{"", value} : SymbolicSize{name, 0};
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

namespace {

// Parses "zN:f16[M,20]". Names are overwritten as in TakeNames, and the result is the XLA layout of the tag.
Expected<SymbolicLayout> ParseSymbolicFractal(std::string_view text) {
  SymbolicLayout result{std::string(text), std::nullopt, {}, {}};
  std::string numbers(text);
  std::vector<std::string> names;
  const size_t bracket = text.find('[');
  Lexer lexer(bracket == std::string_view::npos ? std::string_view() : text.substr(bracket));
  for (; lexer.kind() != TokenKind::kEof && lexer.kind() != TokenKind::kRightSquare; lexer.Advance()) {
    if (lexer.kind() == TokenKind::kLeftSquare || lexer.kind() == TokenKind::kComma) {
      names.emplace_back();
      continue;
    }
    const auto name = NameOf(lexer.token());
    if (!name) continue;
    Token token = lexer.token();
    token.column += static_cast<int64_t>(bracket);
    if (auto ok = CheckName(token, *name); !ok) return std::unexpected(std::move(ok.error()));
    numbers.replace(static_cast<size_t>(token.column - 1), name->size(), std::string(name->size() - 1, '0') + "1");
    names.back() = *name;
  }
  const Expected<FractalLayout> fractal = ParseFractalLayout(numbers);
  if (!fractal) return std::unexpected(fractal.error());
  const Expected<Shape> shape = HloOfFractal(*fractal);
  if (!shape) return std::unexpected(shape.error());
  const Expected<TiledLayout> layout = TiledLayoutOf(*shape);
  if (!layout) return std::unexpected(layout.error());
  const int64_t bits = FractalElementBits(fractal->element_type).value_or(8);
  result.element_bits = bits;
  const Expected<std::vector<int64_t>> blocks = BlocksOf(fractal->tag, bits, fractal->blocks);
  if (!blocks) return std::unexpected(blocks.error());
  // The checkers know the tags of tla::MakeLayout and nN, with the blocks that these have unless the text names some.
  const bool has_default_blocks = text.substr(0, bracket).find('<') == std::string_view::npos;
  const bool has_checkers = fractal->tag <= TlaTag::kWeight4BitnZ && has_default_blocks && names.size() == 2;
  result.fractal = SymbolicFractal{fractal->tag, *blocks, bits == 4, has_checkers, ""};
  names.resize(fractal->sizes.size());
  if (names.size() > layout->dimensions.size()) names.erase(names.begin());  // the rows of a vector
  result.layout.minor_to_major = layout->minor_to_major;
  for (size_t d = 0; d < layout->dimensions.size(); ++d) {
    const std::string& name = names[d];
    if (!name.empty() && std::ranges::find(result.names, name) == result.names.end()) result.names.push_back(name);
    result.layout.dimensions.push_back(SizeOf(name, layout->dimensions[d]));
  }
  for (const auto& tile : layout->tiles) {
    auto& entries = result.layout.tiles.emplace_back();
    for (const auto& entry : tile) entries.push_back({entry.combine, SizeOf("", entry.size)});
  }
  std::vector<std::string> sizes;
  for (const SymbolicSize& size : result.layout.dimensions) {
    sizes.push_back(size.name.empty() ? std::to_string(size.value) : size.name);
  }
  const std::string hlo = ToString(*shape);
  result.fractal->hlo = StrCat(hlo.substr(0, hlo.find('[') + 1), StrJoin(sizes, ","), hlo.substr(hlo.find(']')));
  return result;
}

}  // namespace

Expected<SymbolicLayout> ParseSymbolicLayout(std::string_view text) {
  if (IsFractalText(text)) return ParseSymbolicFractal(text);
  SymbolicLayout result{std::string(text), std::nullopt, {}, {}};
  std::string numbers(text);
  Expected<Sizes> sizes = TakeNames(numbers);
  if (!sizes) return std::unexpected(std::move(sizes.error()));
  const Expected<Shape> shape = ParseShape(numbers);
  if (!shape) return std::unexpected(shape.error());
  Expected<TiledLayout> layout = TiledLayoutOf(*shape);
  if (!layout) return std::unexpected(std::move(layout.error()));
  const auto same_length = [](const auto& a, const auto& b) { return a.size() == b.size(); };
  if (!same_length(sizes->dimensions, layout->dimensions) ||
      !std::ranges::equal(sizes->tiles, layout->tiles, same_length)) {
    return MakeError(ErrorKind::kUnsupported, "expected an array shape with sizes in its brackets and tiles only");
  }
  const auto note = [&](const std::string& name) {
    if (!name.empty() && std::ranges::find(result.names, name) == result.names.end()) result.names.push_back(name);
    return name;
  };
  result.element_bits = ElementSizeInBits(*shape);
  result.layout.minor_to_major = layout->minor_to_major;
  for (size_t d = 0; d < layout->dimensions.size(); ++d) {
    result.layout.dimensions.push_back(SizeOf(note(sizes->dimensions[d]), layout->dimensions[d]));
  }
  for (size_t t = 0; t < layout->tiles.size(); ++t) {
    auto& tile = result.layout.tiles.emplace_back();
    for (size_t k = 0; k < layout->tiles[t].size(); ++k) {
      const auto& entry = layout->tiles[t][k];
      tile.push_back({entry.combine, SizeOf(note(sizes->tiles[t][k]), entry.size)});
    }
  }
  return result;
}

BasicTiledLayout<Term> ToTerms(const BasicTiledLayout<SymbolicSize>& layout, TermContext& terms,
                               const std::map<std::string, int64_t>& values) {
  const auto term = [&](const SymbolicSize& size) {
    if (size.name.empty()) return Term(size.value);
    const auto value = values.find(size.name);
    return value == values.end() ? terms.Variable(size.name) : Term(value->second);
  };
  BasicTiledLayout<Term> result{{}, layout.minor_to_major, {}};
  for (const SymbolicSize& size : layout.dimensions) result.dimensions.push_back(term(size));
  for (const auto& tile : layout.tiles) {
    auto& entries = result.tiles.emplace_back();
    for (const auto& entry : tile) entries.push_back({entry.combine, entry.combine ? Term(1) : term(entry.size)});
  }
  return result;
}

TiledLayout ToNumbers(const BasicTiledLayout<SymbolicSize>& layout, const std::map<std::string, int64_t>& values) {
  const auto number = [&](const SymbolicSize& size) { return size.name.empty() ? size.value : values.at(size.name); };
  TiledLayout result{{}, layout.minor_to_major, {}};
  for (const SymbolicSize& size : layout.dimensions) result.dimensions.push_back(number(size));
  for (const auto& tile : layout.tiles) {
    auto& entries = result.tiles.emplace_back();
    for (const auto& entry : tile) entries.push_back({entry.combine, entry.combine ? 1 : number(entry.size)});
  }
  return result;
}

}  // namespace layoutcheck
