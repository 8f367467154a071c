// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Operations of TTIR on numbers, as instructions of LLVM.
#pragma once

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/NoFolder.h>
#include <cstdint>
#include <span>
#include <string>
#include "layoutcheck/llvm/ttir/ttir.h"

namespace layoutcheck {

// Builds instructions before another one. None is folded, so that each has its place.
class TtirBuilder : public llvm::IRBuilder<llvm::NoFolder, llvm::IRBuilderCallbackInserter> {
 public:
  // `place` is the file and line that messages name, if there is one.
  explicit TtirBuilder(llvm::Instruction* before, const std::string& place = "");
};

// Returns LLVM's type of one element. A pointer is LLVM's pointer, and a number that LLVM does not have, such as
// f8E4M3FN, is an integer of its size. Returns null for another type.
llvm::Type* LlvmTypeOf(const TtirType& type, llvm::LLVMContext& context);
// Returns the size of an element in memory, in bytes; 0 if it is not known.
int64_t ElementBytes(const std::string& element);

// Returns an unknown value that the interpreter takes for a result of arithmetic, not for an element that was moved.
llvm::Value* ComputedValue(llvm::Type* type, TtirBuilder& builder);

// Builds the operation on the operands of one element. Returns null if it is no operation of arith on numbers whose
// result is known for all operands.
llvm::Value* BuildArithmetic(const TtirOp& op, std::span<llvm::Value* const> operands, llvm::Type* type,
                             TtirBuilder& builder);

}  // namespace layoutcheck
