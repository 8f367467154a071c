// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Vectors, structs and arrays of LLVM IR that are taken apart and put together, so that each part is known as the value
// that was loaded. Also the offsets of elements in memory.
#pragma once

#include <llvm/ADT/SmallVector.h>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include "layoutcheck/llvm/ir/machine_value.h"

namespace llvm {
class DataLayout;
class ExtractValueInst;
class GetElementPtrInst;
class InsertValueInst;
class Instruction;
}  // namespace llvm

namespace layoutcheck {

// Returns the result of extractelement, insertelement or shufflevector. A vector is an unknown value, with which
// nothing can be computed; its `elements` are its parts, if they are known.
MachineValue ExecuteOnVector(const llvm::Instruction& instruction, std::span<const MachineValue> operands,
                             const std::string& place);

// Returns the part of a struct or an array that the instruction names. A part of a value of which nothing is known is
// that value.
MachineValue ExtractValue(const llvm::ExtractValueInst& extract, const MachineValue& aggregate);

// Returns the first operand, a struct or an array, with the second in place of the part that the instruction names.
MachineValue InsertValue(const llvm::InsertValueInst& insert, std::span<const MachineValue> operands);

// The distance of an element from the pointer of a getelementptr, in bytes: the constant and, for each index k, from 0,
// its value times factors[k]. The factor of an index that is a constant is 0.
struct ElementOffset {
  int64_t constant = 0;
  llvm::SmallVector<int64_t, 4> factors;
};

// Returns the offset, in the arithmetic of the address space's indices; nothing for vectors of pointers and for types
// whose size depends on the machine.
std::optional<ElementOffset> OffsetOf(const llvm::GetElementPtrInst& gep, const llvm::DataLayout& layout);

}  // namespace layoutcheck
