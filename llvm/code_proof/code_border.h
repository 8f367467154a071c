// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The border between the shapes for which compiled code is right and those for which it overflows.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>
#include "layoutcheck/llvm/code_proof/code_question.h"

namespace layoutcheck {

struct CodeBorder {
  std::string condition;  // a formula over the sizes, such as "M * N <= 2147483648"
  bool is_exact = false;  // the code is proved to be wrong at the last index of every shape that breaks it
};

// The answer to a question about the code wherever a condition holds, too.
struct AnswerWhile {
  bool is_right = false;                                             // it is proved that the code is right there
  std::vector<std::pair<std::string, int64_t>> counterexample = {};  // a point where it is wrong, if one was found
};
using RightWhile = std::function<AnswerWhile(const std::string& condition)>;

// A refuted question about code, and what else is asked of the code to find its border.
struct BorderQuestion {
  const FormulaQuestion& question;
  std::optional<Int128> max_bytes;  // as for a FormulaGoal
  std::vector<std::string> sizes;   // names that a condition may have
  RightWhile is_right_while;
  // Returns questions about the code wherever the condition does not hold, at the last index. The border is exact if in
  // one of them the code is wrong at every point.
  std::function<std::vector<FormulaQuestion>(const std::string& condition)> at_last;
};

// Returns a condition on the sizes under which the code is proved to be right and which is false at the counterexample,
// or nothing if none is found, or if the counterexample is small: its code is not wrong for large arrays only. The
// candidates are the limits of the operations that do not fit their type on some path. In them, the last index of each
// dimension stands in place of the index, and the largest value in place of what the path says is less than a bound.
// Where all of them are not enough, the code is wrong at another point, and the limits that it breaks are added.
std::optional<CodeBorder> FindBorder(const BorderQuestion& asked,
                                     const std::vector<std::pair<std::string, int64_t>>& counterexample,
                                     const ProveOptions& options);

// Returns the border of a compiled function.
std::optional<CodeBorder> FindBorder(const LoadedCode& code, const CodeRequest& request,
                                     const FormulaQuestion& question,
                                     const std::vector<std::pair<std::string, int64_t>>& counterexample,
                                     const ProveOptions& options);

}  // namespace layoutcheck
