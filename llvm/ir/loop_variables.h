// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The ways in which runs of a kernel follow the variables of loops. A run that finds a variable without the values of
// its closed form asks the next proof to follow it in another way.
#pragma once

#include <compare>
#include <cstdint>
#include <map>

namespace llvm {
class BasicBlock;
class Value;
}  // namespace llvm

namespace layoutcheck {

// A variable of a loop: a phi, or a scalar of a local variable.
struct LoopVariable {
  const llvm::BasicBlock* header = nullptr;
  const llvm::Value* variable = nullptr;
  int64_t offset = 0;  // of the scalar, in bytes
  auto operator<=>(const LoopVariable&) const = default;
};

// The value that a variable is taken to have after some iterations.
enum class VariableForm : uint8_t {
  kClosed,   // the value of its closed form
  kWrapped,  // the value of its closed form modulo 2^width, as of an unsigned counter that passes 2^31
  kUnknown,
};

// The forms of the variables of a kernel's loops.
struct LoopVariables {
  std::map<LoopVariable, VariableForm> forms;   // present forms; kClosed for variables that are not in it
  std::map<LoopVariable, VariableForm> wanted;  // forms that runs have found to be needed
};

}  // namespace layoutcheck
