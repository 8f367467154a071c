// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include "layoutcheck/core/base/str_cat.h"

namespace layoutcheck {

// Returns a number with its noun, whose plural ends with s: "1 finding", "2 findings".
inline std::string Counted(uint64_t number, std::string_view noun) {
  return StrCat(number, " ", noun, number == 1 ? "" : "s");
}

}  // namespace layoutcheck
