// The tokens of HLO text.
#ifndef LAYOUTCHECK_CORE_HLO_LEXER_H_
#define LAYOUTCHECK_CORE_HLO_LEXER_H_

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "layoutcheck/core/hlo/element_type.h"

namespace layoutcheck {

enum class TokenKind : uint8_t {
  kEof,
  kError,  // nothing that HLO knows; Token::problem says what
  // One byte each, kEqual to kRightParen.
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
  kName,           // %add.1 or `x:` with the colon attached
  kAttributeName,  // `kind=` with the equals sign attached
  kKeyword,        // ROOT, true, ...
  kDimLabels,      // b01f_01io->b01f
  kDxD,            // 2x3
  kPad,            // 1_1x0_0
  kIdent,
  kInt,      // within int64
  kDecimal,  // 1.5, 1e3, nan, -nan
  kNegInf,   // -inf
};

struct Token {
  TokenKind kind = TokenKind::kEof;
  // The type of a kPrimitiveType.
  ElementType element_type = ElementType::kTuple;
  // The value of a kInt.
  int64_t integer = 0;
  // The whole token as written.
  std::string_view text;
  // 1-based column (in bytes) of the first byte; of the end of the text for kEof.
  int64_t column = 1;
  // What is wrong with a kError.
  const char* problem = "";

  // The column after the last byte.
  int64_t end_column() const { return column + static_cast<int64_t>(text.size()); }
  // A name without its `%`, `:` or `=`.
  std::string_view word() const;
  bool Is(TokenKind expected_kind, std::string_view expected_text) const {
    return kind == expected_kind && text == expected_text;
  }
};

// The token for an error message: "'}'", "integer 7", "end of text", "an unterminated comment".
std::string DescribeToken(const Token& token);

// Cuts a text into tokens, one at a time. White space (space, TAB, LF, CR) and comments (`/* */`, `//` to the end of
// the line) between tokens are skipped. Never fails: what is no token comes back as kError and is stepped over by at
// least one byte. Reads nothing outside the text, which need not end in NUL and must outlive the lexer and its tokens.
class Lexer {
 public:
  explicit Lexer(std::string_view text) : begin_(text.data()), end_(text.data() + text.size()), current_(begin_) {
    Advance();
  }

  // The token at the current position.
  const Token& token() const { return token_; }
  TokenKind kind() const { return token_.kind; }
  // Steps to the next token. At the end of the text it stays there.
  void Advance();
  // Steps over `integer { ',' integer }` that follows the current token, to the token after it, and puts the integers
  // into `numbers`, as far as they are plain (without sign, blanks or comments, of at most 18 digits) and there is
  // room. Afterwards the current token is the comma or closing bracket or colon after the last integer taken. Gives how
  // many were taken; 0 does nothing. The same as two calls of Advance for each, only faster.
  size_t AdvanceOverPlainIntegers(std::span<int64_t> numbers);
  // The token after the current one, without stepping there.
  Token Peek() const;
  // Goes back (or forward) to the token that starts at this column.
  void Reset(int64_t column);
  // The text from one column up to, not including, another.
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
  // Where the next token, or the blanks before it, start.
  const char* current_;
  // The first byte of the token being cut.
  const char* start_ = nullptr;
  Token token_;
};

}  // namespace layoutcheck

#endif  // LAYOUTCHECK_CORE_HLO_LEXER_H_
