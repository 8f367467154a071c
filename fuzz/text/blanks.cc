#include "layoutcheck/fuzz/text/blanks.h"

#include <cstdint>

#include "layoutcheck/core/hlo/lexer.h"

namespace layoutcheck {
namespace {

// Each starts with white space: a comment right after a stray '/' would not be a comment.
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
    // After an unterminated comment or string nothing is between tokens any more.
    if (lexer.kind() == TokenKind::kError) break;
    maybe_add();
    lexer.Advance();
  }
  result.append(text.substr(static_cast<size_t>(copied_to - 1)));
  return result;
}

}  // namespace layoutcheck
