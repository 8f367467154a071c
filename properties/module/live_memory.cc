// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/properties/module/live_memory.h"
#include <algorithm>
#include <functional>
#include <iterator>
#include <utility>
#include "layoutcheck/properties/module/computation_memory.h"

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

// Returns the computations that the entry runs, directly or not, each after those that it runs itself.
std::vector<int64_t> CalleesFirst(const HloModule& module) {
  struct Frame {
    int64_t computation = 0;
    std::vector<int64_t> callees;  // still to be visited
  };
  const auto frame = [&](int64_t number) {
    Frame open{number, {}};
    for (const ModuleInstruction& instruction : module.computations[static_cast<size_t>(number)].instructions) {
      if (!RunsComputations(instruction.opcode)) continue;
      for (const ComputationCall& call : instruction.calls) {
        if (call.computation >= 0) open.callees.push_back(call.computation);
      }
    }
    return open;
  };
  std::vector<int64_t> order;
  std::vector<bool> seen(module.computations.size());
  std::vector<Frame> open;
  const auto visit = [&](int64_t number) {
    if (seen[static_cast<size_t>(number)]) return;
    seen[static_cast<size_t>(number)] = true;
    open.push_back(frame(number));
  };
  visit(module.entry);
  while (!open.empty()) {
    if (open.back().callees.empty()) {
      order.push_back(open.back().computation);
      open.pop_back();
      continue;
    }
    const int64_t callee = open.back().callees.back();
    open.back().callees.pop_back();
    visit(callee);
  }
  return order;
}

// Returns the arrays alive at the entry's peak, in it and in the callees that run there.
std::vector<ArrayCost> PeakArrays(const HloModule& module, const ComputationMemories& memories) {
  std::vector<ArrayCost> arrays;
  std::vector<bool> seen(memories.size());  // a computation that calls itself is none, but may be written
  for (int64_t number = module.entry; number >= 0 && !seen[static_cast<size_t>(number)];) {
    seen[static_cast<size_t>(number)] = true;
    const auto& memory = memories[static_cast<size_t>(number)];
    std::ranges::copy(memory->peak_arrays, std::back_inserter(arrays));
    number = memory->peak_callee;
  }
  std::ranges::stable_sort(arrays, std::greater<>(), &ArrayCost::bytes);
  return arrays;
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

std::optional<LiveMemory> LiveMemoryOf(ModuleFacts& facts) {
  const HloModule& module = facts.module();
  if (!module.is_scheduled || module.entry < 0) return std::nullopt;
  ShapeArrays shape_arrays;
  ComputationMemories memories(module.computations.size());
  std::vector<ArrayCost> constants;
  for (const int64_t number : CalleesFirst(module)) {
    const ModuleComputation& computation = module.computations[static_cast<size_t>(number)];
    auto& memory = memories[static_cast<size_t>(number)];
    memory = MemoryOf(computation, facts, shape_arrays, memories, constants);
    if (!memory) return std::nullopt;
    std::ranges::copy(memory->constants, std::back_inserter(constants));
  }
  LiveMemory live;
  live.peak_arrays = PeakArrays(module, memories);
  ComputationMemory& entry = *memories[static_cast<size_t>(module.entry)];
  live.curve = std::move(entry.curve);
  live.peak = entry.peak;
  if (live.curve.empty()) return std::nullopt;
  return live;
}

}  // namespace layoutcheck
