// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks the laws of layouts on a subject, and shrinks failures to findings.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <vector>
#include "layoutcheck/properties/generate/exhaustive_scope.h"
#include "layoutcheck/properties/generate/layout_generator.h"
#include "layoutcheck/properties/generate/layout_pattern.h"
#include "layoutcheck/properties/generate/layout_statistics.h"
#include "layoutcheck/properties/model/finding.h"
#include "layoutcheck/properties/model/law.h"
#include "layoutcheck/properties/model/subject.h"
#include "layoutcheck/properties/run/causes.h"
#include "layoutcheck/properties/run/known_differences.h"
#include "layoutcheck/properties/run/subject_pool.h"

namespace layoutcheck {

struct CheckOptions {
  // Number of cases of a run that ends when the time is up.
  static constexpr uint64_t kEndless = UINT64_MAX;

  uint64_t seed = 1;
  uint64_t cases = 10000;
  std::vector<const Law*> laws;  // laws to check, in this order; empty for all
  LayoutScope scope;             // narrowed by the subject's limits, and by what it declines (ReachOf)
  // Patterns from which every case of a random run is drawn: those of `family`, or the user's if `family` is empty. If
  // there are none, cases are random layouts and layouts of all families.
  std::vector<LayoutPattern> patterns;
  std::string family;
  // The run checks the cases k with k mod shard_count == shard_index. All shards together are the whole run.
  uint64_t shard_index = 0;
  uint64_t shard_count = 1;
  // The run is a share, whose failures are grouped by cause only when all shares are merged (CauseRule::OfShare).
  bool for_merge = false;
  // After this time, no question begins, except for half a second those that confirm a finding. A process that works on
  // an answer has its usual time for it.
  std::optional<std::chrono::milliseconds> time;
  // Ends the run after the case of the first finding.
  bool stop_at_first = false;
  // Ends the run as if the time were up. Called by several threads.
  std::function<bool()> stop_requested;
  // Largest number of questions for shrinking one failure.
  int64_t shrink_evaluations = 20000;
  // Name of the subject in findings; if empty, the subject's own name.
  std::string subject_name;
  // Accepted differences, or null. The run counts the ones that it has seen.
  KnownDifferences* known = nullptr;
  // Called for each finding before the run goes on. May set `reproduce`.
  std::function<void(Finding&)> on_finding;
  // Called after each case with the number of cases so far. Ends the run by returning false.
  std::function<bool(uint64_t)> on_case;
};

// The number of times that each verdict was given for a law.
struct LawTally {
  int64_t agreed = 0;
  int64_t disagreed = 0;
  int64_t known = 0;      // disagreements that CheckOptions::known accepts
  int64_t explained = 0;  // disagreements that count with a finding of the law on which this one rests (law_order.h)
  int64_t outside_domain = 0;
  int64_t declined = 0;
  int64_t refused = 0;  // declined questions that the reference answers
  // The first of the known and of the refused cases, before shrinking.
  std::optional<Finding> first_known;
  std::optional<Finding> first_refused;
  uint64_t first_known_case = 0;    // number of the case of first_known in the whole run
  uint64_t first_refused_case = 0;  // number of the case of first_refused in the whole run
  bool given_up = false;            // the subject hung or died too often; later cases count as declined
  double seconds = 0;               // time of checking, without shrinking

  bool is_answered() const { return agreed + disagreed > 0; }
  // Adds the numbers for other cases of the law.
  void Add(const LawTally& other);
};

struct CheckSummary {
  uint64_t cases = 0;
  uint64_t huge_cases = 0;        // cases of which only some elements were checked
  int64_t index_evaluations = 0;  // checked elements, summed over the laws
  // The largest array about whose elements (linear-index, or any law of the run without it) the subject answered, with
  // padding; 0 for none.
  int64_t largest_elements = 0;
  int64_t largest_bytes = 0;
  bool complete = true;  // false if the run ended before all that was asked for was checked
  std::map<std::string, LawTally> laws;
  std::vector<std::string> warnings;  // laws that were given up
  std::vector<Finding> findings;      // one per cause
  LayoutStatistics statistics;
  std::map<std::string, uint64_t> families;  // number of layouts drawn from each family
  LayoutScope scope;

  // Numbers of the given layouts or arguments, and of CheckOptions::patterns, about which the subject answered a law.
  std::set<uint64_t> answered_cases;
  std::set<uint64_t> answered_patterns;

  std::vector<ShareFailures> failures;  // one per run; only with CheckOptions::for_merge

  // Returns the number of declined questions, summed over the laws.
  int64_t declined() const;
  bool AnythingChecked() const;
};

// The following functions check with all threads of a pool, or one subject with one thread. Findings, their order and
// all counts are the same for every number of threads, unless the time ends the run or a subject's answers depend on
// earlier questions.

// Checks the layouts that CaseSource draws: a third from families, or all from CheckOptions::patterns. About every
// fifth case is a layout of any size, of which only some elements are checked: all sizes that the subject answers.
CheckSummary CheckRandom(const AskedSubjects& subjects, const CheckOptions& options);

// Checks every layout of the scope within the subject's limits; ignores CheckOptions::cases and seed. Does not shrink,
// because the enumeration reaches the smallest failing layout first.
CheckSummary CheckExhaustive(const AskedSubjects& subjects, const ExhaustiveScope& scope, const CheckOptions& options);

// Checks these layouts. Each failing layout is a finding of its own, without shrinking.
CheckSummary CheckLayouts(const AskedSubjects& subjects, std::span<const Shape> shapes, const CheckOptions& options);

}  // namespace layoutcheck
