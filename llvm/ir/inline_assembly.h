// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Inline assembly in code for NVIDIA's GPUs.
#pragma once

#include <optional>
#include <string>
#include "layoutcheck/llvm/ir/machine_value.h"

namespace llvm {
class CallBase;
}  // namespace llvm

namespace layoutcheck {

// Follows a call of inline assembly whose instructions change registers alone, or nothing that is followed: its
// results, if it has any, are unknown. Returns false for other calls.
bool CallAssembly(const llvm::CallBase& call, const std::string& place, std::optional<MachineValue>& result);

}  // namespace layoutcheck
