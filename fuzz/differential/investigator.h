// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Finds the smallest question that shows a fault again.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>
#include "layoutcheck/fuzz/differential/text_asker.h"

namespace layoutcheck {

// A fault of a text, and how it repeats.
struct FaultyText {
  std::string text;
  Disagreement disagreement;
  // Empty if a fresh process shows the fault when it is asked about the text alone; otherwise "flaky", "after N
  // requests" if it shows it after N - 1 other texts, or "not reproduced alone, after N requests".
  std::string repeats;
  std::string shrinking = {};  // as in Finding
};

class Investigator {
 public:
  // `end` returns why the run ends: then nothing is minimized further. Faults are confirmed until the end of the
  // asker's subject (Subject::EndWith).
  Investigator(TextAsker& asker, TextKind kind, int64_t max_evaluations, RunEndNow end)
      : asker_(asker), kind_(kind), max_evaluations_(max_evaluations), end_(std::move(end)) {}

  // Returns the smallest text found with the same fault and cause, as of the process's present state. It says so if the
  // run ended before.
  FaultyText Minimize(const FaultyText& fault);
  // Asks a fresh process about the text. Returns true, with the fault as it is now, if it shows the fault again.
  bool Repeats(FaultyText& fault);
  // Looks for a sequence of texts that shows a fault which the text alone does not show. `history` is what the process
  // got before, and `text` in it.
  FaultyText Reproduce(const FaultyText& fault, std::span<const std::shared_ptr<const Texts>> history);
  // Returns the fault of a process that failed at its end.
  FaultyText ReproduceEnd(const BadEnd& bad_end);
  // Returns true, and says so in the fault, if the run has ended so that the fault is not asked about again.
  bool IsTooLateFor(FaultyText& fault) const;

 private:
  bool Stopped() const { return end_() != RunEnd::kNone; }
  // Leaves out texts, first halves, then smaller parts, as long as holds(rest). Requires holds(texts).
  Texts Reduce(Texts texts, const std::function<bool(std::span<const std::string>)>& holds) const;

  TextAsker& asker_;
  TextKind kind_;
  int64_t max_evaluations_;
  RunEndNow end_;
};

}  // namespace layoutcheck
