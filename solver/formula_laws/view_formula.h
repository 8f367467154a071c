// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Views whose origins and sizes may be formulas over names, zN:f16[M,N]@[b:e,16*c:16*c+16]: where are the strides of
// the whole right for the view?
#pragma once

#include <string>
#include <string_view>
#include <vector>
#include "layoutcheck/core/base/error.h"
#include "layoutcheck/solver/certificate/proof_result.h"

namespace layoutcheck {

inline constexpr std::string_view kStridedFormLaw = "strided-form";
inline constexpr std::string_view kStridedFormStatement =
    "Each element of a view has the offset of the view's first element plus the offset that its coordinate in the view "
    "has "
    "in the whole, as TLA's GetTile computes it.";

struct ViewProof {
  ProofResult result;
  std::string right_while;  // formula of a condition under which a refuted law was proved; empty if none was found
};

// Proves or refutes the law strided-form. The text is a layout of ParseSymbolicLayout or
// ReadStridedFormula and one view as in core/shape_stride/view.h, with a formula in place of each integer. The
// names take all values >= 0 (>= 1 for tile sizes) for which the origin is inside of the whole; elements beyond the
// whole do not exist. If the law is refuted, conditions are tried: the view begins at a block, or stays inside of one,
// in each dimension whose origin has a name. Errors: those of the two readers and of ProveFormula; syntax, with the
// column in `text`; another number of ranges than dimensions (invalid layout).
Expected<ViewProof> ProveStridedForm(std::string_view text, const std::vector<std::string>& assumptions,
                                     const ProveOptions& options = {});

}  // namespace layoutcheck
