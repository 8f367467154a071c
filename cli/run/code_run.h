// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Proofs about compiled functions and kernels, for `prove --code` and `prove --kernel`.
#pragma once

#include <vector>
#include "layoutcheck/cli/base/command.h"
#include "layoutcheck/core/base/error.h"
#include "layoutcheck/llvm/code_proof/prove_code.h"
#include "layoutcheck/llvm/kernel_proof/prove_kernel.h"

namespace layoutcheck {

// Returns the line of `prove --json` for the question. Errors: those of ProveCode; a build without LLVM (unavailable).
Expected<Json> ProveCodeJson(const CodeRequest& request, const ProveOptions& options);

// Returns the lines of `prove --json` for a kernel. Errors: those of ProveKernel; a build without LLVM (unavailable).
Expected<std::vector<Json>> ProveKernelJson(const KernelRequest& request, const ProveOptions& options);

// Returns the line of `prove --emit formula --json`: the formula that the function computes. Errors: as above.
Expected<Json> CodeFormulaJson(const CodeRequest& request, const ProveOptions& options);

// Prints a line of CodeFormulaJson, or for people the formula and, on standard error, where there is none. Returns the
// exit code: undecided if no formula is known.
ExitCode PrintCodeFormula(const Expected<Json>& emitted, bool json);

}  // namespace layoutcheck
