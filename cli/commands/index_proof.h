// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Proofs for `convert`: the printed C function is the layout's linear index at every element.
#ifndef LAYOUTCHECK_CLI_COMMANDS_INDEX_PROOF_H_
#define LAYOUTCHECK_CLI_COMMANDS_INDEX_PROOF_H_

#include <cstdint>
#include <span>
#include <string>

#include "layoutcheck/cli/notations/conversion.h"

namespace layoutcheck {

// Proves that the formula, computed as IndexExpression::ToC() prints it, is the layout's linear index at every
// coordinate within `sizes`, none of which is 0, and that no part of it overflows int64_t. Returns the reason if that
// was not proved, otherwise an empty text. The formula is compared with the definition in core: for strides that of
// shape_stride/strided_index.h and swizzle.h, otherwise that of tiling/tiled_index.h.
std::string WhyNotProved(const CoreForms& layout, std::span<const int64_t> sizes, const IndexFormula& formula);

}  // namespace layoutcheck

#endif  // LAYOUTCHECK_CLI_COMMANDS_INDEX_PROOF_H_
