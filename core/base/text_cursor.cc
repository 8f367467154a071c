// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/core/base/text_cursor.h"
#include <charconv>
#include <utility>

namespace layoutcheck {

Expected<int64_t> TextCursor::TakeInteger(std::string_view what, int base) {
  SkipBlanks();
  int64_t value = 0;
  const std::string_view text = rest();
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value, base);
  if (error == std::errc::result_out_of_range) {
    return ErrorAt(column(), OverflowError("the integer ", std::string_view(text.data(), end), " does not fit int64"));
  }
  if (error != std::errc()) return Unexpected(what);
  position_ += static_cast<size_t>(end - text.data());
  return value;
}

std::string TextCursor::Describe() const {
  if (position_ == text_.size()) return "end of text";
  const char c = text_[position_];
  return c >= ' ' && c <= '~' ? StrCat("'", c, "'") : StrCat("byte ", static_cast<int>(static_cast<unsigned char>(c)));
}

std::unexpected<Error> TextCursor::Unexpected(std::string_view expected) const {
  return Fail(StrCat("expected ", expected, ", found ", Describe()));
}

std::unexpected<Error> TextCursor::Fail(std::string message) const {
  return SyntaxErrorAt(column(), std::move(message));
}

}  // namespace layoutcheck
