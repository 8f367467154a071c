// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Conditions of a kernel that are decided where their value is needed, and not where the code computes them. A decision
// may be a path more, and nobody needs the mask of an access that the run steps over, or to know which of two numbers
// of floating point is stored if neither is known. Used by the interpreter alone.
#pragma once

#include <llvm/IR/Constants.h>
#include <llvm/IR/Instructions.h>
#include <algorithm>
#include <optional>
#include <string>
#include <utility>
#include "layoutcheck/core/base/str_cat.h"
#include "layoutcheck/llvm/ir/function_code.h"
#include "layoutcheck/llvm/ir/ir_memory.h"
#include "layoutcheck/llvm/ir/machine_value.h"

namespace layoutcheck {

// Leaves the value of a comparison, or of a logical operation on two conditions, open in the frame. Returns false if
// the line is neither, if an operand is poison, which is found where it is used, or if too many values would be open
// of which one is computed of another.
inline bool DeferCondition(const FunctionCode::Line& line, Frame& frame) {
  constexpr int kMostOpen = 64;
  const llvm::Instruction& instruction = *line.instruction;
  const bool is_logical = instruction.isBitwiseLogicOp() && instruction.getType()->isIntegerTy(1);
  const auto* const disjoint = llvm::dyn_cast<llvm::PossiblyDisjointInst>(&instruction);
  if (!(is_logical || llvm::isa<llvm::ICmpInst>(instruction))) return false;
  if (disjoint != nullptr && disjoint->isDisjoint()) return false;
  int depth = 1;
  for (const std::optional<size_t> operand : line.operands) {
    const MachineValue* const known = frame.Find(operand);
    if (known != nullptr && known->IsPoison()) return false;
    if (operand) depth = std::max(depth, 1 + frame.OpenDepth(*operand));
  }
  if (depth > kMostOpen) return false;
  frame.LeaveOpen(line.number, depth);
  return true;
}

// Returns true if one operand of `and` or `or` alone says what the result is: false or true.
inline bool DecidesAlone(const llvm::Instruction& instruction, const MachineValue& operand) {
  const bool is_and = instruction.getOpcode() == llvm::Instruction::And;
  if (!is_and && instruction.getOpcode() != llvm::Instruction::Or) return false;
  const auto number = operand.IsInteger() ? operand.integer.number() : std::nullopt;
  return number && (*number == 0) == is_and;
}

// Returns the result of a `select` on a condition that is open, if nothing is known of one of the two numbers of
// floating point and the other one is as unknown or a constant: then it need not be decided which one it is. Returns
// nothing for numbers with bits of elements, and for stored results of regions, which other runs follow.
inline std::optional<MachineValue> SelectUndecided(const FunctionCode::Line& line, const Frame& frame) {
  const auto* const select = llvm::dyn_cast<llvm::SelectInst>(line.instruction);
  if (select == nullptr || !select->getType()->isFloatingPointTy()) return std::nullopt;
  if (!line.operands[0] || frame.OpenDepth(*line.operands[0]) == 0) return std::nullopt;
  bool are_computed = true;
  int unknown = 0;
  for (const unsigned k : {1U, 2U}) {
    const MachineValue* const known = frame.Find(line.operands[k]);
    if (known == nullptr && llvm::isa<llvm::ConstantFP>(select->getOperand(k))) {
      are_computed = false;
    } else if (known != nullptr && known->kind == MachineValue::Kind::kUnknown && known->fields.empty() &&
               (known->is_computed || known->text != kResultOfRegion)) {
      are_computed = are_computed && known->is_computed;
      ++unknown;
    } else {
      return std::nullopt;
    }
  }
  if (unknown == 0) return std::nullopt;
  std::string text = StrCat("what a condition selects, at ", line.place);
  return are_computed ? MachineValue::Computed(std::move(text)) : MachineValue::Unknown(std::move(text));
}

}  // namespace layoutcheck
