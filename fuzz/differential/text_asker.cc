// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/fuzz/differential/text_asker.h"
#include <algorithm>
#include <chrono>
#include <utility>
#include "layoutcheck/core/base/str_cat.h"

namespace layoutcheck {
namespace {

// Number of texts that are remembered.
constexpr size_t kHistory = 4096;

// Returns true if the process ended or has to be ended, so that other answers may be lost with it.
bool LosesProcess(const Answer<ParseAnswer>& answer) {
  const auto* failed = std::get_if<Failed>(&answer);
  return failed != nullptr && failed->kind != Failed::Kind::kError;
}

}  // namespace

bool SameCause(const Disagreement& a, const Disagreement& b) { return a.fault == b.fault && a.cause == b.cause; }

AskedTexts TextAsker::Ask(const std::shared_ptr<const Texts>& texts) {
  const std::string_view kind = TextKindName(kind_);
  const std::span<const std::string> all = *texts;
  history_.push_back(texts);
  for (texts_in_history_ += texts->size(); texts_in_history_ > kHistory; history_.pop_front()) {
    texts_in_history_ -= history_.front()->size();
  }
  AskedTexts asked;
  asked.outcomes.resize(all.size());
  bool any_found = false;
  bool lost_process = false;

  size_t number = 0;
  std::optional<Disagreement> in_flight;  // a failure that no text asked alone has explained
  size_t blamed = 0;                      // number of the text that it seems to belong to
  while (max_in_flight() > 1 && all.size() > 1 && number < all.size() && !in_flight) {
    for (const Answer<ParseAnswer>& answer : subject().Parses(kind, all.subspan(number))) {
      TextOutcome& outcome = asked.outcomes[number];
      if (LosesProcess(answer)) {
        in_flight = JudgeAnswer(subject(), kind_, all[number], answer);
        blamed = number;
        break;
      }
      outcome.declined = std::holds_alternative<Declined>(answer);
      outcome.found = JudgeAnswer(subject(), kind_, all[number], answer);
      if (outcome.found) {
        // With others in flight, an answer may belong to another text.
        auto alone = Judge(all[number]);
        outcome.only_together = !alone.has_value();
        if (alone) outcome.found = std::move(alone);
        any_found = true;
      }
      ++number;
    }
  }
  for (; number < all.size(); ++number) {
    TextOutcome& outcome = asked.outcomes[number];
    // A hang that is to be seen again needs no more than a short wait.
    subject().SetMinimizing(in_flight && in_flight->fault == TextFault::kTimeout);
    const Answer<ParseAnswer> answer = subject().Parse(kind, all[number]);
    subject().SetMinimizing(false);
    if (subject_.coverage_counters) {
      const auto counters = subject_.coverage_counters();
      asked.has_counters |= !counters.empty();
      outcome.coverage = feedback_.TakeNews(counters);
    }
    outcome.declined = std::holds_alternative<Declined>(answer);
    outcome.found = JudgeAnswer(subject(), kind_, all[number], answer);
    lost_process |= LosesProcess(answer);
    if (!outcome.found) continue;
    any_found = true;
    if (in_flight && in_flight->fault == outcome.found->fault) in_flight.reset();
    ForgetCoverage();
  }
  // Texts that were declined because the run ended do not count.
  while (subject().End() != RunEnd::kNone && !asked.outcomes.empty() && asked.outcomes.back().declined) {
    asked.outcomes.pop_back();
  }
  if (blamed >= asked.outcomes.size()) in_flight.reset();
  if (in_flight) {
    lost_process = any_found = true;
    TextOutcome& outcome = asked.outcomes[blamed];
    if (!outcome.found) {
      outcome.found = std::move(in_flight);
      outcome.only_together = true;
    }
  }
  if (any_found) asked.history.assign(history_.begin(), history_.end());
  if (lost_process) ForgetHistory();
  asked.memory_growth = WatchMemory(all.size());
  return asked;
}

std::optional<Disagreement> TextAsker::Judge(std::string_view text) {
  auto found = JudgeText(subject(), kind_, text);
  ForgetCoverage();
  return found;
}

std::optional<size_t> TextAsker::FirstFailure(std::span<const std::string> texts, size_t in_flight,
                                              const Disagreement& found, const std::function<bool()>& stopped) {
  const bool of_process =
      found.fault == TextFault::kCrash || found.fault == TextFault::kTimeout || found.fault == TextFault::kProtocol;
  const auto is_same = [&](const Disagreement& other) {
    return of_process ? other.fault == found.fault : SameCause(other, found);
  };
  Restart();
  subject().SetMinimizing(true);
  std::optional<size_t> first;
  for (size_t begin = 0; begin < texts.size() && !first && !stopped(); begin += in_flight) {
    const auto part = texts.subspan(begin, std::min(in_flight, texts.size() - begin));
    size_t number = 0;
    for (const Answer<ParseAnswer>& answer : subject().Parses(TextKindName(kind_), part)) {
      const auto again = JudgeAnswer(subject(), kind_, part[number++], answer);
      if (again && is_same(*again)) first = begin + part.size();
    }
  }
  subject().SetMinimizing(false);
  return first;
}

void TextAsker::Restart() {
  subject().SetMinimizing(true);
  auto failed = subject().Finish();
  subject().SetMinimizing(false);
  // A slow end is judged at the end of the run, with enough time.
  if (failed && failed->kind == Failed::Kind::kCrash && !bad_end_) KeepBadEnd(*std::move(failed));
  ForgetHistory();
}

std::optional<BadEnd> TextAsker::Finish() {
  if (auto failed = subject().Finish(); failed && !bad_end_) KeepBadEnd(*std::move(failed));
  return std::move(bad_end_);
}

void TextAsker::KeepBadEnd(Failed failed) {
  bad_end_ = {std::move(failed), std::vector(history_.begin(), history_.end())};
}

void TextAsker::ForgetHistory() {
  history_.clear();
  texts_in_history_ = 0;
}

// Detects memory that the subject keeps after it has answered texts: its process has grown by half a GiB.
std::optional<Disagreement> TextAsker::WatchMemory(size_t texts) {
  constexpr uint64_t kCasesPerLook = 1024;
  constexpr uint64_t kCasesBeforeBaseline = 8 * kCasesPerLook;
  constexpr int64_t kGrowth = int64_t{512} << 20;  // in bytes; AddressSanitizer keeps 256 MiB of freed memory
  cases_ += texts;
  if (cases_ < next_look_) return std::nullopt;
  next_look_ = cases_ + kCasesPerLook;
  const std::optional<int64_t> now = subject().ResidentBytes();
  if (!now) return std::nullopt;
  if (cases_ <= kCasesBeforeBaseline || !memory_baseline_) {
    memory_baseline_ = now;
    return std::nullopt;
  }
  if (*now - *memory_baseline_ < kGrowth) return std::nullopt;
  return Disagreement{TextFault::kMemoryGrowth, "", StrCat("about ", *memory_baseline_, " bytes, as at the beginning"),
                      StrCat(*now, " bytes after ", cases_, " texts")};
}

void TextAsker::ForgetCoverage() {
  if (!subject_.coverage_counters) return;
  for (const std::span<uint8_t> counters : subject_.coverage_counters()) std::ranges::fill(counters, uint8_t{0});
}

}  // namespace layoutcheck
