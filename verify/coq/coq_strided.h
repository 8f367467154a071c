// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <expected>
#include <string>
#include <string_view>
#include "layoutcheck/verify/formulas/strided.h"
#include "layoutcheck/verify/proof/lines.h"

namespace layoutcheck::verify {

// Returns a law of a shape:stride layout as the theorem `name` of Coq, over the definitions of proofs/StrideLaws.v. It
// is computed, or follows from claims about the offset's formula, which are proved by the paths of an accepted
// certificate from the present line on. The error says why there is none.
std::expected<std::string, std::string> CoqStridedTheorem(std::string_view law, const StridedLayout& layout,
                                                          Lines& lines, const std::string& name);

}  // namespace layoutcheck::verify
