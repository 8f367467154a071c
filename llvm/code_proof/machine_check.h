// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <string>
#include "layoutcheck/llvm/code_proof/code_arguments.h"
#include "layoutcheck/llvm/code_proof/prove_code.h"

namespace layoutcheck {

// Calls the function on the machine at the counterexample of a refuted result and writes into `machine` how the call
// ended, or why there was none. The verdict becomes unknown where the machine does not confirm it: with a reason if
// the refutation is undefined behavior and the machine returned the expected value, otherwise with a disagreement, a
// mistake of layoutcheck. `values` are those of the arguments.
void CheckOnMachine(const CodeRequest& request, const CodeCall& call, const std::vector<int64_t>& values,
                    ProofResult& result, std::string& machine);

}  // namespace layoutcheck
