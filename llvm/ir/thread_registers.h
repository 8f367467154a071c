// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The numbers of a thread and its launch, as code for GPUs of NVIDIA and AMD reads them. They are named as NVIDIA's
// registers: "tid.x" (of the thread in its block), "ctaid.x" (of the block), "ntid.x" (threads of a block) and
// "nctaid.x" (blocks).
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>
#include "layoutcheck/llvm/ir/ir_memory.h"
#include "layoutcheck/llvm/ir/machine_value.h"

namespace llvm {
class CallBase;
}  // namespace llvm

namespace layoutcheck {

// Returns the registers that the call may read; none if it calls something else.
std::vector<std::string> RegistersOf(const llvm::CallBase& call);

// Returns the number that the call reads, or a pointer to the numbers of the launch; nothing if it calls something
// else. A launch begins at thread 0, and its blocks have the same size. Throws FunctionUnknown for other registers.
std::optional<MachineValue> ReadRegister(const llvm::CallBase& call, std::span<const MachineValue> operands,
                                         IrMemory& memory, const std::string& place);

}  // namespace layoutcheck
