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
struct Fault {
  std::string text;
  Disagreement disagreement;
  // Empty if a fresh process shows the fault when it is asked about the text alone; otherwise "flaky", "after N
  // requests" if it shows it after N - 1 other texts, or "not reproduced alone, after N requests".
  std::string repeats;
};

class Investigator {
 public:
  // `stopped` returns true when the run has ended: then nothing is minimized further.
  Investigator(TextAsker& asker, TextKind kind, int64_t max_evaluations, std::function<bool()> stopped)
      : asker_(asker), kind_(kind), max_evaluations_(max_evaluations), stopped_(std::move(stopped)) {}

  // Returns the smallest text found with the same fault and cause, as of the process's present state.
  Fault Minimize(const Fault& fault);
  // Asks a fresh process about the text. Returns true, with the fault as it is now, if it shows the fault again.
  bool Repeats(Fault& fault);
  // Looks for a sequence of texts that shows a fault which the text alone does not show. `history` is what the process
  // got before, and `text` in it.
  Fault Reproduce(const Fault& fault, std::span<const std::shared_ptr<const Texts>> history);
  // Returns the fault of a process that failed at its end.
  Fault ReproduceEnd(const BadEnd& bad_end);

 private:
  // Leaves out texts, first halves, then smaller parts, as long as holds(rest). Requires holds(texts).
  Texts Reduce(Texts texts, const std::function<bool(std::span<const std::string>)>& holds) const;

  TextAsker& asker_;
  TextKind kind_;
  int64_t max_evaluations_;
  std::function<bool()> stopped_;
};

}  // namespace layoutcheck
