// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Operations on integers some of whose bits were never written. To use a bit-field, code reads the whole unit that has
// it, in which other fields may not have been written yet, and extracts or replaces the field's own bits.
#pragma once

#include <optional>
#include <span>
#include <string>
#include "layoutcheck/llvm/ir/machine_value.h"

namespace llvm {
class Instruction;
}

namespace layoutcheck {

// Returns the value of an operation that moves, keeps or sets bits of an integer of MachineValue::Kind::kPartial by
// constants, or unites it with another integer. A bit of the result counts as never written if it comes from such a
// bit. Returns nothing for other operations and operands. `place` ends messages.
std::optional<MachineValue> WithUnwrittenBits(const llvm::Instruction& instruction,
                                              std::span<const MachineValue> operands, const std::string& place);

}  // namespace layoutcheck
