// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Prints a layout's linear index as a formula in C, recorded while the closed formula of core/tiling/tiled_index.h
// runs.
#pragma once

#include <string>
#include "layoutcheck/solver/layout_proof/symbolic_layout.h"

namespace layoutcheck {

// Returns "i0 / 8 * ((N + 127) / 128 * 1024) + ..." over the index and the names of the layout; "0" for a scalar.
std::string LayoutFormula(const SymbolicLayout& layout);

}  // namespace layoutcheck
