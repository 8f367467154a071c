// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The verdict on a claim, and the problems that keep it from being accepted.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>
#include "layoutcheck/cli/base/command.h"
#include "layoutcheck/cli/claims/claims_file.h"
#include "layoutcheck/json/json.h"

namespace layoutcheck {

// A line of a command's output that keeps a claim from being accepted.
struct ClaimProblem {
  std::string rule;     // the law, or the rule of modules
  std::string message;  // one line
  // The place in an input file, as the command names the file; empty and 0 where there is none.
  std::string file;
  int64_t line = 0;
  int64_t column = 0;
  Json row;  // the line itself
};

struct ClaimResult {
  ExitCode code = ExitCode::kUndecided;
  double seconds = 0;
  bool is_unchanged = false;  // the verdict is that of an earlier run
  std::string note;           // restricts an accepted verdict: "solver only", "2 known"; may be empty
  std::vector<ClaimProblem> problems;
  size_t more_problems = 0;  // problems that are not in the list
};

// Returns the verdict in the words of the command: proved or refuted, accepted or rejected, undecided, unusable.
std::string_view ClaimVerdict(const Claim& claim, ExitCode code);

// Collects the lines that a command prints with --json. Lines that say nothing about the verdict are not kept.
class ClaimOutput {
 public:
  // Takes one line of standard output, without its newline.
  void TakeLine(std::string_view line);
  // Returns the result of a command that ended with this exit code, or -1 if a signal ended it. `errors` is its
  // standard error, whose last line is the reason of an end without any problem.
  ClaimResult Finish(int exit_code, std::string_view errors) &&;

 private:
  void AddProblem(ClaimProblem problem);

  ClaimResult result_;
  bool solver_only_ = false;
  int64_t known_ = 0;
  int64_t declined_ = 0;
};

// Returns the line of `run --json` about a claim.
Json ToJson(const Claim& claim, const ClaimResult& result);

}  // namespace layoutcheck
