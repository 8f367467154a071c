// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The accesses of one thread of a kernel, as its memory has recorded them.
#pragma once

#include <cstdint>
#include <map>
#include "layoutcheck/llvm/ir/interpreter.h"
#include "layoutcheck/llvm/ir/ir_memory.h"

namespace layoutcheck {

// Takes what the thread has done out of its memory. `arrays` are the numbers of the arrays by those of their objects.
// Throws FunctionFault if a poison value was stored.
KernelRun RecordedRun(IrMemory& memory, const std::map<int64_t, int64_t>& arrays);

}  // namespace layoutcheck
