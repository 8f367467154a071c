// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <string>
#include "layoutcheck/core/module/module.h"

namespace layoutcheck {

// Finds the arrays in a text that is not a module: a log of a compiler, a report of memory that ran out. The result has
// is_log set and one computation without a name, with one instruction per shape that has a layout:
//
//   %copy.1 = s32[8,4]{1,0:T(8,128)} copy(...)   the result of the instruction; its operands are no arrays of their own
//   ... bf16[8,128]{1,0:T(8,128)(2,1)} ...       a shape in any other text, without name and opcode
//   Shape: f32[1024,1024]                        without a layout, in the default order; only in a line of an
//   allocation
//
// A line is one of an allocation if it has `Shape: `, `shape |` or `(size=` in it, as the lines of XLA have. Reports of
// memory that ran out name the allocation and its line of source in lines behind the shape or in front of it:
//
//   Operator: op_name="..." source_file="model.py" source_line=7
//   XLA label: %fusion.7 = f32[8,128]{1,0} fusion(...)
//   XLA label: fusion.7 = fusion(copy.4, ...)
//   XLA Label: fusion
//
// A line `====...` ends an allocation. All of this may stand in one line. What is no shape is skipped.
HloModule ReadLog(std::string text, int64_t first_line = 1);

}  // namespace layoutcheck
