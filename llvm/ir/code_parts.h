// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A list of the registers, numbers and memory that the code of a kernel uses.
#pragma once

#include <cstdint>
#include <set>
#include <string>

namespace llvm {
class Function;
}  // namespace llvm

namespace layoutcheck {

// The parts of a function and of those that it calls.
struct CodeParts {
  std::set<const llvm::Function*> functions;
  std::set<std::string> registers;  // names of those that are read, such as "tid.x"
  std::set<int64_t> literals;       // KernelModel::literals()
  bool has_shared_memory = false;
  bool has_barrier = false;  // of a block or of a warp
  bool has_warp_barrier = false;
};

// Adds the parts of the function and of those that it calls.
void AddParts(const llvm::Function& function, CodeParts& parts);

}  // namespace layoutcheck
