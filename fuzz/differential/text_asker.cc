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
  const std::span<const std::string> all = *texts;
  history_.push_back(texts);
  for (texts_in_history_ += texts->size(); texts_in_history_ > kHistory; history_.pop_front()) {
    texts_in_history_ -= history_.front()->size();
  }
  AskedTexts asked;
  asked.outcomes.resize(all.size());
  std::optional<InFlightFailure> failure;
  const size_t answered = max_in_flight() > 1 && all.size() > 1 ? AskTogether(all, asked, failure) : 0;
  bool lost_process = AskOneByOne(all, answered, asked, failure);
  // Texts that were declined because the run ended do not count.
  while (subject().End() != RunEnd::kNone && !asked.outcomes.empty() && asked.outcomes.back().declined) {
    asked.outcomes.pop_back();
  }
  if (failure && failure->blamed < asked.outcomes.size()) {
    lost_process = true;
    TextOutcome& outcome = asked.outcomes[failure->blamed];
    if (!outcome.found) {
      outcome.found = std::move(failure->found);
      outcome.only_together = true;
    }
  }
  const bool any_found =
      std::ranges::any_of(asked.outcomes, [](const TextOutcome& outcome) { return outcome.found.has_value(); });
  if (any_found) asked.history.assign(history_.begin(), history_.end());
  if (lost_process) ForgetHistory();
  asked.memory_growth = WatchMemory(all.size());
  return asked;
}

size_t TextAsker::AskTogether(std::span<const std::string> texts, AskedTexts& asked,
                              std::optional<InFlightFailure>& failure) {
  size_t number = 0;
  while (number < texts.size()) {
    for (const Answer<ParseAnswer>& answer : subject().Parses(TextKindName(kind_), texts.subspan(number))) {
      TextOutcome& outcome = asked.outcomes[number];
      if (LosesProcess(answer)) {
        if (auto found = JudgeAnswer(subject(), kind_, texts[number], answer)) failure = {*std::move(found), number};
        return number;
      }
      outcome.declined = std::holds_alternative<Declined>(answer);
      outcome.found = JudgeAnswer(subject(), kind_, texts[number], answer);
      if (outcome.found) {
        // With others in flight, an answer may belong to another text.
        auto alone = Judge(texts[number]);
        outcome.only_together = !alone.has_value();
        if (alone) outcome.found = std::move(alone);
      }
      ++number;
    }
  }
  return number;
}

bool TextAsker::AskOneByOne(std::span<const std::string> texts, size_t first, AskedTexts& asked,
                            std::optional<InFlightFailure>& failure) {
  bool lost_process = false;
  for (size_t number = first; number < texts.size(); ++number) {
    TextOutcome& outcome = asked.outcomes[number];
    // A hang that is to be seen again needs no more than a short wait.
    subject().SetMinimizing(failure && failure->found.fault == TextFault::kTimeout);
    const Answer<ParseAnswer> answer = subject().Parse(TextKindName(kind_), texts[number]);
    subject().SetMinimizing(false);
    if (subject_.coverage_counters) {
      const auto counters = subject_.coverage_counters();
      asked.has_counters |= !counters.empty();
      outcome.coverage = feedback_.TakeNews(counters);
    }
    outcome.declined = std::holds_alternative<Declined>(answer);
    outcome.found = JudgeAnswer(subject(), kind_, texts[number], answer);
    lost_process |= LosesProcess(answer);
    if (!outcome.found) continue;
    if (failure && failure->found.fault == outcome.found->fault) failure.reset();
    ForgetCoverage();
  }
  return lost_process;
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
