// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Rules for operands and attributes that XLA's parser of single instructions has beyond the grammar.
#pragma once

#include <cstdint>
#include "layoutcheck/core/base/error.h"
#include "layoutcheck/core/hlo/instruction.h"

namespace layoutcheck {

// Checks that an operand's name has one shape, in `scope` or in `introduced`, and that the operand agrees with it. Adds
// the shape of a first mention to `introduced`. Errors are at `column`.
Expected<void> CheckOperandName(const HloOperand& operand, const HloScope& scope, HloScope& introduced, int64_t column);

// Checks the value of an attribute, which starts at `column`: a fusion has one of four kinds, a parameter has one
// replication flag per leaf of its shape, and no value names a computation, because there is none.
Expected<void> CheckAttribute(const HloInstruction& instruction, const HloAttribute& attribute, int64_t column);

// Checks that a fusion has the attributes kind= and calls=. The error is at `column`, the end of the text.
Expected<void> CheckFusion(const HloInstruction& instruction, int64_t column);

}  // namespace layoutcheck
