// Differential fuzzing: random and mutated texts to somebody's parser and to the reference, each difference sorted,
// minimized, and reported once.
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
  size_t counters = 0;  // as FuzzSummary::counters
  std::chrono::duration<double> elapsed{};
};

struct FuzzOptions {
  TextKind kind = TextKind::kShape;
  uint64_t seed = 1;
  // The run ends when either is used up; without both, when it is asked to stop.
  std::optional<std::chrono::milliseconds> time;
  std::optional<uint64_t> cases;
  bool stop_at_first = false;
  // Texts to start from, besides a few of its own.
  std::vector<std::string> corpus;
  // Calls of the subject that minimizing one finding may cost.
  int64_t minimize_evaluations = 4000;
  // Asked before each case.
  std::function<bool()> stop_requested;
  // Counters of the subject's own code coverage, which it adds to as it runs and the run sets to 0; none where it was
  // not built with them. Asked after each text, of which there is then one at a time.
  std::function<std::vector<std::span<uint8_t>>()> coverage_counters;
  // Called with each text before the subject is asked about it (or, with others in flight, before its answer is
  // judged), also while a finding is minimized.
  std::function<void(std::string_view)> on_text;
  // Whether the difference is accepted: it is then not reported. Asked before it is minimized, and again after.
  std::function<bool(const Finding&)> is_known;
  // Called for each new cause, before the run goes on; may complete the finding.
  std::function<void(Finding&)> on_finding;
  // Called about once a second.
  std::function<void(const FuzzProgress&)> on_progress;
  // Called for each text that is kept to be mutated further.
  std::function<void(const std::string&)> on_new_text;
};

struct FuzzSummary {
  uint64_t cases = 0;
  uint64_t declined = 0;
  // Counters of the subject's coverage that the texts reached; nothing where it has none.
  std::optional<size_t> counters;
  std::chrono::duration<double> elapsed{};
  std::vector<Finding> findings;  // one a cause, with the number of texts that showed it

  bool AnythingChecked() const { return cases > declined; }
};

// The texts, and so the findings, depend on the options alone (not on how many texts are in flight), but where the run
// is cut depends on the time. A text that no other one was like (by the kinds of its tokens) is kept and mutated
// further; where the subject counts its own coverage, so is one that reaches what none before reached, and every second
// text comes from those.
FuzzSummary FuzzSubject(Subject& subject, const FuzzOptions& options);

}  // namespace layoutcheck

#endif  // LAYOUTCHECK_FUZZ_DIFFERENTIAL_DIFFERENTIAL_H_
