// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tokens are read where they are expected, because no operator has more than eight letters.
#include "layoutcheck/core/formula/formula_cursor.h"
#include <algorithm>
#include <array>
#include <cctype>
#include <limits>
#include "layoutcheck/core/base/str_cat.h"

namespace layoutcheck {
namespace {

constexpr const char* kOperand = "an operand (a number, a name, '(', '-', '~', '!', '[', min, max or a cast)";
constexpr const char* kAffineOperand = "expected an integer, d0, s0 or '('";
constexpr std::array<std::string_view, 6> kWords = {"floordiv", "ceildiv", "mod", "min", "max", "let"};

bool IsAffine(FormulaOp op) {
  using enum FormulaOp;
  return op == kAdd || op == kSubtract || op == kMultiply || op == kFloorDiv || op == kCeilDiv || op == kMod;
}
bool IsLetter(char c) { return std::isalpha(static_cast<unsigned char>(c)) || c == '_'; }
bool IsDigit(char c) { return c >= '0' && c <= '9'; }
bool IsHexDigit(char c) { return std::isxdigit(static_cast<unsigned char>(c)) != 0; }
bool IsWordCharacter(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; }

}  // namespace

std::string_view FormulaCursor::WordHere() const {
  return rest().substr(0, static_cast<size_t>(std::ranges::find_if_not(rest(), IsWordCharacter) - rest().begin()));
}

bool FormulaCursor::AtWord() const { return IsLetter(byte()); }

bool FormulaCursor::SeesNegativeNumber() { return Sees("-") && rest().size() > 1 && IsDigit(rest()[1]); }

bool FormulaCursor::TakeWord(std::string_view word) {
  SkipBlanks();
  return WordHere() == word && Take(word);
}

Expected<std::string_view> FormulaCursor::TakeName(std::string_view expected) {
  SkipBlanks();
  const std::string_view word = WordHere();
  const bool is_reserved = std::ranges::find(kWords, word) != kWords.end() || (!is_affine_ && CastHere() != nullptr);
  if (!AtWord() || is_reserved) return expected.empty() ? WrongOperand() : Wrong(expected);
  Take(word);
  return word;
}

Expected<int64_t> FormulaCursor::TakeLiteral() {
  SkipBlanks();
  const int64_t first = column();
  const size_t begin = position();
  const bool leading_zero = byte() == '0';
  const bool hexadecimal = !is_affine_ && (Take("0x") || Take("0X"));
  if (hexadecimal && !IsHexDigit(byte())) return ErrorAt(first, "expected hexadecimal digits after '0x'");
  const Expected<int64_t> value = TakeInteger(hexadecimal ? 16 : 10);
  if (!value) {
    Take("-");
    TakeWhile(hexadecimal ? IsHexDigit : IsDigit);
    return ErrorAt(first, StrCat("expected an integer of at most ", std::numeric_limits<int64_t>::max(), ", found ",
                                 Since(begin)));
  }
  if (!is_affine_ && !hexadecimal && leading_zero && position() > begin + 1) {
    return ErrorAt(first, "expected a decimal integer without leading zeros, or 0x and hexadecimal digits");
  }
  if (IsWordCharacter(byte())) return Wrong("an operator or end of text after the integer");
  return value;
}

const FormulaOperator* FormulaCursor::OperatorHere() {
  for (const FormulaOperator& op : FormulaOperators()) {
    if (is_affine_ && !IsAffine(op.op)) continue;
    if (IsLetter(op.spelling[0]) ? WordHere() == op.spelling : Sees(op.spelling)) return &op;
  }
  return nullptr;
}

const FormulaCast* FormulaCursor::CastHere() const {
  const auto* const found = std::ranges::find(kFormulaCasts, WordHere(), &FormulaCast::name);
  return found == std::end(kFormulaCasts) ? nullptr : found;
}

std::unexpected<Error> FormulaCursor::Wrong(std::string_view expected) const {
  const std::string_view word = WordHere();
  if (word.empty()) return Unexpected(expected);
  return Fail(StrCat("expected ", expected, ", found '", word.substr(0, 40), "'"));
}

std::unexpected<Error> FormulaCursor::WrongOperand() const {
  return is_affine_ ? Fail(kAffineOperand) : Wrong(kOperand);
}

std::unexpected<Error> FormulaCursor::ErrorAt(int64_t column, std::string message) {
  return MakeError(ErrorKind::kSyntax, std::move(message), column);
}

}  // namespace layoutcheck
