// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <algorithm>
#include <span>
#include <string>
#include "layoutcheck/core/base/str_cat.h"

namespace layoutcheck {

// A fact about a layout in one line of text, such as "tile (2,2)" with the value "2 x 3 x 2 x 2".
struct Fact {
  std::string name;
  std::string value;
};

// Returns the facts as lines of text, in two columns.
inline std::string FactsText(std::span<const Fact> facts) {
  std::string text;
  for (const auto& [name, value] : facts) {
    std::string line = "  " + name;
    line.resize(std::max<size_t>(line.size() + 2, 20), ' ');
    StrAppend(text, line, value, "\n");
  }
  return text;
}

}  // namespace layoutcheck
