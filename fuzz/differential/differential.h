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
  // The run ends at the first limit that it reaches or when stop_requested() returns true.
  std::optional<std::chrono::milliseconds> time;
  std::optional<uint64_t> cases;
  bool stop_at_first = false;
  // Texts to start from in addition to a few built-in ones.
  std::vector<std::string> corpus;
  // Maximum number of calls of the subject to minimize one finding.
  int64_t minimize_evaluations = 4000;
  // Called before each case.
  std::function<bool()> stop_requested;
  // Returns the subject's coverage counters, or none if it was not built with them. The subject increments them and the
  // fuzzer sets them to 0. Called after each text; with counters, texts are asked one at a time.
  std::function<std::vector<std::span<uint8_t>>()> coverage_counters;
  // Called with each text, also during minimization: before the subject gets it or, with several texts in flight,
  // before its answer is judged.
  std::function<void(std::string_view)> on_text;
  // Returns true if the difference is accepted and not to be reported. Called before and after minimization.
  std::function<bool(const Finding&)> is_known;
  // Called for each new cause before the run continues; may add to the finding.
  std::function<void(Finding&)> on_finding;
  // Called about once a second.
  std::function<void(const FuzzProgress&)> on_progress;
  // Called with each text that is kept for further mutation.
  std::function<void(const std::string&)> on_new_text;
};

struct FuzzSummary {
  uint64_t cases = 0;
  uint64_t declined = 0;
  // Number of coverage counters reached; nothing if the subject has none.
  std::optional<size_t> counters;
  std::chrono::duration<double> elapsed{};
  std::vector<Finding> findings;  // one per cause, with the number of texts that triggered it

  bool AnythingChecked() const { return cases > declined; }
};

// Fuzzes the subject's parser. The texts, and so the findings, depend only on the options, not on how many texts are in
// flight; only the end of a timed run depends on the machine. A text with a new set of token kinds is kept and mutated
// further. So is a text that reaches new code of a subject with coverage; half of the mutants then come from such
// texts.
FuzzSummary FuzzSubject(Subject& subject, const FuzzOptions& options);

}  // namespace layoutcheck
