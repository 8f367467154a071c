// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Certificates as files for Coq, which checks them with no code of this program: the claim as a theorem over the
// definitions of proofs/, and its proof.
#pragma once

#include <cstddef>
#include <expected>
#include <string>
#include <string_view>
#include "layoutcheck/verify/formulas/formula_claim.h"
#include "layoutcheck/verify/formulas/linear.h"
#include "layoutcheck/verify/formulas/strided.h"
#include "layoutcheck/verify/proof/lines.h"

namespace layoutcheck::verify {

// Returns the theorem claim<number> for one certificate. The theorem of a claim about a formula is proved by the steps
// of the certificate. A law of a tiled layout is an instance of a theorem of proofs/Main.v. The error says why there is
// none: the certificate is not accepted, or proofs/ does not define what its claim is about.
std::expected<std::string, std::string> CoqTheorem(std::string_view certificate, size_t number);

// The theorems of one kind of claim each, of which CoqTheorem chooses.

// Returns the claim about formulas as the theorem `name` of Coq, proved by the paths of an accepted certificate from
// the present line on. The error says why there is none.
std::expected<std::string, std::string> CoqFormulaTheorem(const FormulaClaim& claim, Lines& lines,
                                                          const std::string& name);

// Returns an accepted law of a layout in bits as the theorem `name` of Coq, over the definitions of
// proofs/LinearLayouts.v. Coq computes that an inverse is one.
std::string CoqLinearTheorem(std::string_view law, const LinearLayout& layout, const std::string& name);

// Returns that two layouts in bits are equal as the theorem `name` of Coq. Coq compares their images.
std::string CoqEqualTheorem(const LinearLayout& layout, const LinearLayout& other, const std::string& name);

// Returns a law of a shape:stride layout as the theorem `name` of Coq, over the definitions of proofs/StrideLaws.v. It
// is computed, or follows from claims about the offset's formula, which are proved by the paths of an accepted
// certificate from the present line on. The error says why there is none.
std::expected<std::string, std::string> CoqStridedTheorem(std::string_view law, const StridedLayout& layout,
                                                          Lines& lines, const std::string& name);

}  // namespace layoutcheck::verify
