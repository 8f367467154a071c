// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Integers as arithmetic without limits gives them, beside those of the machine: an access whose address is another one
// is a mistake of 32 or 64 bits.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include "layoutcheck/llvm/ir/ir_memory.h"
#include "layoutcheck/llvm/ir/machine_value.h"
#include "layoutcheck/solver/paths/function_run.h"

namespace llvm {
class CallBase;
class Instruction;
}  // namespace llvm

namespace layoutcheck {

// The address of an access is not the one that arithmetic without limits gives.
struct AddressFault : FunctionFault {};

// Returns the number as an integer of `width` bits, with the number as its exact one if that differs.
MachineValue WithExact(const SymbolicInteger& number, int width);

// Does what Execute() does and follows the exact numbers of integers and pointers (MachineValue::exact). Overflow is no
// undefined behavior then: only where an address is wrong, at an access, it throws AddressFault. Conversions to less
// than 32 bits are taken to want the lowest bits.
std::optional<MachineValue> ExecuteExactly(const llvm::Instruction& instruction, std::span<const MachineValue> operands,
                                           IrMemory& memory, const std::string& place);

// Does what CallKnown() does, likewise. What a function other than a minimum or maximum makes of a number that may wrap
// is unknown.
std::optional<MachineValue> CallExactly(const llvm::CallBase& call, std::span<const MachineValue> operands,
                                        IrMemory& memory, const std::string& place);

}  // namespace layoutcheck
