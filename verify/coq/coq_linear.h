// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <string>
#include <string_view>
#include "layoutcheck/verify/formulas/linear.h"

namespace layoutcheck::verify {

// Returns an accepted law of a layout in bits as the theorem `name` of Coq, over the definitions of
// proofs/LinearLayouts.v. Coq computes that an inverse is one.
std::string CoqLinearTheorem(std::string_view law, const LinearLayout& layout, const std::string& name);

// Returns that two layouts in bits are equal as the theorem `name` of Coq. Coq compares their images.
std::string CoqEqualTheorem(const LinearLayout& layout, const LinearLayout& other, const std::string& name);

}  // namespace layoutcheck::verify
