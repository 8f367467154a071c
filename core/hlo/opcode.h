// The operations of HLO by name.
#ifndef LAYOUTCHECK_CORE_HLO_OPCODE_H_
#define LAYOUTCHECK_CORE_HLO_OPCODE_H_

#include <string_view>

namespace layoutcheck {

// Whether HLO text may use this opcode, the `-start`, `-update` and `-done` forms of any operation included.
bool IsKnownOpcode(std::string_view opcode);

// Whether operands and attributes determine the shape of the result, so that text may leave it out.
bool IsShapeInferable(std::string_view opcode);

}  // namespace layoutcheck

#endif  // LAYOUTCHECK_CORE_HLO_OPCODE_H_
