// Proofs of what `convert` prints: that an expression in C is a layout's linear index at every element.
#ifndef LAYOUTCHECK_CLI_COMMANDS_INDEX_PROOF_H_
#define LAYOUTCHECK_CLI_COMMANDS_INDEX_PROOF_H_

#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "layoutcheck/cli/notations/notation.h"
#include "layoutcheck/core/shape_stride/swizzle.h"
#include "layoutcheck/core/tiling/index_expression.h"

namespace layoutcheck {

// Proves that the expression, computed as IndexExpression::ToC() has it and swizzled, is the index of the layout for
// every coordinate within `sizes`, none of which is 0, and that no part of it overflows int64_t. Returns why that was
// not proved; empty where it was. The layout's own formula is what it is compared with: for HLO text that of
// core/tiling/tiled_index.h, otherwise that of core/shape_stride/strided_index.h, and of swizzle.h.
std::string WhyNotProved(const LayoutValue& layout, std::span<const int64_t> sizes, const IndexExpression& expression,
                         const std::optional<Swizzle>& swizzle);

}  // namespace layoutcheck

#endif  // LAYOUTCHECK_CLI_COMMANDS_INDEX_PROOF_H_
