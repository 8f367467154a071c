// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/cli/base/shard.h"
#include <charconv>
#include "layoutcheck/core/base/str_cat.h"

namespace layoutcheck {

Expected<std::pair<uint64_t, uint64_t>> ReadShard(std::string_view text) {
  uint64_t number = 0;
  uint64_t count = 0;
  const char* const end = text.data() + text.size();
  const auto slash = std::from_chars(text.data(), end, number);
  if (slash.ec == std::errc() && slash.ptr != end && *slash.ptr == '/') {
    const auto rest = std::from_chars(slash.ptr + 1, end, count);
    if (rest.ec == std::errc() && rest.ptr == end && number >= 1 && number <= count) {
      return std::pair(number - 1, count);
    }
  }
  return MakeError(ErrorKind::kSyntax, StrCat("expected K/N with 1 <= K <= N, got '", text, "'"));
}

}  // namespace layoutcheck
