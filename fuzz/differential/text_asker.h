// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Asks one subject about texts and judges its answers. Several askers may work at the same time in different threads.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>
#include "layoutcheck/fuzz/differential/coverage_feedback.h"
#include "layoutcheck/fuzz/differential/judge.h"
#include "layoutcheck/fuzz/text/text_kind.h"
#include "layoutcheck/properties/model/subject.h"

namespace layoutcheck {

// A subject with its own coverage counters.
struct FuzzedSubject {
  Subject* subject = nullptr;
  // Returns the counters, or none if the subject was not built with them. The subject increments them and the fuzzer
  // sets them to 0. Called after each text; with counters, texts are asked one at a time.
  std::function<std::vector<std::span<uint8_t>>()> coverage_counters;
};

using Texts = std::vector<std::string>;

// The outcome of one text.
struct TextOutcome {
  bool declined = false;
  std::optional<Disagreement> found;
  // True if the text was asked with others in flight and the disagreement did not show when it was asked alone.
  bool only_together = false;
  std::vector<CoverageNews> coverage;
};

// The outcomes of a batch of texts.
struct AskedTexts {
  std::vector<TextOutcome> outcomes;  // one per text, or fewer if the run has ended
  bool has_counters = false;
  // The batches that the process got since its start, this one last; empty if nothing was found.
  std::vector<std::shared_ptr<const Texts>> history;
  std::optional<Disagreement> memory_growth;
};

// The failure of a process at its end, after its input was closed.
struct BadEnd {
  Failed failed;
  std::vector<std::shared_ptr<const Texts>> history;  // the batches that the process got
};

class TextAsker {
 public:
  TextAsker(FuzzedSubject subject, TextKind kind) : subject_(std::move(subject)), kind_(kind) {}

  Subject& subject() const { return *subject_.subject; }
  // Returns the largest number of texts that a batch should have.
  size_t max_in_flight() const { return subject_.coverage_counters ? 1 : subject().info().max_texts_in_flight; }

  // Asks about all texts. Those after a failed one are asked one at a time, because the text to blame may be a later
  // one whose answer was lost with the process.
  AskedTexts Ask(const std::shared_ptr<const Texts>& texts);

  // Asks about one text.
  std::optional<Disagreement> Judge(std::string_view text);

  // Asks a fresh process about texts, up to `in_flight` at a time. Returns the number of texts up to the end of the
  // first part in flight that shows the same fault as `found`, or nothing. `stopped` ends the search.
  std::optional<size_t> FirstFailure(std::span<const std::string> texts, size_t in_flight, const Disagreement& found,
                                     const std::function<bool()>& stopped);

  // Ends the process; the next text goes to a fresh one. A library in this process stays.
  void Restart();
  // Ends the process at the end of a run. Returns how it, or an earlier process of this subject, failed at its end.
  std::optional<BadEnd> Finish();

 private:
  // The failure of a process with several texts in flight, which no text asked alone has explained.
  struct InFlightFailure {
    Disagreement found;
    size_t blamed = 0;  // number of the text that it seems to belong to
  };

  // Asks with several texts in flight, up to a failure. Returns the number of texts that have their outcome.
  size_t AskTogether(std::span<const std::string> texts, AskedTexts& asked, std::optional<InFlightFailure>& failure);
  // Asks about the texts from `first` on. Forgets the failure if a text shows it alone. Returns true if the process was
  // lost.
  bool AskOneByOne(std::span<const std::string> texts, size_t first, AskedTexts& asked,
                   std::optional<InFlightFailure>& failure);
  std::optional<Disagreement> WatchMemory(size_t texts);
  void KeepBadEnd(Failed failed);
  void ForgetHistory();
  void ForgetCoverage();

  FuzzedSubject subject_;
  TextKind kind_;
  CoverageFeedback feedback_;
  std::deque<std::shared_ptr<const Texts>> history_;
  size_t texts_in_history_ = 0;
  std::optional<BadEnd> bad_end_;
  uint64_t cases_ = 0;
  uint64_t next_look_ = 0;                  // cases at which memory is measured again
  std::optional<int64_t> memory_baseline_;  // in bytes
};

// Returns true if both are one fault with one cause.
bool SameCause(const Disagreement& a, const Disagreement& b);

}  // namespace layoutcheck
