// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Verdicts on laws and formulas, as JSON and for people.
#pragma once

#include <string>
#include "layoutcheck/cli/base/command.h"
#include "layoutcheck/solver/layout_proof/prove.h"

namespace layoutcheck {

// Returns the line of `prove --json` for a result. If solvers disagree, it has the member "disagreement".
Json ProofJson(const ProofResult& result);
// Returns "injective    proved for all M, N and every index (mixed-radix, 0.003 s)" for a line of ProofJson.
std::string ProofText(const Json& document);
ExitCode ProofExitCode(const Json& document);

// Returns a or b, whichever comes first in the order unusable (solvers disagree), rejected, undecided, accepted.
ExitCode WorseExitCode(ExitCode a, ExitCode b);

}  // namespace layoutcheck
