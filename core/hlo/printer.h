// The canonical text of shapes and layouts (XLA's HumanStringWithLayout): ParseShape(ToString(s)) == s for every valid
// s whose arrays have layouts.
#ifndef LAYOUTCHECK_CORE_HLO_PRINTER_H_
#define LAYOUTCHECK_CORE_HLO_PRINTER_H_

#include <string>

#include "layoutcheck/core/hlo/layout.h"
#include "layoutcheck/core/hlo/shape.h"

namespace layoutcheck {

// "(8,128)", `*` for a combined dimension.
std::string ToString(const Tile& tile);
// "{1,0:T(8,128)S(1)}". Defaults are left out; a value that no text can express is printed as XLA prints it.
std::string ToString(const Layout& layout);
// "f32[3,<=5]{1,0:T(2,2)}"; a shape without a layout prints none.
std::string ToString(const Shape& shape);

}  // namespace layoutcheck

#endif  // LAYOUTCHECK_CORE_HLO_PRINTER_H_
