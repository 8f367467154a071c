// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <cstdint>
#include <expected>
#include <span>
#include <string>
#include "layoutcheck/verify/proof/lines.h"

namespace layoutcheck::verify {

// The parts of a claim and of its certificate that CoqProof uses.
struct CoqClaim {
  size_t facts = 0;     // number of hypotheses about the domain
  size_t formulas = 0;  // number of formulas
  // The line of each path from which on the formulas have equal values at two points, or 0 if it has none. Empty unless
  // the claim is of the law injective.
  std::span<const int64_t> late_lines = {};
};

// Returns the paths of an accepted certificate, from the present line to the next sequent or `end`, as calls of the
// tactics of proofs/Steps.v, or which line has none.
std::expected<std::string, std::string> CoqProof(Lines& lines, const CoqClaim& claim);

}  // namespace layoutcheck::verify
