// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/verify/proof/lines.h"
#include "layoutcheck/core/base/str_cat.h"

namespace layoutcheck::verify {

std::string Quoted(std::string_view text) {
  constexpr size_t kLongest = 100;
  return text.size() <= kLongest ? StrCat("'", text, "'") : StrCat("'", text.substr(0, kLongest), "...'");
}

std::unexpected<Refusal> Lines::RefuseLine(std::string_view expected) const {
  return Refuse(StrCat("expected ", expected, ", found ", at_end_ ? "the end of the file" : Quoted(line_)));
}

}  // namespace layoutcheck::verify
