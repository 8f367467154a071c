// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Proofs about compiled functions, for `prove --code`.
#pragma once

#include "layoutcheck/cli/base/command.h"
#include "layoutcheck/core/base/error.h"
#include "layoutcheck/llvm/code_proof/prove_code.h"

namespace layoutcheck {

// Returns the line of `prove --json` for the question. Errors: those of ProveCode; a build without LLVM (unavailable).
Expected<Json> ProveCodeJson(const CodeRequest& request, const ProveOptions& options);

}  // namespace layoutcheck
