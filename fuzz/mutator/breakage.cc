// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/fuzz/mutator/breakage.h"
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>
#include "layoutcheck/core/base/str_cat.h"
#include "layoutcheck/core/hlo/lexer.h"
#include "layoutcheck/fuzz/mutator/grammar_tokens.h"

namespace layoutcheck {
namespace {

using std::string_view_literals::operator""sv;

struct Piece {
  size_t begin;
  size_t end;
  TokenKind kind = TokenKind::kError;
};

std::vector<Piece> TokensOf(std::string_view text) {
  std::vector<Piece> tokens;
  for (Lexer lexer(text); lexer.kind() != TokenKind::kEof; lexer.Advance()) {
    const auto begin = static_cast<size_t>(lexer.token().column - 1);
    tokens.push_back({begin, begin + lexer.token().text.size(), lexer.kind()});
  }
  return tokens;
}

std::string Replaced(std::string_view text, const Piece& piece, std::string_view replacement) {
  return StrCat(text.substr(0, piece.begin), replacement, text.substr(piece.end));
}

std::string Inserted(std::string_view text, size_t position, std::string_view insertion) {
  return StrCat(text.substr(0, position), insertion, text.substr(position));
}

// Returns, for each token '(', the index of the token that closes it, or of the last token if none does.
std::vector<size_t> GroupEnds(const std::vector<Piece>& tokens) {
  std::vector<size_t> ends(tokens.size(), tokens.empty() ? 0 : tokens.size() - 1);
  std::vector<size_t> open;
  for (size_t i = 0; i < tokens.size(); ++i) {
    if (tokens[i].kind == TokenKind::kLeftParen) {
      open.push_back(i);
    } else if (tokens[i].kind == TokenKind::kRightParen && !open.empty()) {
      ends[open.back()] = i;
      open.pop_back();
    }
  }
  return ends;
}

// Returns the attributes of layouts: words or marks after ':' or ')' with their arguments in parentheses.
std::vector<Piece> AttributesOf(const std::vector<Piece>& tokens) {
  const std::vector<size_t> group_end = GroupEnds(tokens);
  std::vector<Piece> attributes;
  for (size_t i = 1; i + 1 < tokens.size(); ++i) {
    const TokenKind before = tokens[i - 1].kind;
    const TokenKind kind = tokens[i].kind;
    if (before != TokenKind::kColon && before != TokenKind::kRightParen) continue;
    if (kind != TokenKind::kIdent && kind != TokenKind::kAsterisk && kind != TokenKind::kOctothorp) continue;
    // The attribute includes its groups in parentheses and a parenthesis opened before it.
    size_t last = i;
    while (last + 1 < tokens.size() && tokens[last + 1].kind == TokenKind::kLeftParen) last = group_end[last + 1];
    if (last + 1 < tokens.size() && tokens[last + 1].kind == TokenKind::kRightParen) ++last;
    attributes.push_back({tokens[i].begin, tokens[last].end, kind});
  }
  return attributes;
}

std::string BreakAttributes(std::string_view text, const std::vector<Piece>& tokens, Random& random) {
  const std::vector<Piece> attributes = AttributesOf(tokens);
  constexpr std::string_view kAttributes[] = {"T(2)",     "L(2)", "#(u32)", "*(u8)", "E(4)", "S(1)", "SC(0:1)",
                                              "P(f32[])", "M(8)", "D(D)",   "T",     "T()",  "Q(1)", "s(1)"};
  if (attributes.empty()) {
    const size_t brace = text.find('}');
    if (brace == std::string_view::npos) return StrCat(text, "{", random.Pick(kAttributes), "}");
    const std::string_view colon = random.OneIn(2) ? ":" : "";
    return Inserted(text, brace, StrCat(colon, random.Pick(kAttributes)));
  }
  const Piece& one = random.Pick(attributes);
  const std::string_view words = text.substr(one.begin, one.end - one.begin);
  if (random.OneIn(3)) return Inserted(text, one.end, random.OneIn(2) ? words : random.Pick(kAttributes));
  if (random.OneIn(3)) return Inserted(text, one.begin, random.Pick(kAttributes));
  const Piece& other = random.Pick(attributes);
  if (one.end <= other.begin) {
    return StrCat(text.substr(0, one.begin), text.substr(other.begin, other.end - other.begin),
                  text.substr(one.end, other.begin - one.end), words, text.substr(other.end));
  }
  return Inserted(text, other.begin, words);
}

std::string BreakInteger(std::string_view text, const std::vector<Piece>& tokens, Random& random) {
  constexpr std::string_view kIntegers[] = {"2147483647",
                                            "2147483648",
                                            "4294967296",
                                            "9223372036854775807",
                                            "9223372036854775808",
                                            "18446744073709551615",
                                            "18446744073709551616",
                                            "99999999999999999999",
                                            "-1",
                                            "-2",
                                            "-9223372036854775808",
                                            "-9223372036854775809",
                                            "-0",
                                            "007",
                                            "0",
                                            "1",
                                            "0x10",
                                            "1e3",
                                            "2.0",
                                            "2x3",
                                            "2_3",
                                            "+2",
                                            "- 1",
                                            "-",
                                            "?",
                                            "<=",
                                            "<=3",
                                            "< =3",
                                            "<=-1",
                                            "*",
                                            "**",
                                            "",
                                            "1 2",
                                            "\xe2\x88\x92"
                                            "1",
                                            "1,",
                                            ",1",
                                            "inf",
                                            "nan",
                                            "00000000000000000000000000000001"};
  std::vector<Piece> integers;
  std::ranges::copy_if(tokens, std::back_inserter(integers),
                       [](const Piece& token) { return token.kind == TokenKind::kInt; });
  const std::string_view integer = random.Pick(kIntegers);
  if (integers.empty()) return Inserted(text, random.Index(text.size() + 1), integer);
  return Replaced(text, random.Pick(integers), integer);
}

std::string BreakToken(std::string_view text, const std::vector<Piece>& tokens, Random& random) {
  const auto any_token = [&] {
    const auto grammar_tokens = GrammarTokens();
    return grammar_tokens[random.Index(grammar_tokens.size())];
  };
  if (tokens.empty()) return std::string(any_token());
  const Piece& token = random.Pick(tokens);
  const std::string_view word = text.substr(token.begin, token.end - token.begin);
  switch (random.Below(7)) {
    case 0:
    case 1: return Replaced(text, token, "");
    case 2: return Inserted(text, token.end, word);
    case 3: return Replaced(text, token, any_token());
    case 4: return Inserted(text, token.begin, any_token());
    case 5: {
      std::string changed(word);
      char& c = random.Pick(changed);
      const bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
      c = letter ? static_cast<char>(c ^ 0x20) : c;
      return Replaced(text, token, changed);
    }
    default: {
      const Piece& other = random.Pick(tokens);
      if (token.end > other.begin) return Replaced(text, token, "");
      return StrCat(text.substr(0, token.begin), text.substr(other.begin, other.end - other.begin),
                    text.substr(token.end, other.begin - token.end), word, text.substr(other.end));
    }
  }
}

std::string Nest(std::string_view text, Random& random) {
  // Deep nesting is rare, because such texts take long to read.
  constexpr size_t kDepths[] = {1, 2, 3, 10, 100, 600, 3000, 8191, 8192, 8193, 20000};
  const size_t depth = random.OneIn(64) ? random.Pick(kDepths) : random.Index(4) + 1;
  constexpr std::string_view kOpen[] = {"(", "(", "b(", "[", "{", "f32[2]{0:P("};
  const std::string_view open = random.Pick(kOpen);
  const char close = open.back() == '(' ? ')' : open == "[" ? ']' : '}';
  std::string result;
  for (size_t i = 0; i < depth; ++i) result += open;
  result += text;
  if (!random.OneIn(4)) result.append(depth, close);
  return result;
}

std::string InsertStrayBytes(std::string_view text, Random& random) {
  constexpr std::string_view kStray[] = {"\0"sv,
                                         "\v",
                                         "\f",
                                         "\x80",
                                         "\xff",
                                         "\xc2\xa0",
                                         "\xef\xbb\xbf",
                                         "\xe2\x80\x8b",
                                         "\xe2\x88\x92",
                                         "\x01",
                                         "\x7f",
                                         " ",
                                         "\n",
                                         "/",
                                         "/*",
                                         "*/",
                                         "//",
                                         "/**/",
                                         "/* \0 */"sv,
                                         "/*/",
                                         "\"",
                                         "'",
                                         "\\",
                                         "%",
                                         "$",
                                         "|",
                                         "-",
                                         "<",
                                         ">",
                                         ".",
                                         "_",
                                         "x"};
  const size_t position = random.Index(text.size() + 1);
  return Inserted(text, position, random.Pick(kStray));
}

// Changes the text at a comma, colon or bracket, where lists begin and end.
std::string BreakList(std::string_view text, const std::vector<Piece>& tokens, Random& random) {
  constexpr std::string_view kInsertions[] = {",", ",,", " ", "()", "[]", "{}", "T()", "(", ")",
                                              "[", "]",  "{", "}",  ":",  "1",  "*",   "?"};
  std::vector<Piece> marks;
  std::ranges::copy_if(tokens, std::back_inserter(marks), [](const Piece& token) {
    return token.kind == TokenKind::kComma || token.kind == TokenKind::kColon ||
           (token.kind >= TokenKind::kLeftSquare && token.kind <= TokenKind::kRightParen);
  });
  if (marks.empty()) return StrCat(text, random.Pick(kInsertions));
  const Piece& mark = random.Pick(marks);
  if (random.OneIn(3)) return Replaced(text, mark, random.OneIn(2) ? "" : random.Pick(kInsertions));
  const size_t position = random.OneIn(2) ? mark.begin : mark.end;
  return Inserted(text, position, random.Pick(kInsertions));
}

std::string AddEnd(std::string_view text, Random& random) {
  constexpr std::string_view kEnds[] = {"x", "}", ")",    "]",  ",",  " f32[]", "{0}",   "{}",  "{",
                                        "0", ";", "\0"sv, "//", "/*", "=",      "{1,0}", "T(2)"};
  return StrCat(text, random.Pick(kEnds));
}

}  // namespace

std::string BreakText(std::string_view text, Random& random) {
  const std::vector<Piece> tokens = TokensOf(text);
  switch (random.Below(16)) {
    case 0:
    case 1:
    case 2: return BreakAttributes(text, tokens, random);
    case 3:
    case 4:
    case 5: return BreakInteger(text, tokens, random);
    case 6:
    case 7:
    case 8: return BreakToken(text, tokens, random);
    case 9:
    case 10:
    case 11: return BreakList(text, tokens, random);
    case 12: return InsertStrayBytes(text, random);
    case 13: return std::string(text.substr(0, random.Index(text.size() + 1)));
    case 14: return Nest(text, random);
    default: return AddEnd(text, random);
  }
}

}  // namespace layoutcheck
