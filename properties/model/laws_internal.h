// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The lists of laws of which AllLaws consists.
#ifndef LAYOUTCHECK_PROPERTIES_MODEL_LAWS_INTERNAL_H_
#define LAYOUTCHECK_PROPERTIES_MODEL_LAWS_INTERNAL_H_

#include <span>

#include "layoutcheck/properties/model/law.h"

namespace layoutcheck {

std::span<const Law* const> IndexLaws();      // places of elements
std::span<const Law* const> TransformLaws();  // pairs of layouts that must agree
std::span<const Law* const> SizeLaws();       // sizes of the allocation
std::span<const Law* const> RelayoutLaws();   // moving an array to another layout
std::span<const Law* const> TextLaws();       // parsing and printing
std::span<const Law* const> AffineLaws();     // index arithmetic
std::span<const Law* const> MemRefLaws();     // MLIR's layout attributes

}  // namespace layoutcheck

#endif  // LAYOUTCHECK_PROPERTIES_MODEL_LAWS_INTERNAL_H_
