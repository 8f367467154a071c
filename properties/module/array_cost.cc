// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/properties/module/array_cost.h"

namespace layoutcheck {
namespace {

void Append(const ArrayCost& array, ModuleFacts& facts, std::vector<ArrayCost>& arrays) {
  for (const Shape& element : array.shape->elements) {
    ArrayCost part = array;
    part.shape = &element;
    Append(part, facts, arrays);
  }
  if (const LayoutSizes* const sizes = facts.Sizes(array.shape)) {
    arrays.push_back(array);
    arrays.back().bytes = sizes->bytes;
    arrays.back().needed_bytes = facts.NeededBytes(array.shape);
  }
}

}  // namespace

std::vector<ArrayCost> ArraysOf(ModuleFacts& facts) {
  std::vector<ArrayCost> arrays;
  for (const ModuleComputation& computation : facts.module().computations) {
    if (!facts.IsMaterialized(computation)) continue;
    for (const ModuleInstruction& instruction : computation.instructions) {
      // The parameters of other computations are arrays of their callers.
      if (instruction.opcode == "parameter" && !computation.is_entry && facts.module().entry >= 0) continue;
      if (NamesMemory(instruction.opcode) || instruction.shape == nullptr) continue;
      // A copy-start returns its target, its source and a context; only the target is a new array.
      const bool has_source = instruction.opcode == "copy-start" && !instruction.shape->elements.empty();
      const Shape* const shape = has_source ? instruction.shape->elements.data() : instruction.shape;
      Append({.computation = &computation, .instruction = &instruction, .shape = shape}, facts, arrays);
    }
  }
  return arrays;
}

}  // namespace layoutcheck
