// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Proofs about compiled functions and kernels, for `prove-code` and `prove-kernel`.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>
#include "layoutcheck/cli/base/option.h"
#include "layoutcheck/core/base/error.h"
#include "layoutcheck/llvm/code_proof/prove_code.h"
#include "layoutcheck/llvm/kernel_proof/prove_kernel.h"

namespace layoutcheck {

// Options about how code is read, as the user wrote them.
struct CodeArguments {
  std::string clang_flags;
  std::string max_bytes;
  uint64_t jobs = 1;  // no proof about code takes more
};

std::vector<Option> CodeOptions(CodeArguments& arguments);
// Reads the arguments into the parts of a request. Returns false after a message, which begins with the command, if
// they cannot be used.
bool ReadCodeArguments(std::string_view command, const CodeArguments& arguments, std::vector<std::string>& flags,
                       std::optional<int64_t>& max_bytes);

// Returns the one line of `prove-code --json` for the question. Errors: those of ProveCode; a build without LLVM
// (unavailable).
Expected<std::vector<Json>> ProveCodeJson(const CodeRequest& request, const ProveOptions& options);

// Returns the lines of `prove-kernel --json` for kernels that run one after another, per kernel. Errors: those of
// ProveKernels; a build without LLVM (unavailable).
Expected<std::vector<std::vector<Json>>> ProveKernelsJson(const std::vector<KernelRequest>& requests,
                                                          const ProveOptions& options);

// Returns the line of `prove-code --emit formula --json`: the formula that the function computes. Errors: as above.
Expected<Json> CodeFormulaJson(const CodeRequest& request, const ProveOptions& options);

// Prints a line of CodeFormulaJson, or for people the formula and, on standard error, where there is none. Returns the
// exit code: undecided if no formula is known.
ExitCode PrintCodeFormula(const Expected<Json>& emitted, bool json);

}  // namespace layoutcheck
