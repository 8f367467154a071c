// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include "layoutcheck/cli/notations/conversion.h"

namespace layoutcheck {

// Proves that the formula, computed as IndexExpression::ToC() prints it, is the layout's linear index and does not
// overflow int64_t at any coordinate within `sizes`, all nonzero. Returns an empty text, or the reason why that was not
// proved. The definition is in shape_stride/strided_index.h and swizzle.h for strides, else in tiling/tiled_index.h.
std::string WhyNotProved(const CoreForms& layout, std::span<const int64_t> sizes, const IndexFormula& formula);

}  // namespace layoutcheck
