// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Functions prepared for many runs: their values are numbered, and the places and loops of the code are known.
#pragma once

#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/Dominators.h>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>
#include "layoutcheck/llvm/ir/machine_value.h"

namespace llvm {
class BasicBlock;
class Function;
class Instruction;
class Value;
}  // namespace llvm

namespace layoutcheck {

// A function whose values have numbers: first its parameters, then its instructions in the order of the code.
class FunctionCode {
 public:
  explicit FunctionCode(const llvm::Function& function);

  // One instruction.
  struct Line {
    const llvm::Instruction* instruction = nullptr;
    size_t number = 0;
    std::string place;  // PlaceOf(instruction)
    // Numbers of the operands; nothing for constants and other operands that are no value of the function.
    std::vector<std::optional<size_t>> operands;
  };

  // Returns the number of parameters and instructions.
  size_t value_count() const { return numbers_.size(); }
  // Returns the number of the value, or nothing if it is none of the function.
  std::optional<size_t> NumberOf(const llvm::Value& value) const {
    const auto known = numbers_.find(&value);
    return known == numbers_.end() ? std::nullopt : std::optional(known->second);
  }
  // Returns the instructions of the block in their order.
  std::span<const Line> LinesOf(const llvm::BasicBlock& block) const {
    const auto& [begin, count] = blocks_.at(&block);
    return std::span(lines_).subspan(begin, count);
  }
  // Returns the line of the instruction with this number. Requires a number of an instruction.
  const Line& LineOf(size_t number) const { return lines_[number - (numbers_.size() - lines_.size())]; }
  const llvm::LoopInfo& loops() const { return loops_; }
  // Returns true if another function may be linked in place of this one.
  bool is_interposable() const { return is_interposable_; }
  // Returns the headers of the loops around the block, the outermost one first.
  const std::vector<const llvm::BasicBlock*>& LoopsAround(const llvm::BasicBlock& block) const {
    return loops_around_.at(&block);
  }

 private:
  llvm::DominatorTree dominators_;
  llvm::LoopInfo loops_;
  bool is_interposable_;
  std::vector<Line> lines_;
  std::unordered_map<const llvm::Value*, size_t> numbers_;
  std::unordered_map<const llvm::BasicBlock*, std::pair<size_t, size_t>> blocks_;  // first line and number of lines
  std::unordered_map<const llvm::BasicBlock*, std::vector<const llvm::BasicBlock*>> loops_around_;
};

// The functions that a function may call and that have a body, itself included.
class ModuleCode {
 public:
  explicit ModuleCode(const llvm::Function& function) { Add(function); }

  // Requires one of these functions.
  const FunctionCode& At(const llvm::Function& function) const { return functions_.at(&function); }

 private:
  void Add(const llvm::Function& function);

  std::map<const llvm::Function*, FunctionCode> functions_;
};

// The values of one call of a function.
class Frame {
 public:
  // `code` must outlive the frame.
  explicit Frame(const FunctionCode& code) : code_(code), values_(code.value_count()) {}

  // Returns the value, or null if the run has not come to it or it is no value of the function.
  const MachineValue* Find(std::optional<size_t> number) const {
    return number && values_[*number] ? &*values_[*number] : nullptr;
  }
  const MachineValue* Find(const llvm::Value& value) const { return Find(code_.NumberOf(value)); }
  void Set(size_t number, MachineValue value) { values_[number] = std::move(value); }
  void Set(const llvm::Value& of, MachineValue value) { Set(*code_.NumberOf(of), std::move(value)); }
  // Leaves the value of a condition open, until it is set. `depth` is the number of open conditions of which it is
  // computed, one after another, and itself.
  void LeaveOpen(size_t number, int depth) {
    values_[number].reset();
    open_[number] = depth;
  }
  // Returns the depth of an open condition; 0 for any other value.
  int OpenDepth(size_t number) const {
    const auto open = values_[number] ? open_.end() : open_.find(number);
    return open == open_.end() ? 0 : open->second;
  }
  const FunctionCode& code() const { return code_; }

 private:
  const FunctionCode& code_;
  std::vector<std::optional<MachineValue>> values_;
  std::unordered_map<size_t, int> open_;  // depths of conditions that were left open, by their numbers
};

}  // namespace layoutcheck
