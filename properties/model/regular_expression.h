// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Regular expressions from users' files, matched in bounded time and stack.
#pragma once

#include <cstdint>
#include <memory>
#include <string_view>
#include "layoutcheck/core/base/error.h"

struct pcre2_real_code_8;

namespace layoutcheck {

// A compiled ECMAScript regular expression on bytes. Uses PCRE2, because std::regex recurses per byte of the text and
// takes exponential time for expressions such as (a*)*b.
class RegularExpression {
 public:
  // Limits of one match: steps, which (a*)*b exceeds on a few dozen bytes, and memory in KiB.
  static constexpr uint32_t kMostSteps = 1'000'000;
  static constexpr uint32_t kMostKibibytes = 64 << 10;

  // Error: an expression that is malformed or too large (syntax, with the column in the expression).
  static Expected<RegularExpression> Compile(std::string_view expression);

  // Returns true if the expression matches the whole text. A match that exceeds the limits counts as none.
  bool MatchesAll(std::string_view text) const;

 private:
  struct Free {
    void operator()(pcre2_real_code_8* code) const;
  };

  explicit RegularExpression(pcre2_real_code_8* code) : code_(code) {}

  std::unique_ptr<pcre2_real_code_8, Free> code_;
};

}  // namespace layoutcheck
