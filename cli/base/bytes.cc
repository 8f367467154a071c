// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/cli/base/bytes.h"
#include <fmt/format.h>
#include <array>
#include <cstddef>
#include <cstdlib>

namespace layoutcheck {

std::string RoundedBytes(int64_t bytes) {
  constexpr std::array kUnits = {"KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
  if (bytes < 1024) return fmt::format("{} B", bytes);
  double amount = static_cast<double>(bytes) / 1024;
  size_t unit = 0;
  for (; amount >= 1024 && unit + 1 < kUnits.size(); ++unit) amount /= 1024;
  return fmt::format("{:.4g} {}", amount, kUnits[unit]);
}

std::string SignedRoundedBytes(int64_t bytes) {
  if (bytes == 0) return "0 B";
  return fmt::format("{}{}", bytes > 0 ? "+" : "-", RoundedBytes(std::abs(bytes)));
}

}  // namespace layoutcheck
