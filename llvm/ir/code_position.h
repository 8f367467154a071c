// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Where a run is in the code: in which calls, and in which iterations of the loops around each of them. The threads of
// a warp execute an instruction together if their positions there are equal.
#pragma once

#include <cstdint>
#include <map>
#include <vector>

namespace llvm {
class BasicBlock;
class Function;
class Instruction;
}  // namespace llvm

namespace layoutcheck {

class FunctionCode;
class ModuleCode;

class CodePosition {
 public:
  // `code` must outlive the position. With null, nothing is recorded.
  explicit CodePosition(const ModuleCode* code = nullptr) : code_(code) {}

  void BeginCall(const llvm::Function& function);
  void EndCall();
  // Called where the run enters a block of the present call from the block `before`, which is null for the first one.
  void EnterBlock(const llvm::BasicBlock& block, const llvm::BasicBlock* before);
  void EnterInstruction(const llvm::Instruction& instruction) { instruction_ = &instruction; }

  // Returns numbers that say where the run is; none if nothing is recorded.
  std::vector<int64_t> Now() const;

 private:
  struct Call {
    const FunctionCode* code = nullptr;
    const llvm::Instruction* caller = nullptr;              // null for the kernel
    std::map<const llvm::BasicBlock*, int64_t> iterations;  // of the loops that were entered, by their headers
  };
  static void Append(const Call& call, const llvm::Instruction& instruction, std::vector<int64_t>& numbers);

  const ModuleCode* code_;
  const llvm::Instruction* instruction_ = nullptr;
  std::vector<Call> calls_;
};

}  // namespace layoutcheck
