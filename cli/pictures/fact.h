// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <string>

namespace layoutcheck {

// A fact about a layout in one line of text, such as "tile (2,2)" with the value "2 x 3 x 2 x 2".
struct Fact {
  std::string name;
  std::string value;
};

}  // namespace layoutcheck
