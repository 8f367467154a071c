// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/cli/base/one_line.h"
#include "layoutcheck/core/base/str_cat.h"

namespace layoutcheck {

std::string OneLine(std::string_view text) {
  constexpr std::string_view kHex = "0123456789abcdef";
  std::string out;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '\n') {
      out += "\\n";
    } else if (c == '\t') {
      out += "\\t";
    } else if (byte < 0x20 || byte == 0x7f) {
      StrAppend(out, "\\x", kHex[byte / 16], kHex[byte % 16]);
    } else {
      out += c;
    }
  }
  return out;
}

}  // namespace layoutcheck
