// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <string>

namespace layoutcheck {

// A size in a text: a name or, if `name` is empty, a number.
struct SymbolicSize {
  std::string name;
  int64_t value = 0;
};

}  // namespace layoutcheck
