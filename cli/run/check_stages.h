// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The stages of `check`: plan the arguments, run the plan, and report the result.
#pragma once

#include <cstddef>
#include <cstdint>
#include <expected>
#include <optional>
#include <string>
#include <vector>
#include "layoutcheck/cli/base/command.h"
#include "layoutcheck/cli/run/guarded_child.h"
#include "layoutcheck/cli/run/run_report.h"
#include "layoutcheck/properties/algebra/check_work.h"
#include "layoutcheck/properties/run/known_differences.h"
#include "layoutcheck/properties/run/runner.h"

namespace layoutcheck {

// The arguments of `check` as the user wrote them.
struct CheckCommandLine : RunArguments {
  std::vector<std::string> layouts;
  std::string layouts_file;
  std::string family;
  std::vector<std::string> laws;
  std::optional<size_t> exhaustive;
  std::string junit;
  std::string sarif;
};

// The work of one run, with every argument understood.
struct CheckPlan : CheckWork {
  SubjectOptions subject_options;
  SubjectOptions fresh_options;   // options of subjects that confirm findings: a library has a process of its own
  GuardedRun* guarded = nullptr;  // guard of a library in this process, or null
  size_t jobs = 1;
  int64_t formulas_left_out = 0;  // lines of --layouts with options of `prove`
  KnownDifferences known;
};

inline Shard ShardOf(const CheckOptions& options) { return {options.shard_index, options.shard_count}; }

// Returns the plan, or why an argument is unusable.
std::expected<CheckPlan, UnusableArgument> PlanCheck(const CheckCommandLine& arguments);

// Runs the plan until its end or Ctrl-C. Saves and prints each finding at once.
CheckSummary RunCheck(CheckPlan& plan, SubjectPool& pool, RunReport& report);

// Returns a finding for each known difference of one layout under which the law now holds. An unmatched pattern is no
// finding, because another seed may match it.
std::vector<Finding> GoneDifferences(const CheckCommandLine& arguments, const KnownDifferences& known, Subject& subject,
                                     const RunReport& report);

// Prints the warnings and totals at the end of a run. Returns the exit code of the command.
ExitCode ReportCheck(const CheckCommandLine& arguments, const CheckPlan& plan, const CheckSummary& summary,
                     const std::vector<std::string>& subject_warnings, RunReport& report);

}  // namespace layoutcheck
