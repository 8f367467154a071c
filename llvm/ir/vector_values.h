// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Vectors of LLVM IR that are taken apart and put together, so that each part is known as the element that was loaded.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include "layoutcheck/llvm/ir/machine_value.h"

namespace llvm {
class Instruction;
}

namespace layoutcheck {

// Returns the result of extractelement, insertelement or shufflevector. A vector is an unknown value, with which
// nothing can be computed; its `elements` are its parts, if they are known.
MachineValue ExecuteOnVector(const llvm::Instruction& instruction, std::span<const MachineValue> operands,
                             const std::string& place);

}  // namespace layoutcheck
