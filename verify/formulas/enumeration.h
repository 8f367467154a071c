// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Claims about formulas with few points, which a checker evaluates at each of them instead of following steps.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>
#include "layoutcheck/verify/formulas/formula_claim.h"
#include "layoutcheck/verify/layouts/layout.h"
#include "layoutcheck/verify/proof/lines.h"

namespace layoutcheck::verify {

// Limit of nodes that are evaluated at all points together, or on all paths. It bounds the time.
inline constexpr size_t kMaxEvaluations = 50'000'000;

// A name of a claim, whose values go from `least` to the smaller one of the bounds that there are.
struct EnumeratedName {
  std::string name;
  std::optional<Int128> least;  // nothing for a name that may be negative and that no assumption bounds from below
  std::optional<Int128> most;
  std::optional<Size> size;  // the bound of an index, below which all values are
};

// Returns the names of the claim and their bounds: first the variables, then the indices.
std::vector<EnumeratedName> EnumeratedNamesOf(const FormulaClaim& claim);

// Takes the line "by enumeration" and evaluates the claim at every point of its domain. Every name must be bounded: an
// index by a size, another by an assumption that compares it with a number. Returns the number of points.
Checked<int64_t> CheckByEnumeration(const FormulaClaim& claim, Lines& lines);

}  // namespace layoutcheck::verify
