// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/verify/proof/statement.h"
#include <algorithm>
#include <array>
#include "layoutcheck/core/base/str_cat.h"
#include "layoutcheck/verify/proof/lines.h"

namespace layoutcheck::verify {
namespace {

constexpr size_t kShortName = sizeof(uint64_t);  // length of the longest short name, in bytes

bool IsDigit(char c) { return c >= '0' && c <= '9'; }

// Tells for each byte whether a name may contain it.
constexpr auto kIsNameByte = [] {
  std::array<bool, 256> is_name_byte{};
  for (unsigned char c = '0'; c <= '9'; ++c) is_name_byte[c] = true;
  for (unsigned char c = 'A'; c <= 'Z'; ++c) is_name_byte[c] = true;
  for (unsigned char c = 'a'; c <= 'z'; ++c) is_name_byte[c] = true;
  is_name_byte['_'] = is_name_byte['!'] = true;
  return is_name_byte;
}();
bool IsNameByte(char c) { return kIsNameByte[static_cast<unsigned char>(c)]; }

// Returns the bytes of a short name as a number.
uint64_t KeyOf(std::string_view name) {
  uint64_t key = 0;
  for (const char c : name) key = key << 8 | static_cast<unsigned char>(c);
  return key;
}

}  // namespace

Polynomial Statement::NewVariable(std::string_view name) {
  std::string& unused = variables_.emplace_back(name);
  while (Find(unused) != HashIndex::kNone) unused += '!';
  const Polynomial variable = ring_.NewVariable(unused);
  Define(unused, *ring_.AsAtom(variable));
  return variable;
}

std::vector<Polynomial> Statement::NewPoint(std::string_view prefix, std::span<const Polynomial> sizes) {
  std::vector<Polynomial> point;
  for (size_t d = 0; d < sizes.size(); ++d) {
    point.push_back(NewVariable(StrCat(prefix, d)));
    Assume(LessEqual(Number(0), point.back()));
    Assume(Less(point.back(), sizes[d]));
  }
  return point;
}

bool Statement::Define(std::string_view name, Monomial atom) {
  if (Find(name) != HashIndex::kNone) return false;
  if (name.size() <= kShortName) {
    short_names_.Insert(KeyOf(name), atom);
  } else {
    long_names_.emplace(name, atom);
  }
  return true;
}

Monomial Statement::Find(std::string_view name) const {
  if (name.size() <= kShortName) return short_names_.Find(KeyOf(name));
  const auto known = long_names_.find(name);
  return known == long_names_.end() ? HashIndex::kNone : known->second;
}

Relation Statement::Less(Polynomial a, Polynomial b) {
  ring_.StartSum();
  ring_.Add(b);
  ring_.Add(a, -1);
  ring_.AddMonomial(kOne, -1);
  return {false, ring_.FinishSum()};
}

void Statement::AddGoalInRange(Polynomial value, Polynomial size) {
  AddGoal(Less(value, size));
  AddGoal(LessEqual(Number(0), value));
}

bool IsName(std::string_view text) {
  return !text.empty() && !IsDigit(text[0]) && std::ranges::all_of(text, IsNameByte);
}

std::optional<Int128> TakeNumber(std::string_view& text) {
  constexpr size_t kSafeDigits = 18;
  size_t length = 0;
  int64_t value = 0;
  for (; length < text.size() && length < kSafeDigits && IsDigit(text[length]); ++length) {
    value = value * 10 + (text[length] - '0');
  }
  WideInteger wide(value);
  for (; length < text.size() && IsDigit(text[length]) && !wide.overflow; ++length) {
    wide = wide * WideInteger(10) + WideInteger(text[length] - '0');
  }
  const bool has_leading_zero = length > 1 && text[0] == '0';
  if (length == 0 || has_leading_zero || wide.overflow) return std::nullopt;
  text.remove_prefix(length);
  return wide.value;
}

std::string PolynomialReader::TakeAddend(std::string_view& text, bool is_negative) {
  Ring& ring = statement_.ring();
  Int128 coefficient = 1;
  Monomial monomial = kOne;
  for (bool is_first = true;; is_first = false) {
    if (is_first && !text.empty() && IsDigit(text[0])) {
      const std::optional<Int128> number = TakeNumber(text);
      if (!number) return "a number that fits 128 bits";
      coefficient = *number;
    } else {
      size_t length = 0;
      while (length < text.size() && IsNameByte(text[length])) ++length;
      const std::string_view name = text.substr(0, length);
      const Monomial factor = name.empty() || IsDigit(name[0]) ? HashIndex::kNone : statement_.Find(name);
      if (factor == HashIndex::kNone) return "a number, a name of the statement or an atom defined above";
      monomial = ring.Product(monomial, factor);
      text.remove_prefix(length);
    }
    if (!text.starts_with('*')) break;
    text.remove_prefix(1);
  }
  ring.AddMonomial(monomial, is_negative ? -coefficient : coefficient);
  return "";
}

std::expected<Polynomial, std::string> PolynomialReader::Take(std::string_view& text) {
  statement_.ring().StartSum();
  bool is_negative = text.starts_with('-');
  if (is_negative) text.remove_prefix(1);
  while (true) {
    if (std::string expected = TakeAddend(text, is_negative); !expected.empty()) {
      return std::unexpected(StrCat("expected ", expected, " at ", Quoted(text)));
    }
    is_negative = text.starts_with(" - ");
    if (!is_negative && !text.starts_with(" + ")) return statement_.ring().FinishSum();
    text.remove_prefix(3);
  }
}

}  // namespace layoutcheck::verify
