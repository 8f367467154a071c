// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The border between the shapes for which a compiled function is right and those for which it overflows.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>
#include "layoutcheck/llvm/code_proof/code_question.h"

namespace layoutcheck {

struct CodeBorder {
  std::string condition;  // a formula over the sizes, such as "M * N <= 2147483648"
  bool is_exact = false;  // the function is proved to be wrong at the last index of every shape that breaks it
};

// Returns a condition on the sizes under which the function is proved to be right and which is false at the
// counterexample, or nothing if none is found. The candidates are the limits of the operations that do not fit their
// type on some path, with the last index of each dimension in place of the index.
std::optional<CodeBorder> FindBorder(const LoadedCode& code, const CodeRequest& request,
                                     const FormulaQuestion& question,
                                     const std::vector<std::pair<std::string, int64_t>>& counterexample,
                                     const ProveOptions& options);

}  // namespace layoutcheck
