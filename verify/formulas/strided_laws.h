// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The laws of shape:stride layouts, and claims about formulas beside them.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>
#include "layoutcheck/verify/formulas/claim.h"
#include "layoutcheck/verify/formulas/strided.h"
#include "layoutcheck/verify/proof/lines.h"

namespace layoutcheck::verify {

// A claim about the formula of a layout's offset. A law of the layout follows from one or two of them.
struct StridedSequent {
  std::string_view line;  // line of the certificate that begins the sequent, before its paths
  std::string_view law;
  std::string over;
  std::string formula;
  std::optional<std::string> equals;
  std::optional<std::string> below;

  // Returns the claim, which refers to this object.
  Claim ToClaim() const { return {.law = law, .over = over, .formula = formula, .equals = equals, .below = below}; }
};

std::vector<StridedSequent> StridedSequentsOf(std::string_view law, const StridedLayout& layout);

// Returns a claim about a formula beside the layout as one about the formulas alone. Refers to both.
Claim WithoutStridedLayout(const Claim& claim, const StridedLayout& layout);

struct StridedCheck {
  int64_t steps = 0;
  std::vector<std::string> names;  // names of the claim, each of which stands for every size or stride
};

// Checks a claim whose layout is one of shape:stride, from the present line on. `law_line` is the line of the law.
Checked<StridedCheck> CheckStrided(const Claim& claim, int64_t law_line, Lines& lines);

}  // namespace layoutcheck::verify
