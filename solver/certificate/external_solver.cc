// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/solver/certificate/external_solver.h"
#include <chrono>
#include <sstream>
#include <vector>
#include "layoutcheck/core/base/str_cat.h"
#include "layoutcheck/core/process/child_process.h"

namespace layoutcheck {
namespace {

// Bounds the time and memory that a program takes which is not a solver.
constexpr RunLimits kLimits{.silence = std::chrono::seconds(60), .output = size_t{1} << 24};

std::vector<SolverAnswer> AnswersIn(const std::string& output, size_t count) {
  std::vector<SolverAnswer> answers;
  std::istringstream lines(output);
  for (std::string line; std::getline(lines, line) && answers.size() < count;) {
    for (const SolverAnswer answer : {SolverAnswer::kUnsat, SolverAnswer::kSat, SolverAnswer::kUnknown}) {
      if (line == SolverAnswerName(answer)) answers.push_back(answer);
    }
  }
  answers.resize(count, SolverAnswer::kUnknown);
  return answers;
}

}  // namespace

Expected<std::vector<SolverAnswer>> RunExternalSolver(const std::string& command, std::span<const SmtQuery> queries) {
  std::istringstream words(command);
  std::vector<std::string> arguments;
  for (std::string word; words >> word;) arguments.push_back(word);
  if (arguments.empty()) return MakeError(ErrorKind::kUnavailable, "expected the name of a solver");
  std::string input;
  for (const SmtQuery& query : queries) StrAppend(input, input.empty() ? "" : "(reset)\n", query.text);
  const auto result = RunProgram(arguments, input, ErrorStream::kDiscard, kLimits);
  if (!result) {
    return MakeError(ErrorKind::kUnavailable,
                     StrCat("the solver '", arguments[0], "' cannot be started: ", result.error().message));
  }
  return AnswersIn(result->out, queries.size());
}

}  // namespace layoutcheck
