// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The base of hand-written parsers of short notations. HLO text has a lexer of its own (core/hlo/lexer.h).
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include "layoutcheck/core/base/error.h"
#include "layoutcheck/core/base/str_cat.h"

namespace layoutcheck {

// A position in a text, with the steps of parsers of short notations. The text must outlive the cursor. A step that
// does not find its token leaves the position behind the blanks.
class TextCursor {
 public:
  static constexpr bool IsDigit(char c) { return c >= '0' && c <= '9'; }
  static constexpr bool IsLetter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
  // Returns true for letters, digits and underscores.
  static constexpr bool IsWordByte(char c) { return IsLetter(c) || IsDigit(c) || c == '_'; }

  // Blanks of a notation whose texts may take several lines.
  static constexpr std::string_view kBlanksOfLines = " \t\r\n";

  // `blanks` are the bytes that may stand between tokens.
  explicit TextCursor(std::string_view text, std::string_view blanks = " \t") : text_(text), blanks_(blanks) {}

  size_t position() const { return position_; }  // 0-based, in bytes
  int64_t column() const { return static_cast<int64_t>(position_) + 1; }
  void MoveTo(size_t position) { position_ = position; }

  std::string_view rest() const { return text_.substr(position_); }
  // Returns the text from `begin` up to the current position.
  std::string_view Since(size_t begin) const { return text_.substr(begin, position_ - begin); }
  // Returns the byte at the current position, NUL at the end of the text.
  char byte() const { return position_ < text_.size() ? text_[position_] : '\0'; }
  bool AtDigit() const { return IsDigit(byte()); }
  // Returns true if an integer begins at the current position.
  bool AtInteger() const { return AtDigit() || byte() == '-'; }
  bool AtBlank() const {
    if (position_ == text_.size()) return false;
    for (const char blank : blanks_) {
      if (text_[position_] == blank) return true;
    }
    return false;
  }

  void SkipBlanks() {
    while (AtBlank()) ++position_;
  }
  // Skips blanks and returns the column.
  int64_t NextColumn() {
    SkipBlanks();
    return column();
  }
  // Skips blanks and returns true if nothing follows.
  bool AtEnd() {
    SkipBlanks();
    return position_ == text_.size();
  }
  // Skips blanks and returns true if `literal` follows.
  bool Sees(std::string_view literal) {
    SkipBlanks();
    return rest().starts_with(literal);
  }
  // Skips blanks and steps over `literal` if it follows; returns false if it does not.
  bool Take(std::string_view literal) {
    if (!Sees(literal)) return false;
    position_ += literal.size();
    return true;
  }
  // Steps over the longest run of bytes that match and returns it. Skips no blanks.
  template <class Predicate>
  std::string_view TakeWhile(Predicate matches) {
    const size_t begin = position_;
    while (position_ < text_.size() && matches(text_[position_])) ++position_;
    return Since(begin);
  }
  // Skips blanks and steps over an integer with an optional minus sign. Errors: kSyntax if there is none, where `what`
  // was expected; kOverflow if it does not fit int64.
  Expected<int64_t> TakeInteger(int base = 10) { return TakeInteger("an integer", base); }
  Expected<int64_t> TakeInteger(std::string_view what, int base = 10);

  // Steps over `open`, items with commas between them, each of which read_item() reads, and `close`. Errors: kSyntax,
  // in which `what` names the items; those of read_item.
  template <class ReadItem>
  Expected<void> TakeList(std::string_view open, std::string_view close, std::string_view what, ReadItem read_item) {
    if (!Take(open)) return Unexpected(StrCat("'", open, "' before ", what));
    if (Take(close)) return {};
    do {
      if (auto item = read_item(); !item) return item;
    } while (Take(","));
    if (!Take(close)) return Unexpected(StrCat("',' or '", close, "' in ", what));
    return {};
  }

  // Describes the byte at the current position for a message: "'x'", "byte 7" or "end of text".
  std::string Describe() const;
  // Returns the syntax error "expected `expected`, found ..." at the current position.
  std::unexpected<Error> Unexpected(std::string_view expected) const;
  std::unexpected<Error> Fail(std::string message) const;

 private:
  std::string_view text_;
  std::string_view blanks_;
  size_t position_ = 0;
};

}  // namespace layoutcheck
