// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Questions about a compiled function.
#pragma once

#include <map>
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

// The values that a name stands for.
struct NameRange {
  Int128 least = 0;
  Int128 largest = 0;
  // True if it is no size and no index, so that it ranges over its type.
  bool is_free = false;
  // True if the assumptions bound it from below by 0, such as i0 < N, so that its negative values need not be asked.
  bool is_not_negative = false;

  bool MayBeNegative() const { return least < 0 && !is_not_negative; }
  // Returns "int32", or "0 to 127" if no type has these values.
  std::string ToString() const;
  // Returns the conditions that bound the name: "B <= 127", "B >= -128".
  std::vector<std::string> Conditions(const std::string& name) const;
};

// Returns the ranges of the names in the arguments. Errors (invalid argument): a name in request.signed_names whose
// type is unsigned, or that is no free name.
Expected<std::map<std::string, NameRange>> NameRangesOf(const LoadedCode& code, const CodeRequest& request);

// Replaces the ranges of names that range over their types.
void SetRanges(const std::map<std::string, NameRange>& types, NameRanges& ranges);

// Returns the limits of sizes by the types of the parameters, "N <= 255", that do not follow from the sizes of the
// array and its number of bytes (without a layout, from the largest signed result).
std::vector<std::string> LimitsOf(const LoadedCode& code, const CodeRequest& request, const FormulaQuestion& question,
                                  const std::map<std::string, NameRange>& ranges);

}  // namespace layoutcheck
