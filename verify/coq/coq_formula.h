// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <expected>
#include <string>
#include "layoutcheck/verify/formulas/formula_claim.h"
#include "layoutcheck/verify/proof/lines.h"

namespace layoutcheck::verify {

// Returns the claim about formulas as the theorem `name` of Coq, proved by the paths of an accepted certificate from
// the present line on. The error says why there is none.
std::expected<std::string, std::string> CoqFormulaTheorem(const FormulaClaim& claim, Lines& lines,
                                                          const std::string& name);

}  // namespace layoutcheck::verify
