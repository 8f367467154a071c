// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Prints shapes and layouts in their canonical text (XLA's HumanStringWithLayout). ParseShape(ToString(s)) == s for
// every valid shape s for which three things hold: its arrays have layouts, and nothing else in it has one; no M(n) is
// negative (a negative one means nothing, and XLA does not print it); and its nesting is within
// ParseOptions::max_recursion_depth.
#ifndef LAYOUTCHECK_CORE_HLO_PRINTER_H_
#define LAYOUTCHECK_CORE_HLO_PRINTER_H_

#include <string>

#include "layoutcheck/core/hlo/layout.h"
#include "layoutcheck/core/hlo/shape.h"

namespace layoutcheck {

// Returns a text such as "(8,128)", with `*` for a combined dimension.
std::string ToString(const Tile& tile);
// Returns a text such as "{1,0:T(8,128)S(1)}", without the defaults. A value that the parser would reject is printed as
// XLA prints it.
std::string ToString(const Layout& layout);
// Returns a text such as "f32[3,<=5]{1,0:T(2,2)}".
std::string ToString(const Shape& shape);

}  // namespace layoutcheck

#endif  // LAYOUTCHECK_CORE_HLO_PRINTER_H_
