// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The tokens of HLO text.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include "layoutcheck/core/hlo/element_type.h"

namespace layoutcheck {

enum class TokenKind : uint8_t {
  kEof,
  kError,  // no token of HLO; Token::problem describes it
  // The kinds from kEqual to kRightParen are one byte long. A closing bracket comes after its opening one.
  kEqual,
  kComma,
  kColon,
  kAsterisk,
  kOctothorp,
  kPlus,
  kTilde,
  kLeftSquare,
  kRightSquare,
  kLeftBrace,
  kRightBrace,
  kLeftParen,
  kRightParen,
  kQuestionMark,
  kArrow,          // ->
  kLeq,            // <=
  kDots,           // ...
  kString,         // "a \" b" or 'a'
  kPrimitiveType,  // f32
  kName,           // %add.1, or x: with the colon as part of the token
  kAttributeName,  // kind= with the equals sign as part of the token
  kKeyword,        // ROOT, true, ...
  kDimLabels,      // b01f_01io->b01f
  kDxD,            // 2x3
  kPad,            // 1_1x0_0
  kIdent,
  kInt,      // an integer that fits int64
  kDecimal,  // 1.5, 1e3, nan, -nan
  kNegInf,   // -inf
};

// One token of HLO text. It refers to the text, which must outlive it.
struct Token {
  TokenKind kind = TokenKind::kEof;
  // Meaningful for kPrimitiveType.
  ElementType element_type = ElementType::kTuple;
  // Meaningful for kInt.
  int64_t integer = 0;
  std::string_view text;
  // 1-based column of the first byte, in bytes. For kEof, the column after the last byte of the text.
  int64_t column = 1;
  // The name of a kError in messages, e.g. "an unterminated comment".
  const char* problem = "";

  int64_t end_column() const { return column + static_cast<int64_t>(text.size()); }
  // Returns the text of a name without its `%`, `:` or `=`.
  std::string_view word() const;
  bool Is(TokenKind expected_kind, std::string_view expected_text) const {
    return kind == expected_kind && text == expected_text;
  }
};

// Returns the kind of the bracket that closes this one, or kEof for a token that opens none.
constexpr TokenKind CloserOf(TokenKind kind) {
  const bool is_opener =
      kind == TokenKind::kLeftParen || kind == TokenKind::kLeftSquare || kind == TokenKind::kLeftBrace;
  return is_opener ? static_cast<TokenKind>(static_cast<uint8_t>(kind) + 1) : TokenKind::kEof;
}
constexpr bool IsOpener(TokenKind kind) { return CloserOf(kind) != TokenKind::kEof; }
constexpr bool IsCloser(TokenKind kind) {
  return kind == TokenKind::kRightParen || kind == TokenKind::kRightSquare || kind == TokenKind::kRightBrace;
}

// Describes the token for an error message: "'}'", "integer 7", "end of text", "an unterminated comment".
std::string DescribeToken(const Token& token);

// Cuts a text into tokens, one at a time. Skips white space (space, TAB, LF, CR) and comments (`/* */`, and `//` to the
// end of the line). Never fails: bytes that form no token become a kError of at least one byte. Reads nothing outside
// the text, which need not end in NUL and must outlive the lexer and its tokens.
class Lexer {
 public:
  explicit Lexer(std::string_view text) : begin_(text.data()), end_(text.data() + text.size()), current_(begin_) {
    Advance();
  }

  const Token& token() const { return token_; }
  TokenKind kind() const { return token_.kind; }
  // Steps to the next token. At the end of the text, it does nothing.
  void Advance();
  // Reads the list `integer { ',' integer }` after the current token into `numbers`, up to the first integer that is
  // not plain (plain: no sign, blanks or comments, at most 18 digits) or that finds no room. Returns the number of
  // integers read. Then the current token is the comma, colon or closing bracket after the last one, or unchanged if
  // none was read. Equal to two calls of Advance per integer, but faster.
  size_t AdvanceOverPlainIntegers(std::span<int64_t> numbers);
  // Returns the token after the current one without stepping there.
  Token Peek() const;
  // Makes the token at this column the current one.
  void Reset(int64_t column);
  // Returns the text of the columns from `from_column` up to, but not including, `to_column`.
  std::string_view Slice(int64_t from_column, int64_t to_column) const {
    return {begin_ + (from_column - 1), static_cast<size_t>(to_column - from_column)};
  }

 private:
  bool SkipBlanks();
  void LexWord();
  void LexPercentName();
  void LexNumber();
  void LexNumberPattern();
  void LexInteger();
  void LexString(char quote);
  void Finish(TokenKind kind, const char* token_end);
  void Fail(const char* problem, const char* token_end);

  const char* begin_;
  const char* end_;
  const char* current_;          // end of the current token
  const char* start_ = nullptr;  // first byte of the token that is being cut
  Token token_;
};

}  // namespace layoutcheck
