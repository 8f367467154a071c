// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Instructions of LLVM IR whose result depends on their operands and on memory alone.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>
#include "layoutcheck/llvm/ir/ir_memory.h"
#include "layoutcheck/llvm/ir/machine_value.h"

namespace llvm {
class CallBase;
class Function;
class Instruction;
}  // namespace llvm

namespace layoutcheck {

// Returns `tile_offset` for a function that the source calls so, whatever its name in the IR.
std::string SourceName(const llvm::Function& function);

// Returns "tile.c:7", or the instruction's text where no line is known.
std::string PlaceOf(const llvm::Instruction& instruction);

// Returns the operation of an instruction on two integers; nothing for others.
std::optional<MachineOp> MachineOpOf(const llvm::Instruction& instruction);

// Returns the claims of the instruction about its result.
MachineClaims ClaimsOf(const llvm::Instruction& instruction);

// Returns true if the instruction is one of unoptimized C or C++, as it is in the source. There, an operation that
// overflows is undefined behavior even if nothing uses its result.
bool IsOfSource(const llvm::Instruction& instruction);

// The reason why a value that depends on floating point is unknown: "floating point (sitofp), which is not followed, at
// tile.c:7". It begins with kFloatingPoint.
inline constexpr std::string_view kFloatingPoint = "floating point (";
std::string FloatingPointText(std::string_view operation, std::string_view place);

// Return the value for code that depends on it: a branch, an address, a divisor. They throw FunctionFault for poison
// and FunctionUnknown for what is unknown.
const MachineValue& Use(const MachineValue& value, const std::string& place);
bool UseAsCondition(const MachineValue& value, const std::string& place);

// Returns the operands with a number in place of each element whose number is known; `numbered` holds them.
std::span<const MachineValue> WithNumbers(std::span<const MachineValue> operands, const IrMemory& memory,
                                          std::vector<MachineValue>& numbered);

// Returns the result of an instruction that is no branch, call or phi; nothing for one that has no result. `place` is
// PlaceOf the instruction. Throws as RunCode does.
std::optional<MachineValue> Execute(const llvm::Instruction& instruction, std::span<const MachineValue> operands,
                                    IrMemory& memory, const std::string& place);

// Returns the result of calling an intrinsic, or a function of C without a body that is known; nothing if it has none.
// Throws FunctionUnknown for others.
std::optional<MachineValue> CallKnown(const llvm::CallBase& call, std::span<const MachineValue> operands,
                                      IrMemory& memory, const std::string& place);

}  // namespace layoutcheck
