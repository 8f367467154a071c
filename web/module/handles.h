// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The numbers in the text of a layout that can be stepped.
#pragma once

#include <string_view>
#include "layoutcheck/json/json.h"

namespace layoutcheck {

// Returns an array of {"begin":BYTE,"end":BYTE,"order":BOOL}: the integers of the text. `order` says that the number is
// an entry of a dimension order, which steps by changing places with its neighbor.
Json HandlesOf(std::string_view text);

}  // namespace layoutcheck
