// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Draws whole modules of a small dataflow language, prints them, and seeds faults into the text.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>
#include "layoutcheck/core/hlo/shape.h"

namespace layoutcheck {

struct DrawnInstruction {
  std::string name;
  std::string opcode;
  Shape shape;
  std::vector<size_t> operands = {};      // numbers of instructions of the same computation
  std::vector<int64_t> permutation = {};  // of a transpose
  std::vector<size_t> calls = {};         // numbers of computations: of a fusion; or body and condition of a while
  int64_t number = 0;                     // of a parameter or get-tuple-element
};

// The last instruction is the root.
struct DrawnComputation {
  std::string name;
  std::vector<DrawnInstruction> instructions = {};
};

// The last computation is the entry.
struct DrawnModule {
  std::vector<DrawnComputation> computations = {};

  const DrawnComputation& entry() const { return computations.back(); }
};

// Returns a scheduled module that is right: parameters, bitcasts, copies, transposes, reshapes, elementwise operations,
// fusions, whiles, tuples and their elements, between small arrays with and without tiles. Equal seeds draw equal
// modules. Every value but the root is an operand.
DrawnModule DrawModule(uint64_t seed);

enum class FaultKind { kOrder, kTile, kSize, kElementType, kOperand };
inline constexpr FaultKind kFaultKinds[] = {FaultKind::kOrder, FaultKind::kTile, FaultKind::kSize,
                                            FaultKind::kElementType, FaultKind::kOperand};
std::string_view FaultKindName(FaultKind kind);

// Returns the shape with another order, tile, size or element type, the first such array of a tuple; nothing if no
// array can be changed so.
std::optional<Shape> Changed(const Shape& shape, FaultKind kind);

// One place of a module's text: a shape, or an operand with its shape.
struct SeededFault {
  size_t place = 0;
  FaultKind kind = FaultKind::kOrder;
};

struct PrintedModule {
  std::string text;
  size_t places = 0;
  std::string fault_place;  // as in "operand of a copy"; empty if there is no fault or it does not apply to its place
};

// Prints a module in XLA's syntax, with one fault if there is one.
PrintedModule Print(const DrawnModule& module, std::optional<SeededFault> fault = std::nullopt);

}  // namespace layoutcheck
