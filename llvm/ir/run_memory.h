// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The memory of a run at its ends: what the parameters hold before the first instruction, and which accesses were made
// when the last one has run.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include "layoutcheck/llvm/ir/interpreter.h"
#include "layoutcheck/llvm/ir/ir_memory.h"
#include "layoutcheck/llvm/ir/machine_value.h"
#include "layoutcheck/solver/paths/symbolic_integer.h"

namespace llvm {
class Argument;
}  // namespace llvm

namespace layoutcheck {

// Returns the value of a parameter, with memory that holds the arguments where it is a pointer to some. Requires
// another kind than kTensor.
MachineValue BindParameter(const ParameterBinding& binding, const llvm::Argument& parameter,
                           std::span<const SymbolicInteger> arguments, IrMemory& memory);

// Takes what the thread has done out of its memory. `arrays` are the numbers of the arrays by those of their objects.
// Throws FunctionFault if a poison value was stored.
KernelRun RecordedRun(IrMemory& memory, const std::map<int64_t, int64_t>& arrays);

}  // namespace layoutcheck
