// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Runs a subject against laws: draws layouts, checks, shrinks what fails, and counts.
#ifndef LAYOUTCHECK_PROPERTIES_RUN_RUNNER_H_
#define LAYOUTCHECK_PROPERTIES_RUN_RUNNER_H_

#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "layoutcheck/properties/generate/exhaustive_scope.h"
#include "layoutcheck/properties/generate/layout_generator.h"
#include "layoutcheck/properties/model/finding.h"
#include "layoutcheck/properties/model/law.h"
#include "layoutcheck/properties/model/subject.h"
#include "layoutcheck/properties/run/known_differences.h"

namespace layoutcheck {

struct CheckOptions {
  uint64_t seed = 1;
  uint64_t cases = 10000;
  std::vector<const Law*> laws;  // in this order; empty for all
  LayoutScope scope;             // narrowed by the subject's limits
  // This run takes cases k with k mod shard_count == shard_index; the union over the shards is the whole run.
  uint64_t shard_index = 0;
  uint64_t shard_count = 1;
  // No further case is begun after this; the cases that were checked are in the summary.
  std::optional<std::chrono::milliseconds> time;
  // Requests that shrinking one finding may cost.
  int64_t shrink_evaluations = 20000;
  // How findings name the subject; its own name where empty.
  std::string subject_name;
  // Differences that are accepted; may be null. The run notes which of them it has seen.
  KnownDifferences* known = nullptr;
  // Called for each finding with a new cause that is not known, before the run goes on; may fill in `reproduce`.
  std::function<void(Finding&)> on_finding;
  // Called after each case with their number; the run ends where it returns false.
  std::function<bool(uint64_t)> on_case;
};

struct LawTally {
  int64_t agreed = 0;
  int64_t disagreed = 0;
  int64_t known = 0;  // of those, the ones that options.known accepts
  int64_t outside_domain = 0;
  int64_t declined = 0;
  double seconds = 0;
};

struct CheckSummary {
  uint64_t cases = 0;
  uint64_t huge_cases = 0;        // of those, the ones looked at in single places
  int64_t index_evaluations = 0;  // elements looked at, counted once for each law
  bool complete = true;           // false where options.time ended the run before its cases did
  std::map<std::string, LawTally> laws;
  std::vector<Finding> findings;  // one a cause
  LayoutStatistics statistics;
  LayoutScope scope;

  int64_t declined() const;
  // Whether any law was checked at all.
  bool AnythingChecked() const;
};

// Checks random layouts. Every eighth case is a huge layout, looked at in single places.
CheckSummary CheckRandom(Subject& subject, const CheckOptions& options);

// Checks every layout of the scope that is within the subject's limits (options.cases and options.seed do not apply).
// The first layout that fails is the smallest in the order of the enumeration, so nothing is shrunk.
CheckSummary CheckExhaustive(Subject& subject, const ExhaustiveScope& scope, const CheckOptions& options);

// Checks these layouts only; they are not shrunk.
CheckSummary CheckLayouts(Subject& subject, std::span<const Shape> shapes, const CheckOptions& options);

}  // namespace layoutcheck

#endif  // LAYOUTCHECK_PROPERTIES_RUN_RUNNER_H_
