// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/core/hlo/lexer.h"
#include <algorithm>
#include <array>
#include <optional>
#include <utility>
#include "layoutcheck/core/base/str_cat.h"

namespace layoutcheck {
namespace {

bool IsDigit(char c) { return c >= '0' && c <= '9'; }

// The class of a token's first byte. Values below kWord are those of TokenKind, for bytes that are whole tokens.
enum class ByteClass : uint8_t {
  kWord = static_cast<uint8_t>(TokenKind::kRightParen) + 1,
  kDigit,
  kPercent,
  kQuote,
  kQuestionMark,
  kBlankOrSlash,
  kOther,
};

struct ByteTables {
  std::array<ByteClass, 256> byte_class;
  // true for bytes of a word after its first letter
  std::array<bool, 256> in_word{};
  // true for bytes that, after digits, continue a decimal, DxD, Pad or DimLabels
  std::array<bool, 256> continues_number{};
  // true for bytes that, after digits, end an integer and are tokens themselves
  std::array<bool, 256> ends_plain_integer{};
};

constexpr ByteTables kByteTables = [] {
  constexpr std::string_view kLetters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_";
  constexpr std::string_view kDigits = "0123456789";
  ByteTables tables;
  tables.byte_class.fill(ByteClass::kOther);
  const auto set = [&tables](std::string_view bytes, ByteClass byte_class) {
    for (const char c : bytes) tables.byte_class[static_cast<unsigned char>(c)] = byte_class;
  };
  set(kLetters, ByteClass::kWord);
  set(kDigits, ByteClass::kDigit);
  set("%", ByteClass::kPercent);
  set("\"'", ByteClass::kQuote);
  set("?", ByteClass::kQuestionMark);
  set(" \t\n\r/", ByteClass::kBlankOrSlash);
  constexpr std::pair<std::string_view, TokenKind> kOneByteTokens[] = {
      {"=", TokenKind::kEqual},      {",", TokenKind::kComma},      {":", TokenKind::kColon},
      {"*", TokenKind::kAsterisk},   {"#", TokenKind::kOctothorp},  {"+", TokenKind::kPlus},
      {"~", TokenKind::kTilde},      {"[", TokenKind::kLeftSquare}, {"]", TokenKind::kRightSquare},
      {"{", TokenKind::kLeftBrace},  {"}", TokenKind::kRightBrace}, {"(", TokenKind::kLeftParen},
      {")", TokenKind::kRightParen},
  };
  for (const auto& [byte, kind] : kOneByteTokens) set(byte, static_cast<ByteClass>(kind));
  for (const std::string_view bytes : {kLetters, kDigits, std::string_view(".-")}) {
    for (const char c : bytes) tables.in_word[static_cast<unsigned char>(c)] = true;
  }
  for (const char c : std::string_view(",:)]}")) tables.ends_plain_integer[static_cast<unsigned char>(c)] = true;
  for (const char c : std::string_view(".eEx_bf?")) tables.continues_number[static_cast<unsigned char>(c)] = true;
  return tables;
}();

ByteClass ClassOf(char c) { return kByteTables.byte_class[static_cast<unsigned char>(c)]; }
bool IsWordStart(char c) { return ClassOf(c) == ByteClass::kWord; }
bool IsWordByte(char c) { return kByteTables.in_word[static_cast<unsigned char>(c)]; }

constexpr std::string_view kKeywords[] = {
    "true",          "false",         "inf",         "HloModule", "ENTRY",      "ROOT",   "FileNames",
    "FunctionNames", "FileLocations", "StackFrames", "maximal",   "replicated", "manual", "last_tile_dim_replicate",
    "shard_as",      "shard_like",    "unknown",     "unreduced"};

// The matchers below return the end of the longest match at `p` in a text that ends at `end`, or nullptr.

const char* SkipDigits(const char* p, const char* end) {
  while (p != end && IsDigit(*p)) ++p;
  return p;
}

// Returns the value of up to 18 digits at `p`, which fits int64. Leaves `p` after them.
int64_t TakeDigits(const char*& p, const char* end) {
  constexpr ptrdiff_t kDigitsThatFit = 18;
  const char* const fitting_end = end - p > kDigitsThatFit ? p + kDigitsThatFit : end;
  const char* digit = p;
  int64_t value = 0;
  for (; digit != fitting_end && IsDigit(*digit); ++digit) value = value * 10 + (*digit - '0');
  p = digit;
  return value;
}

const char* SkipMinus(const char* p, const char* end) { return p != end && *p == '-' ? p + 1 : p; }

const char* MatchDigits(const char* p, const char* end) {
  const char* const stop = SkipDigits(p, end);
  return stop == p ? nullptr : stop;
}

const char* MatchExponent(const char* p, const char* end) {
  if (p == end || (*p != 'e' && *p != 'E')) return nullptr;
  ++p;
  if (p != end && (*p == '+' || *p == '-')) ++p;
  return MatchDigits(p, end);
}

// Matches [-]digits[.digits] with an exponent, a point or both, and a digit before the exponent.
const char* MatchDecimal(const char* p, const char* end) {
  p = SkipMinus(p, end);
  const char* const integer_end = SkipDigits(p, end);
  const char* fraction_end = nullptr;
  if (integer_end != end && *integer_end == '.') {
    fraction_end = SkipDigits(integer_end + 1, end);
    if (fraction_end - p == 1) return nullptr;  // a point without digits
  } else if (integer_end == p) {
    return nullptr;
  }
  const char* const mantissa_end = fraction_end != nullptr ? fraction_end : integer_end;
  const char* const exponent_end = MatchExponent(mantissa_end, end);
  return exponent_end != nullptr ? exponent_end : fraction_end;
}

const char* MatchAtLeastTwoOf(std::string_view letters, const char* p, const char* end) {
  const char* stop = p;
  while (stop != end && (IsDigit(*stop) || letters.find(*stop) != std::string_view::npos)) ++stop;
  return stop - p >= 2 ? stop : nullptr;
}

const char* MatchLiteral(std::string_view literal, const char* p, const char* end) {
  return std::string_view(p, static_cast<size_t>(end - p)).starts_with(literal) ? p + literal.size() : nullptr;
}

// Matches [0-9bf?]{2,}_[0-9io?]{2,}->[0-9bf?]{2,}
const char* MatchDimLabels(const char* p, const char* end) {
  p = MatchAtLeastTwoOf("bf?", p, end);
  if (p != nullptr) p = MatchLiteral("_", p, end);
  if (p != nullptr) p = MatchAtLeastTwoOf("io?", p, end);
  if (p != nullptr) p = MatchLiteral("->", p, end);
  return p == nullptr ? nullptr : MatchAtLeastTwoOf("bf?", p, end);
}

// Matches texts such as 2x3x4.
const char* MatchDxD(const char* p, const char* end) {
  p = MatchDigits(p, end);
  const char* match = nullptr;
  while (p != nullptr && p != end && *p == 'x') {
    p = MatchDigits(p + 1, end);
    if (p != nullptr) match = p;
  }
  return match;
}

// Matches low_high[_interior] of one dimension.
const char* MatchOnePad(const char* p, const char* end) {
  p = MatchDigits(SkipMinus(p, end), end);
  if (p == nullptr || p == end || *p != '_') return nullptr;
  p = MatchDigits(SkipMinus(p + 1, end), end);
  if (p == nullptr || p == end || *p != '_') return p;
  const char* const interior_end = MatchDigits(p + 1, end);
  return interior_end != nullptr ? interior_end : p;
}

// Matches texts such as 1_1x0_0_2.
const char* MatchPad(const char* p, const char* end) {
  const char* match = MatchOnePad(p, end);
  while (match != nullptr && match != end && *match == 'x') {
    const char* const next = MatchOnePad(match + 1, end);
    if (next == nullptr) break;
    match = next;
  }
  return match;
}

}  // namespace

std::string_view Token::word() const {
  std::string_view result = text;
  if (kind == TokenKind::kName && result.starts_with('%')) {
    result.remove_prefix(1);
  } else if (kind == TokenKind::kName || kind == TokenKind::kAttributeName) {
    result.remove_suffix(1);
  }
  return result;
}

std::string DescribeToken(const Token& token) {
  constexpr size_t kLongest = 40;
  switch (token.kind) {
    case TokenKind::kEof: return "end of text";
    case TokenKind::kError: break;
    case TokenKind::kString: return "a string";
    case TokenKind::kInt: return StrCat("integer ", token.integer);
    default:
      if (token.text.size() > kLongest) return StrCat("'", token.text.substr(0, kLongest), "...'");
      return StrCat("'", token.text, "'");
  }
  const auto printable = [](char c) { return c >= ' ' && c <= '~'; };
  if (!token.text.empty() && token.text.size() <= kLongest && std::ranges::all_of(token.text, printable)) {
    return StrCat(token.problem, " '", token.text, "'");
  }
  if (token.text.size() == 1) {
    constexpr std::string_view kHex = "0123456789abcdef";
    const auto byte = static_cast<unsigned char>(token.text[0]);
    return StrCat("byte 0x", kHex[byte / 16], kHex[byte % 16]);
  }
  return token.problem;
}

void Lexer::Finish(TokenKind kind, const char* token_end) {
  token_.kind = kind;
  token_.text = std::string_view(start_, static_cast<size_t>(token_end - start_));
  current_ = token_end;
}

void Lexer::Fail(const char* problem, const char* token_end) {
  Finish(TokenKind::kError, token_end);
  token_.problem = problem;
}

Token Lexer::Peek() const {
  Lexer copy = *this;
  copy.Advance();
  return copy.token_;
}

void Lexer::Reset(int64_t column) {
  current_ = begin_ + (column - 1);
  Advance();
}

// Moves start_ to the first byte of the next token. Returns false if that token is a broken comment.
bool Lexer::SkipBlanks() {
  while (start_ != end_) {
    const char c = *start_;
    if (c == ' ' || c == '\t' || c == '\n' || c == '\r') {
      ++start_;
    } else if (c == '/' && end_ - start_ >= 2 && start_[1] == '/') {
      start_ = std::find_if(start_, end_, [](char end_of_line) { return end_of_line == '\n' || end_of_line == '\r'; });
    } else if (c == '/' && end_ - start_ >= 2 && start_[1] == '*') {
      const std::string_view rest(start_ + 2, static_cast<size_t>(end_ - start_ - 2));
      const size_t length = rest.find("*/");
      if (length == std::string_view::npos) {
        Fail("an unterminated comment", end_);
        return false;
      }
      if (const size_t nul = rest.find('\0'); nul < length) {
        Fail("a comment with a NUL byte in it", rest.data() + nul + 1);
        return false;
      }
      start_ = rest.data() + length + 2;
    } else {
      break;
    }
  }
  return true;
}

void Lexer::Advance() {
  start_ = current_;
  bool blanks_end_well = true;
  if (start_ != end_ && ClassOf(*start_) == ByteClass::kBlankOrSlash) blanks_end_well = SkipBlanks();
  token_.column = start_ - begin_ + 1;
  if (!blanks_end_well) return;
  if (start_ == end_) return Finish(TokenKind::kEof, start_);
  const ByteClass byte_class = ClassOf(*start_);
  if (byte_class < ByteClass::kWord) return Finish(static_cast<TokenKind>(byte_class), start_ + 1);
  switch (byte_class) {
    case ByteClass::kWord: return LexWord();
    case ByteClass::kDigit: return LexNumber();
    case ByteClass::kPercent: return LexPercentName();
    case ByteClass::kQuote: return LexString(*start_);
    case ByteClass::kQuestionMark: return LexNumberPattern();
    default: break;
  }
  const auto match = [this](std::string_view text) { return MatchLiteral(text, start_, end_); };
  if (const char* const p = match("->")) return Finish(TokenKind::kArrow, p);
  if (const char* const p = match("<=")) return Finish(TokenKind::kLeq, p);
  if (const char* const p = match("...")) return Finish(TokenKind::kDots, p);
  if (*start_ == '-') return LexNumberPattern();
  Fail("the stray character", start_ + 1);
}

void Lexer::LexWord() {
  const char* p = start_ + 1;
  while (p != end_ && IsWordByte(*p)) ++p;
  if (p != end_ && *p == ':') return Finish(TokenKind::kName, p + 1);
  if (p != end_ && *p == '=') return Finish(TokenKind::kAttributeName, p + 1);
  const std::string_view word(start_, static_cast<size_t>(p - start_));
  if (word.size() >= 2) {
    if (const std::optional<ElementType> type = ElementTypeFromName(word)) {
      token_.element_type = *type;
      return Finish(TokenKind::kPrimitiveType, p);
    }
    if (word == "nan") return Finish(TokenKind::kDecimal, p);
    if (std::ranges::find(kKeywords, word) != std::end(kKeywords)) return Finish(TokenKind::kKeyword, p);
    if (const char* const labels_end = MatchDimLabels(start_, end_)) return Finish(TokenKind::kDimLabels, labels_end);
  }
  Finish(TokenKind::kIdent, p);
}

void Lexer::LexPercentName() {
  const char* p = start_ + 1;
  if (p == end_ || !IsWordStart(*p)) return Fail("a name without letters", p);
  while (p != end_ && IsWordByte(*p)) ++p;
  Finish(TokenKind::kName, p);
}

void Lexer::LexNumber() {
  // Most integers are short and stand alone. Only the others need the patterns or checked arithmetic.
  const char* p = start_;
  const int64_t value = TakeDigits(p, end_);
  if (p != end_ && (IsDigit(*p) || kByteTables.continues_number[static_cast<unsigned char>(*p)])) {
    return LexNumberPattern();
  }
  token_.integer = value;
  Finish(TokenKind::kInt, p);
}

size_t Lexer::AdvanceOverPlainIntegers(std::span<int64_t> numbers) {
  const char* const end = end_;
  const char* p = current_;
  const char* taken_end = nullptr;  // the byte after the last integer taken
  size_t taken = 0;
  while (taken != numbers.size()) {
    const char* const begin = p;
    const int64_t value = TakeDigits(p, end);
    if (p == begin || p == end || !kByteTables.ends_plain_integer[static_cast<unsigned char>(*p)]) break;
    numbers[taken++] = value;
    taken_end = p;
    if (*p++ != ',') break;
  }
  if (taken == 0) return 0;
  start_ = taken_end;
  token_.column = taken_end - begin_ + 1;
  Finish(static_cast<TokenKind>(ClassOf(*taken_end)), taken_end + 1);
  return taken;
}

void Lexer::LexNumberPattern() {
  if (const char* const p = MatchDecimal(start_, end_)) return Finish(TokenKind::kDecimal, p);
  if (const char* const p = MatchDimLabels(start_, end_)) return Finish(TokenKind::kDimLabels, p);
  if (const char* const p = MatchDxD(start_, end_)) return Finish(TokenKind::kDxD, p);
  if (const char* const p = MatchPad(start_, end_)) return Finish(TokenKind::kPad, p);
  if (MatchDigits(SkipMinus(start_, end_), end_) != nullptr) return LexInteger();
  if (const char* const p = MatchLiteral("-inf", start_, end_)) return Finish(TokenKind::kNegInf, p);
  if (const char* const p = MatchLiteral("-nan", start_, end_)) return Finish(TokenKind::kDecimal, p);
  if (*start_ == '?') return Finish(TokenKind::kQuestionMark, start_ + 1);
  Fail("the stray character", start_ + 1);
}

void Lexer::LexInteger() {
  const bool negative = *start_ == '-';
  const char* p = start_ + (negative ? 1 : 0);
  // The value is accumulated below zero, because int64 has one more value there.
  int64_t value = 0;
  bool overflow = false;
  for (; p != end_ && IsDigit(*p); ++p) {
    overflow |= __builtin_mul_overflow(value, 10, &value);
    overflow |= __builtin_sub_overflow(value, *p - '0', &value);
  }
  if (!negative) overflow |= __builtin_sub_overflow(0, value, &value);
  if (overflow) return Fail("an integer outside int64:", p);
  token_.integer = value;
  Finish(TokenKind::kInt, p);
}

void Lexer::LexString(char quote) {
  for (const char* p = start_ + 1; p != end_; ++p) {
    if (*p == quote) return Finish(TokenKind::kString, p + 1);
    if (*p != '\\') continue;
    ++p;
    if (p == end_ || *p == '\n') break;
  }
  Fail("an unterminated string", end_);
}

}  // namespace layoutcheck
