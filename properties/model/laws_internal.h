// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The lists of laws of which AllLaws consists.
#pragma once

#include <span>
#include "layoutcheck/properties/model/law.h"

namespace layoutcheck {

std::span<const Law> IndexLaws();      // places of elements
std::span<const Law> TransformLaws();  // pairs of layouts that must agree
std::span<const Law> SizeLaws();       // sizes of the allocation
std::span<const Law> RelayoutLaws();   // moving an array to another layout
std::span<const Law> BitcastLaws();    // shapes that read the same memory
std::span<const Law> EditLaws();       // equality and edits of dimensions
std::span<const Law> TextLaws();       // parsing and printing
std::span<const Law> AffineLaws();     // index arithmetic
std::span<const Law> MemRefLaws();     // MLIR's layout attributes

}  // namespace layoutcheck
