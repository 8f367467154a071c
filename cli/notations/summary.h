// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <string>
#include <vector>
#include "layoutcheck/cli/notations/notation.h"

namespace layoutcheck {

// Returns the facts for `show`: elements, padded elements, bytes (also rounded if large), waste, and those of its
// notation.
std::vector<Fact> SummaryOf(const AnyLayout& layout);

}  // namespace layoutcheck
