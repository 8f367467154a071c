// Regular expressions of people's files, matched in bounded time and stack.
#ifndef LAYOUTCHECK_PROPERTIES_MODEL_REGULAR_EXPRESSION_H_
#define LAYOUTCHECK_PROPERTIES_MODEL_REGULAR_EXPRESSION_H_

#include <cstdint>
#include <memory>
#include <string_view>

#include "layoutcheck/core/base/error.h"

struct pcre2_real_code_8;

namespace layoutcheck {

// An ECMAScript regular expression, of bytes, as PCRE2 reads it. std::regex recurses for each byte of the text and
// takes exponential time for expressions such as (a*)*b.
class RegularExpression {
 public:
  // What one match may take: steps, of which (a*)*b on a few dozen bytes needs more, and KiB of memory.
  static constexpr uint32_t kMostSteps = 1'000'000;
  static constexpr uint32_t kMostKibibytes = 64 << 10;

  // Errors (syntax, with the column in the expression): what is no regular expression, or is too large as one.
  static Expected<RegularExpression> Compile(std::string_view expression);

  // Whether the expression matches the whole text; false where that takes more than kMostSteps or kMostKibibytes.
  bool MatchesAll(std::string_view text) const;

 private:
  struct Free {
    void operator()(pcre2_real_code_8* code) const;
  };

  explicit RegularExpression(pcre2_real_code_8* code) : code_(code) {}

  std::unique_ptr<pcre2_real_code_8, Free> code_;
};

}  // namespace layoutcheck

#endif  // LAYOUTCHECK_PROPERTIES_MODEL_REGULAR_EXPRESSION_H_
