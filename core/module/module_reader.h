// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <string>
#include "layoutcheck/core/module/module.h"

namespace layoutcheck {

// Reads the text of one module: a header `HloModule ...`, tables of stack frames, computations. `first_line` is the
// number of the text's first line in its file. Every text is read: what is not understood becomes a problem with its
// place, and costs its line. Layouts are not validated here. Names resolve to instructions that come before, in their
// computation, and to computations anywhere in the module. A name that resolves to nothing or is not unique is a
// problem, too. A text without a header is a part of a module: computations that it calls may stand elsewhere, as may
// the operands of instructions without the head of a computation. A text that ends within a computation and without a
// line end was cut: its last line is a problem.
HloModule ReadModule(std::string text, int64_t first_line = 1);

}  // namespace layoutcheck
