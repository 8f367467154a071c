// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Vectors, structs and arrays of LLVM IR that are taken apart and put together, so that each part is known as the value
// that was loaded.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include "layoutcheck/llvm/ir/machine_value.h"

namespace llvm {
class ExtractValueInst;
class InsertValueInst;
class Instruction;
}  // namespace llvm

namespace layoutcheck {

// Returns the result of extractelement, insertelement or shufflevector. A vector is an unknown value, with which
// nothing can be computed; its `elements` are its parts, if they are known.
MachineValue ExecuteOnVector(const llvm::Instruction& instruction, std::span<const MachineValue> operands,
                             const std::string& place);

// Returns the part of a struct or an array that the instruction names. A part of a value of which nothing is known is
// that value.
MachineValue ExtractValue(const llvm::ExtractValueInst& extract, const MachineValue& aggregate);

// Returns the first operand, a struct or an array, with the second in place of the part that the instruction names.
MachineValue InsertValue(const llvm::InsertValueInst& insert, std::span<const MachineValue> operands);

}  // namespace layoutcheck
