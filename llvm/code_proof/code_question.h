// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Questions about a compiled function.
#pragma once

#include <optional>
#include <string>
#include <vector>
#include "layoutcheck/core/base/error.h"
#include "layoutcheck/llvm/code_proof/code_arguments.h"
#include "layoutcheck/llvm/code_proof/prove_code.h"
#include "layoutcheck/solver/formula_proof/formula_question.h"

namespace layoutcheck {

// A function that was read, with its arguments. It must outlive the questions about it.
struct LoadedCode {
  CodeModule module;
  CodeCall call;
  std::string result;  // name of the memory that the function writes; empty for the value returned
};

// Reads the function of the request. Errors: those of ProveCode.
Expected<LoadedCode> LoadCode(const CodeRequest& request);

// Returns the question whether the function has the value that the request expects. Without a layout and a formula,
// nothing is expected. Errors: those of MakeFormulaQuestion; a number that does not fit int64 (invalid argument).
Expected<FormulaQuestion> MakeCodeQuestion(const LoadedCode& code, const CodeRequest& request);

// Returns the largest number of bytes of the arrays that the question is about, or nothing without a layout.
std::optional<Int128> MaxBytesOf(const LoadedCode& code, const CodeRequest& request);

// Returns the limits of names by the types of the parameters, "N <= 255", that do not follow from the sizes of the
// array and its number of bytes (without a layout, from the largest signed result).
std::vector<std::string> LimitsOf(const LoadedCode& code, const CodeRequest& request, const FormulaQuestion& question);

}  // namespace layoutcheck
