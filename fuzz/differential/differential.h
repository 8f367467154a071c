// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Differential fuzzing: gives random and mutated texts to a subject's parser and to the reference, minimizes each
// difference, and reports each cause once.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>
#include "layoutcheck/fuzz/differential/text_asker.h"
#include "layoutcheck/fuzz/text/text_kind.h"
#include "layoutcheck/properties/model/finding.h"
#include "layoutcheck/properties/model/subject.h"

namespace layoutcheck {

struct FuzzProgress {
  uint64_t cases = 0;
  uint64_t declined = 0;
  size_t findings = 0;
  size_t counters = 0;  // coverage counters that the texts reached
  std::chrono::duration<double> elapsed{};
};

struct FuzzOptions {
  TextKind kind = TextKind::kShape;
  uint64_t seed = 1;
  // The run ends at the first limit that it reaches or when stop_requested() returns true.
  std::optional<std::chrono::milliseconds> time;
  std::optional<uint64_t> cases;
  bool stop_at_first = false;
  // Texts to start from in addition to a few built-in ones.
  std::vector<std::string> corpus;
  // Maximum number of calls of the subject to minimize one finding.
  int64_t minimize_evaluations = 4000;
  // Called before each case and during minimization.
  std::function<bool()> stop_requested;
  // Returns true if the difference is accepted and not to be reported. Called before and after minimization.
  std::function<bool(const Finding&)> is_known;
  // Called for each new cause before the run continues; may add to the finding.
  std::function<void(Finding&)> on_finding;
  // Called after each batch of texts, and about five times per second while a subject works on one.
  std::function<void(const FuzzProgress&)> on_progress;
  // Called with each text that is kept for further mutation.
  std::function<void(const std::string&)> on_new_text;
};

struct FuzzSummary {
  uint64_t cases = 0;
  uint64_t declined = 0;
  // False if a run with a number of cases ended before, or if a run was asked to stop, also at the first finding.
  bool complete = true;
  // Number of coverage counters reached; nothing if the subject has none.
  std::optional<size_t> counters;
  std::chrono::duration<double> elapsed{};
  std::vector<Finding> findings;  // one per cause, with the number of texts that triggered it
  // One per finding: a text that is the same for the same cause in every run; empty if the finding is about no text.
  std::vector<std::string> causes;

  bool AnythingChecked() const { return cases > declined; }
};

// Fuzzes the parser of the subjects, which are several instances of one implementation: the first one minimizes
// findings while the others, each in a thread of its own, answer texts. A single subject does both, in this thread. The
// findings and their order depend only on the options, not on the number of subjects or on how many texts are in
// flight; only the end of a timed run depends on the machine.
//
// A text of a batch that was asked for is always judged, also after the end of the time. A fault that its text alone
// does not show again is reported with the requests that show it, or as not reproduced. At the end, the subjects are
// ended, and one that fails at that is a finding.
FuzzSummary FuzzSubjects(std::span<const FuzzedSubject> subjects, const FuzzOptions& options);

FuzzSummary FuzzSubject(Subject& subject, const FuzzOptions& options);

}  // namespace layoutcheck
