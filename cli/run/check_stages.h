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
#include "layoutcheck/cli/run/library_guard.h"
#include "layoutcheck/cli/run/run_report.h"
#include "layoutcheck/cli/run/subject_arguments.h"
#include "layoutcheck/core/hlo/shape.h"
#include "layoutcheck/properties/algebra/algebra_law.h"
#include "layoutcheck/properties/run/known_differences.h"
#include "layoutcheck/properties/run/runner.h"

namespace layoutcheck {

// The arguments of `check` as the user wrote them.
struct CheckCommandLine {
  std::vector<std::string> layouts;
  std::string layouts_file;
  std::string family;
  std::string subject = "reference";
  std::vector<std::string> laws;
  std::optional<uint64_t> cases;
  std::optional<size_t> exhaustive;
  uint64_t seed = 1;
  std::string shard;
  Work work;  // for the manifest of a share
  std::string time;
  std::string known;
  std::string out = "layoutcheck-out";
  bool out_given = false;
  SubjectArguments subject_arguments;
  size_t jobs = 1;
  bool stop_at_first = false;
  bool quiet = false;
  bool json = false;
};

// A LAYOUT that the user gave as an argument or in a file, with its numbers in the lists of CheckPlan.
struct NamedLayout {
  std::string text;
  std::optional<uint64_t> shape = {};
  std::optional<uint64_t> arguments = {};  // in algebra_arguments
  std::optional<uint64_t> pattern = {};    // in options.patterns
  bool is_answered = false;                // the subject has answered a law about it
};

// The work of one run, with every argument understood.
struct CheckPlan {
  SubjectOptions subject_options;
  SubjectOptions fresh_options;   // of subjects that confirm findings: a library has a process of its own
  GuardedRun* guarded = nullptr;  // of a library in this process
  size_t jobs = 1;
  CheckOptions options;  // its laws are those of tiled layouts; empty for all
  bool every_law = true;
  std::vector<std::string> named_laws;
  std::vector<NamedLayout> named_layouts;
  std::vector<const AlgebraLaw*> algebra_laws;
  std::optional<ExhaustiveScope> scope;  // enumerated instead of drawing layouts
  bool draws_layouts = true;             // false if the user named layouts, and none of them has names for sizes
  std::vector<Shape> shapes;
  std::vector<std::vector<std::string>> algebra_arguments;  // one list per LAYOUT for the laws of the algebra
  int64_t formulas_left_out = 0;                            // lines of --layouts with options of `prove`
  KnownDifferences known;

  bool checks_tiled_laws() const { return every_law || !options.laws.empty(); }
};

inline Shard ShardOf(const CheckOptions& options) { return {options.shard_index, options.shard_count}; }

// Returns the plan, or the message about an unusable argument.
std::expected<CheckPlan, std::string> PlanCheck(const CheckCommandLine& arguments);

// Runs the plan until its end or Ctrl-C. Saves and prints each finding at once.
CheckSummary RunCheck(CheckPlan& plan, SubjectPool& pool, RunReport& report);

// Returns a finding for each known difference of one layout under which the law now holds. An unmatched pattern is no
// finding, because another seed may match it.
std::vector<Finding> GoneDifferences(const CheckCommandLine& arguments, const KnownDifferences& known, Subject& subject,
                                     const RunReport& report);

// Writes what there is to say at the end of a run. Returns the exit code of the command.
ExitCode ReportCheck(const CheckCommandLine& arguments, const CheckPlan& plan, const CheckSummary& summary,
                     const std::vector<std::string>& subject_warnings, RunReport& report);

}  // namespace layoutcheck
