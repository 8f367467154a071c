// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <string>
#include "layoutcheck/llvm/code_proof/code_arguments.h"
#include "layoutcheck/llvm/code_proof/prove_code.h"

namespace layoutcheck {

// Calls the function on the machine at the counterexample of a refuted result and writes into `machine` how the call
// ended, or why there was none. Where the machine returns another value than the refutation says, the verdict becomes
// unknown, with a disagreement: a mistake of layoutcheck. `code` has the values of the arguments.
void CheckOnMachine(const CodeRequest& request, const CodeCall& call, const std::vector<int64_t>& values,
                    ProofResult& result, std::string& machine);

}  // namespace layoutcheck
