// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <string>
#include "layoutcheck/cli/claims/claim_result.h"
#include "layoutcheck/cli/claims/claims_file.h"

namespace layoutcheck {

struct ClaimRunOptions {
  std::string program;      // path of the program, which runs the command of a claim in a process of its own
  size_t jobs = 1;          // threads for the command of one claim
  bool uses_memory = true;  // recall and remember verdicts
};

// Checks a claim in this directory. Once StopSignals has been asked to end the run, the command is asked to end, too,
// and a claim whose command has not started is undecided.
ClaimResult CheckClaim(const Claim& claim, const ClaimRunOptions& options);

}  // namespace layoutcheck
