// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <concepts>
#include <cstdint>
#include <string>
#include <string_view>
#include "layoutcheck/core/base/str_cat.h"

namespace layoutcheck {

// Returns a number with its noun, whose plural ends with s or, after an s, with es: "1 finding", "2 passes".
template <std::integral Number>
std::string Counted(Number number, std::string_view noun) {
  return StrCat(number, " ", noun, number == 1 ? "" : noun.ends_with('s') ? "es" : "s");
}

// Returns the number of characters of a number in decimal, with its sign.
inline size_t DecimalWidth(int64_t number) { return std::to_string(number).size(); }

}  // namespace layoutcheck
