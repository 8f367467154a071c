// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The part of a run that layout and algebra laws share: cases on several threads, tallies, and the making of findings
// from broken laws.
#pragma once

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>
#include "layoutcheck/core/process/ordered_work.h"
#include "layoutcheck/properties/model/law.h"
#include "layoutcheck/properties/run/causes.h"
#include "layoutcheck/properties/run/confirm.h"
#include "layoutcheck/properties/run/early_results.h"
#include "layoutcheck/properties/run/runner.h"
#include "layoutcheck/properties/run/subject_pool.h"

namespace layoutcheck {

// The base of a run. Derived classes draw the cases, ask about them and shrink them.
//
// Threads ask the laws' questions about cases, each thread another subject. The thread of the caller takes the answers
// in the order of the cases; it alone counts, shrinks, compares and reports. So the result does not depend on the
// number of threads.
class LawRun {
 public:
  virtual ~LawRun();
  LawRun(const LawRun&) = delete;
  LawRun& operator=(const LawRun&) = delete;
  CheckSummary Finish();

 protected:
  using Clock = std::chrono::steady_clock;

  // A law's answer about a case.
  struct LawAnswer {
    LawResult result;
    std::string layout;  // text of the case, if the law disagrees
    std::chrono::duration<double> time{};
    int64_t requests = 0;  // if the law disagrees: number of requests that the subject's process had got
    // The failure of a base law that explains the disagreement (law_order.h), if there is one. It may be about another
    // layout, for which this law asked.
    std::optional<BaseFailure> base;
  };
  // One answer per law; fewer if the run ended.
  using LawAnswers = std::vector<LawAnswer>;

  // Returns true if a simpler case fails in the same way and is no known difference.
  using StillFails = std::function<bool(const LawFailure&)>;
  // Returns the simplest failure found.
  using Shrink = std::function<LawFailure(Subject&, const LawFailure&, const StillFails&)>;
  // The question of one law about one case.
  struct Question {
    AskLaw ask;
    Shrink shrink;  // null if the case stays as it is
  };

  // `laws` are the names of the laws, numbered in this order. The other arguments must outlive the run.
  LawRun(SubjectPool& pool, const CheckOptions& options, const CauseRule& rule, std::vector<std::string_view> laws);

  // Returns a function that returns the numbers below `count` of the cases of this share, one after another.
  auto NumbersBelow(uint64_t count) const {
    return [count, step = options_.shard_count, number = options_.shard_index]() mutable {
      return number < count ? std::optional(std::exchange(number, number + step)) : std::nullopt;
    };
  }

  // Works on the items that next() returns until there are none or the run is over: calls ask(thread, item) in several
  // threads, and conclude(answers) with its results in order.
  template <class Next, class Ask, class Conclude>
  void Work(Next next, Ask ask, Conclude conclude) {
    WorkInOrder(
        {.jobs = pool_.jobs()},
        [&] {
          auto item = next();
          if (item && LeaveOut()) item.reset();
          return item;
        },
        ask,
        [&](auto answers) {
          conclude(std::move(answers));
          return EndCase();
        });
  }

  // Has the subject check the laws that are not given up, if it does that. `question` returns the one about a law.
  EarlyResults CheckEarly(Subject& subject, const std::function<LawQuestion(size_t law)>& question) const;
  // Calls ask(law) for each number of a law that the early results do not decide, until the run is over. `subject` is
  // the one that is asked.
  LawAnswers AskLaws(const Subject& subject, const EarlyResults& early,
                     const std::function<LawAnswer(size_t law)>& ask);
  // Counts the answers about a case and makes findings of the disagreements. `case_number` is that in the whole run.
  void Conclude(uint64_t case_number, LawAnswers answers, const std::function<Question(size_t law)>& question);

  // Returns true if a law agrees or disagrees.
  static bool IsAnswered(const LawAnswers& answers);
  // Notes that a law was answered about a given case, or about a case that was drawn from one of options_.patterns.
  void RecordAnsweredCase(uint64_t case_number) { summary_.answered_cases.insert(case_number); }
  void RecordAnsweredPattern(const LayoutPattern* pattern) {
    summary_.answered_patterns.insert(static_cast<uint64_t>(pattern - options_.patterns.data()));
  }

  // Returns why the run ends: the caller wants to stop, or the time is up.
  RunEnd End() const;
  bool IsOver() const { return End() != RunEnd::kNone; }

  SubjectPool& pool_;
  const CheckOptions& options_;
  CheckSummary summary_;
  bool ends_only_by_time_ = false;  // the number of cases is unlimited: when the time is up, nothing was left out

 private:
  // A law is given up after this many cases in which the subject hung, or this many cases in a row in which it died.
  static constexpr int kHangsAtMost = 4;
  static constexpr int kDeathsInARowAtMost = 100;
  struct Trouble {
    int hangs = 0;
    int deaths_in_a_row = 0;
    bool is_over() const { return hangs >= kHangsAtMost || deaths_in_a_row >= kDeathsInARowAtMost; }
  };

  // Returns IsOver(). If so, remembers that work was left out.
  bool LeaveOut();
  // Counts a checked case. Returns true if the run goes on.
  bool EndCase();
  // Makes a finding of a broken law, or counts the failure with the finding or known difference of the same cause.
  void Report(uint64_t case_number, size_t law, LawFailure failure, const Question& question);
  LawFailure Shrunk(const std::string& name, const LawFailure& failure, const Question& question);
  ConfirmedFailure Confirmed(const LawFailure& found, const LawFailure& smallest, const Question& question);
  void CountTrouble(size_t law, const LawResult& result);
  static Difference DifferenceOf(std::string_view name, const LawFailure& failure);
  bool IsKnown(std::string_view name, const LawFailure& failure, bool count) const;
  // Returns the accepted difference whose layout the shrunk failure has, or null.
  const KnownDifference* KnownLayout(std::string_view name, const LawFailure& smallest) const;
  Finding FindingOf(size_t law, const ConfirmedFailure& confirmed) const;
  // Returns the name under which a failure of a law is reported. A failure of the subject itself has one for all laws.
  std::string NameOf(size_t law, const LawResult& result) const {
    return result.why.empty() ? std::string(laws_[law]) : result.why;
  }

  std::string subject_name_;
  CauseRule rule_;
  std::vector<std::string_view> laws_;
  std::vector<std::optional<size_t>> bases_;  // BasesOf(laws_)
  std::vector<LawTally*> tallies_;
  std::vector<Trouble> troubles_;
  std::vector<std::atomic<bool>> given_up_;  // one per law; threads read it to save the question
  Clock::time_point start_ = Clock::now();
  std::atomic<bool> was_cut_ = false;
  std::optional<Clock::time_point> confirm_until_;  // set when a failure is confirmed after the end of the time
  std::map<std::string, Causes> causes_;            // causes found so far, by CausesKey
  CountedCases counted_;
  ShareFailures kept_;  // only if the run is a share
};

}  // namespace layoutcheck
