// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/properties/run/confirm.h"
#include <fmt/format.h>
#include <chrono>
#include <memory>
#include <thread>

namespace layoutcheck {
namespace {

// A fresh subject is asked this many times in all to tell an answer that varies from one that depends on history.
constexpr int kAnswers = 4;

// Returns true if the results differ. The words of a failed answer may differ, because they may name an address.
bool Differ(const LawResult& a, const LawResult& b) {
  if (a.verdict != b.verdict || a.why != b.why) return true;
  const bool is_answer = a.verdict == LawResult::Verdict::kDisagree && a.why.empty() && a.expected != kAnAnswer;
  return is_answer && (a.expected != b.expected || a.actual != b.actual);
}

// Asks the rest of kAnswers questions, or as many as there is time for. Returns true if an answer differs from `first`.
bool Varies(Subject& subject, const AskLaw& ask, const std::string& layout, const LawResult& first) {
  for (int k = 1; k < kAnswers; ++k) {
    const LawResult again = ask(subject, layout);
    if (subject.End() != RunEnd::kNone) return false;  // its questions may have been declined for that
    if (Differ(again, first)) return true;
  }
  return false;
}

}  // namespace

bool DiedWithTheRun(std::string_view how, const std::function<bool()>& stop_requested) {
  constexpr std::chrono::milliseconds kOwnSignalAtMost{200};
  const bool was_told_to_end = how.find("killed by signal 15 ") != std::string_view::npos ||
                               how.find("killed by signal 2 ") != std::string_view::npos;
  if (!was_told_to_end || !stop_requested) return false;
  if (!stop_requested()) std::this_thread::sleep_for(kOwnSignalAtMost);
  return stop_requested();
}

bool IsSameFailure(const LawResult& a, const LawResult& b) {
  return a.verdict == LawResult::Verdict::kDisagree && b.verdict == a.verdict && a.why == b.why;
}

ConfirmedFailure Confirm(SubjectPool& pool, const AskLaw& ask, const LawFailure& found, const LawFailure& smallest,
                         const RunEndNow& end) {
  const auto not_asked = [&] { return fmt::format("not asked again, because {}", InWords(end())); };
  if (!pool.has_fresh()) return {smallest};
  if (end() != RunEnd::kNone) return {smallest, true, not_asked()};
  const std::unique_ptr<Subject> fresh = pool.Fresh();
  if (fresh == nullptr) return {smallest, true, "not asked again, because the subject did not start again"};
  fresh->EndWith(end);
  fresh->SetOneAtATime(!found.result.why.empty());
  LawResult again;
  for (const LawFailure* failure : {&smallest, &found}) {
    again = ask(*fresh, failure->layout);
    if (!IsSameFailure(again, failure->result)) continue;
    // A process that dies or hangs does so at each question; asking again would cost as much each time.
    const bool varies =
        Differ(again, failure->result) || (again.why.empty() && Varies(*fresh, ask, failure->layout, again));
    // The values are those of the second answer: that of a process with the whole time limit and without history.
    ConfirmedFailure confirmed{*failure, true, varies ? "flaky" : ""};
    confirmed.failure.result = again;
    return confirmed;
  }
  if (end() != RunEnd::kNone) return {smallest, true, not_asked()};
  // A process that fails only after more questions does so because of them.
  if (found.result.why.empty() && Varies(*fresh, ask, found.layout, again)) return {found, false, "flaky"};
  return {found, false, fmt::format("not reproduced alone, after {} requests", found.requests)};
}

}  // namespace layoutcheck
