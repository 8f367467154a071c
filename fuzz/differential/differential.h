// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Differential fuzzing: random and mutated texts are given to a subject's parser and to the reference. Each difference
// is minimized, and each cause is reported once.
#ifndef LAYOUTCHECK_FUZZ_DIFFERENTIAL_DIFFERENTIAL_H_
#define LAYOUTCHECK_FUZZ_DIFFERENTIAL_DIFFERENTIAL_H_

#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "layoutcheck/fuzz/text/text_kind.h"
#include "layoutcheck/properties/model/finding.h"
#include "layoutcheck/properties/model/subject.h"

namespace layoutcheck {

struct FuzzProgress {
  uint64_t cases = 0;
  size_t findings = 0;
  size_t counters = 0;  // coverage counters that the texts reached
  std::chrono::duration<double> elapsed{};
};

struct FuzzOptions {
  TextKind kind = TextKind::kShape;
  uint64_t seed = 1;
  // The run ends when either limit is reached; without limits, when it is asked to stop.
  std::optional<std::chrono::milliseconds> time;
  std::optional<uint64_t> cases;
  bool stop_at_first = false;
  // Texts to start from, besides a few built-in ones.
  std::vector<std::string> corpus;
  // Most calls of the subject for minimizing one finding.
  int64_t minimize_evaluations = 4000;
  // Asked before each case.
  std::function<bool()> stop_requested;
  // Returns the counters of the subject's code coverage; none if it was not built with them. The subject counts as it
  // runs, and the fuzzer sets the counters to 0. Called after each text; texts are then asked one at a time.
  std::function<std::vector<std::span<uint8_t>>()> coverage_counters;
  // Called with each text, also while a finding is minimized: before the subject is asked about it or, with several
  // texts in flight, before its answer is judged.
  std::function<void(std::string_view)> on_text;
  // Returns true if the difference is accepted and not to be reported. Asked before it is minimized and again
  // afterwards.
  std::function<bool(const Finding&)> is_known;
  // Called for each new cause before the run goes on; may add to the finding.
  std::function<void(Finding&)> on_finding;
  // Called about once a second.
  std::function<void(const FuzzProgress&)> on_progress;
  // Called with each text that is kept to be mutated further.
  std::function<void(const std::string&)> on_new_text;
};

struct FuzzSummary {
  uint64_t cases = 0;
  uint64_t declined = 0;
  // Number of coverage counters that the texts reached; nothing if the subject has none.
  std::optional<size_t> counters;
  std::chrono::duration<double> elapsed{};
  std::vector<Finding> findings;  // one per cause, with the number of texts that triggered it

  bool AnythingChecked() const { return cases > declined; }
};

// Fuzzes the subject's parser. The texts, and so the findings, depend on the options alone, not on how many texts are
// in flight; only the end of a run with a time limit depends on the machine. A text whose kinds of tokens are new is
// kept and mutated further. If the subject counts its coverage, so is a text that reaches new code, and half of the
// mutants come from such texts.
FuzzSummary FuzzSubject(Subject& subject, const FuzzOptions& options);

}  // namespace layoutcheck

#endif  // LAYOUTCHECK_FUZZ_DIFFERENTIAL_DIFFERENTIAL_H_
