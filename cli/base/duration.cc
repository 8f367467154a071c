// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/cli/base/duration.h"
#include <charconv>
#include <cstdint>
#include <utility>
#include "layoutcheck/core/base/str_cat.h"

namespace layoutcheck {

Expected<std::chrono::milliseconds> ReadDuration(std::string_view text) {
  constexpr int64_t kYear = int64_t{365} * 24 * 3600 * 1000;
  constexpr std::pair<std::string_view, int64_t> kUnits[] = {{"ms", 1}, {"s", 1000}, {"m", 60'000}, {"h", 3'600'000}};
  int64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  const std::string_view unit = text.substr(static_cast<size_t>(end - text.data()));
  for (const auto& [name, milliseconds] : kUnits) {
    if (unit != name || (error == std::errc() && number <= 0)) continue;
    if (error == std::errc::result_out_of_range || number > kYear / milliseconds) {
      return MakeError(ErrorKind::kOverflow, StrCat("'", text, "' is more than a year"));
    }
    if (error == std::errc()) return std::chrono::milliseconds(number * milliseconds);
  }
  return MakeError(ErrorKind::kSyntax, StrCat("expected a duration such as 30s, 5m or 2h, got '", text, "'"));
}

}  // namespace layoutcheck
