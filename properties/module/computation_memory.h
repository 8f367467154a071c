// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Memory of one computation: the bytes alive at each instruction, and their peak.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <unordered_map>
#include <vector>
#include "layoutcheck/properties/module/live_memory.h"
#include "layoutcheck/properties/module/module_facts.h"

namespace layoutcheck {

// An array of a parameter: the parameter's number, and the number of the array in its shape.
struct ParameterArray {
  int64_t parameter = ModuleOperand::kUnknown;
  size_t array = 0;
};

// Memory that a computation needs beyond its parameters, result and constants; the entry's includes all of them.
struct ComputationMemory {
  std::vector<LiveBytes> curve;                   // one per instruction, with callees
  size_t peak = 0;                                // an instruction at which most bytes are alive
  int64_t peak_callee = ModuleOperand::kUnknown;  // the computation that runs there and needs most
  std::vector<ArrayCost> peak_arrays;  // arrays alive at the peak, without those of callees, in the order of the text
  std::vector<ArrayCost> constants;    // constants of the computation, without those of callees
  std::vector<ParameterArray> result;  // one per array of the root: the parameter whose buffer it has, if any

  LiveBytes PeakBytes() const { return curve.empty() ? LiveBytes() : curve[peak]; }
};

// Counts the arrays of shapes, of which a tuple has those of all its elements. A token is an array without bytes.
class ShapeArrays {
 public:
  // Returns the number of arrays before each element of a tuple, followed by the total; {0, 1} for other shapes.
  const std::vector<size_t>& Offsets(const Shape& shape);
  size_t Count(const Shape& shape) { return Offsets(shape).back(); }

 private:
  std::unordered_map<const Shape*, std::vector<size_t>> offsets_;
};

// Memory of each computation, indexed by its number; nullopt while it is unknown.
using ComputationMemories = std::vector<std::optional<ComputationMemory>>;

// Returns the memory of a computation. Requires the memory of its callees. `constants` are those of all callees, which
// live as long as the entry; empty for other computations. Returns nothing if the sum of all buffers overflows int64.
std::optional<ComputationMemory> MemoryOf(const ModuleComputation& computation, ModuleFacts& facts, ShapeArrays& arrays,
                                          const ComputationMemories& callees, const std::vector<ArrayCost>& constants);

}  // namespace layoutcheck
