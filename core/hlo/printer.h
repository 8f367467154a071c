// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Prints shapes and layouts in their canonical text (XLA's HumanStringWithLayout). ParseShape(ToString(s)) == s for
// every valid shape s in which all arrays and nothing else have layouts, no M(n) is negative (XLA does not print it,
// because it has no meaning), and the nesting is within ParseOptions::max_recursion_depth.
#pragma once

#include <string>
#include "layoutcheck/core/hlo/layout.h"
#include "layoutcheck/core/hlo/shape.h"

namespace layoutcheck {

// Returns a text such as "(8,128)", with `*` for a combined dimension.
std::string ToString(const Tile& tile);
// Returns a text such as "{1,0:T(8,128)S(1)}", without defaults. Values that the parser rejects print as in XLA.
std::string ToString(const Layout& layout);
// Returns a text such as "f32[3,<=5]{1,0:T(2,2)}".
std::string ToString(const Shape& shape);

}  // namespace layoutcheck
