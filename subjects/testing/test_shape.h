// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Test support: the layout that tests of the transports ask about.
#pragma once

#include "layoutcheck/core/hlo/parser.h"

namespace layoutcheck {

// Returns a layout with padding. The element (2,3) is at offset 17.
inline Shape TestShape() { return *ParseShape("f32[3,5]{1,0:T(2,2)}"); }

}  // namespace layoutcheck
