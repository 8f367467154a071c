// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The names of HLO's operations.
#pragma once

#include <string_view>

namespace layoutcheck {

// Returns true if HLO text may use this opcode. The `-start`, `-update` and `-done` forms of every operation are known.
bool IsKnownOpcode(std::string_view opcode);

// Returns true if operands and attributes determine the shape of the result, so that text may omit it.
bool IsShapeInferable(std::string_view opcode);

// Returns true if each element of the result depends only on the elements at the same index of the operands.
bool IsElementwise(std::string_view opcode);

}  // namespace layoutcheck
