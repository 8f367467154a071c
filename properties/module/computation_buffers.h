// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The buffers of one computation: which arrays of which values share memory by name.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>
#include "layoutcheck/properties/module/computation_memory.h"

namespace layoutcheck {

constexpr size_t kNoBuffer = static_cast<size_t>(-1);

// One array in memory. An in-place result and an aliased parameter have the buffer that `same` names.
struct ModuleBuffer {
  ArrayCost array;
  int64_t first = 0;        // instruction that makes it
  int64_t last = 0;         // last one that uses it
  bool counted = true;      // the memory of this computation includes it
  bool fixed = false;       // no instruction may write it
  size_t same = kNoBuffer;  // the buffer into which this one was merged
};

// Gives each array of each value of a computation a buffer: a new one, or, where the instruction only names memory,
// one of its operands.
class ComputationBuffers {
 public:
  // The buffers of a value, one per array of its shape: a range of `named_`.
  struct Value {
    size_t begin = 0;
    size_t count = 0;
  };

  ComputationBuffers(const ModuleComputation& computation, ModuleFacts& facts, ShapeArrays& arrays,
                     const ComputationMemories& callees);

  std::vector<ModuleBuffer>& buffers() { return buffers_; }
  const std::vector<ModuleBuffer>& buffers() const { return buffers_; }
  Value ValueOf(int64_t instruction) const {
    return instruction < 0 ? Value() : values_[static_cast<size_t>(instruction)];
  }
  std::span<const size_t> Names(const Value& value) const {
    return std::span(named_).subspan(value.begin, value.count);
  }
  // Returns the buffers of an instruction's value; none for an unknown instruction.
  std::span<const size_t> Names(int64_t instruction) const { return Names(ValueOf(instruction)); }
  // Returns the one buffer at an index path of a value, or kNoBuffer.
  size_t AtPath(int64_t instruction, const std::vector<int64_t>& path) const;

 private:
  Value Element(const ModuleOperand& operand, int64_t index) const;
  size_t NewBuffer(const ModuleInstruction& instruction, const Shape& shape);
  // Appends the buffers of a result: `named`, and new ones for the arrays beyond.
  void AppendArrays(const ModuleInstruction& instruction, const Shape& shape, std::span<const size_t> named,
                    size_t& next);
  Value NewValue(const ModuleInstruction& instruction, std::span<const size_t> named);
  // Appends the buffers of all operands until there are `most`.
  void AppendOperands(const ModuleInstruction& instruction, size_t most, std::vector<size_t>& named) const;
  Value Start(const ModuleInstruction& instruction);
  Value Call(const ModuleInstruction& instruction);
  Value MakeValue(const ModuleInstruction& instruction);

  const ModuleComputation& computation_;
  ModuleFacts& facts_;
  ShapeArrays& arrays_;
  const ComputationMemories& callees_;
  std::vector<ModuleBuffer> buffers_;
  std::vector<size_t> named_;  // buffers of the arrays of all values, value after value
  std::vector<Value> values_;  // one per instruction
};

}  // namespace layoutcheck
