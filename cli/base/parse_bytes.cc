// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <array>
#include <charconv>
#include <system_error>
#include <utility>
#include "layoutcheck/cli/base/bytes.h"
#include "layoutcheck/core/base/str_cat.h"

namespace layoutcheck {

Expected<int64_t> ParseBytes(std::string_view text) {
  constexpr std::array<std::pair<std::string_view, double>, 10> kUnits = {{{"", 1},
                                                                           {"B", 1},
                                                                           {"KiB", 1024.0},
                                                                           {"MiB", 1048576.0},
                                                                           {"GiB", 1073741824.0},
                                                                           {"TiB", 1099511627776.0},
                                                                           {"kB", 1e3},
                                                                           {"MB", 1e6},
                                                                           {"GB", 1e9},
                                                                           {"TB", 1e12}}};
  int64_t whole = 0;
  const auto [end, no_integer] = std::from_chars(text.data(), text.data() + text.size(), whole);
  if (no_integer == std::errc() && whole >= 0 && end == text.data() + text.size()) return whole;
  double number = 0;
  const auto [rest, error] = std::from_chars(text.data(), text.data() + text.size(), number, std::chars_format::fixed);
  std::string_view unit = text.substr(static_cast<size_t>(rest - text.data()));
  while (unit.starts_with(' ')) unit.remove_prefix(1);
  for (const auto& [name, factor] : kUnits) {
    const double bytes = number * factor;
    if (error == std::errc() && unit == name && bytes >= 0 && bytes < 9.2e18) return static_cast<int64_t>(bytes);
  }
  return MakeError(ErrorKind::kSyntax, StrCat("expected a number of bytes such as 64MiB or 2GiB, found '", text, "'"));
}

}  // namespace layoutcheck
