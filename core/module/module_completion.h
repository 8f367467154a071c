// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "layoutcheck/core/module/module.h"

namespace layoutcheck {

// Finds the entry of a module whose lines have been read, and the computations that its instructions call. Adds a
// problem for each second entry, second computation of a name, second root or parameter of a computation, and index of
// a get-tuple-element that its operand does not have. If no line is lost, a missing `}` is a problem, too; if there
// also is a header, so are a text without computations and a call of a computation that the text lacks, and if none is
// marked ENTRY, the last computation is the entry.
void CompleteModule(HloModule& module, bool has_lost_lines);

}  // namespace layoutcheck
