// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Integers some of whose bits are bits of elements, as code makes them that packs elements of less than a byte:
// (in[2 * i] & 15) | in[2 * i + 1] << 4.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>
#include "layoutcheck/llvm/ir/machine_value.h"

namespace llvm {
class Instruction;
}

namespace layoutcheck {

// Returns the fields of an integer of `width` bits, the lowest first. Bits of which nothing is known are a field, too.
std::vector<BitField> FieldsOf(const MachineValue& value, int width);

// Returns an integer that is made of the fields, the lowest first: an element or a number if they are one, and
// otherwise an unknown value with these fields, for the reason `why`.
MachineValue FromFields(std::span<const BitField> fields, std::string why);

// Returns `bits` bits of an integer from bit `begin` on, which it has.
MachineValue BitsOf(const MachineValue& value, int begin, int bits);

// Returns the result of an operation that moves, keeps, clears or unites bits of its operands, of which one has bits of
// elements. Returns nothing for other operations and operands. `place` ends messages.
std::optional<MachineValue> MoveBits(const llvm::Instruction& instruction, std::span<const MachineValue> operands,
                                     const std::string& place);

}  // namespace layoutcheck
