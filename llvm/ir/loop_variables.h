// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The variables of loops that runs of a kernel do not follow. A run that finds one asks the next proof to leave it
// unknown.
#pragma once

#include <compare>
#include <cstdint>
#include <set>

namespace llvm {
class BasicBlock;
class Value;
}  // namespace llvm

namespace layoutcheck {

// A variable of a loop whose values do not follow from the number of the iteration: a phi, or a scalar of a local
// variable.
struct LoopVariable {
  const llvm::BasicBlock* header = nullptr;
  const llvm::Value* variable = nullptr;
  int64_t offset = 0;  // of the scalar, in bytes
  auto operator<=>(const LoopVariable&) const = default;
};

// Variables that are unknown behind the first iterations of their loops, and others that should be.
struct LoopVariables {
  std::set<LoopVariable> unknown;
  std::set<LoopVariable> wanted;  // runs have found that they have no closed form
};

}  // namespace layoutcheck
