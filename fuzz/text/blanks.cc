// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/fuzz/text/blanks.h"
#include <cstdint>
#include "layoutcheck/core/hlo/lexer.h"

namespace layoutcheck {
namespace {

// Each starts with white space, because "/*" right after a stray '/' would not begin a comment.
constexpr std::string_view kBlanks[] = {
    " ", "\t", "\n", "\r", "  ", "\r\n", " /**/", " /* c */ ", "\n// c\n", " //\r", "\t/* } ) ] // \" */", " /*/*/ ",
};

}  // namespace

std::string WithBlanks(std::string_view text, Random& random, uint64_t one_in) {
  std::string result;
  result.reserve(text.size() * 2);
  const auto maybe_add = [&] {
    if (random.OneIn(one_in)) result.append(random.Pick(kBlanks));
  };
  Lexer lexer(text);
  int64_t copied_to = 1;
  maybe_add();
  while (lexer.kind() != TokenKind::kEof) {
    const int64_t end = lexer.token().end_column();
    result.append(lexer.Slice(copied_to, end));
    copied_to = end;
    // The rest belongs to an unterminated comment or string.
    if (lexer.kind() == TokenKind::kError) break;
    maybe_add();
    lexer.Advance();
  }
  result.append(text.substr(static_cast<size_t>(copied_to - 1)));
  return result;
}

}  // namespace layoutcheck
