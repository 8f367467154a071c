// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The part of a run that layout and algebra laws share: cases, tallies, and the making of findings from broken laws.
#pragma once

#include <chrono>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>
#include "layoutcheck/properties/model/law.h"
#include "layoutcheck/properties/run/runner.h"

namespace layoutcheck {

// The base of a run. Derived classes draw the cases, ask about them and shrink them.
class LawRun {
 public:
  virtual ~LawRun() = default;
  CheckSummary Finish() { return std::move(summary_); }

 protected:
  using Clock = std::chrono::steady_clock;

  // Shrinking costs hundreds of questions. If a law has this many causes, or this many failures in a row shrank to
  // causes already found, its further failures are not shrunk but counted with its first finding.
  struct ShrinkLimits {
    size_t causes;
    int64_t repetitions;
  };

  struct Failure {
    std::string layout;  // text of the case in a finding
    LawResult result;
    std::string shown = "";    // in a finding in place of `layout`, in another notation
    std::string tilings = "";  // of a shrunk layout: with which tilings it fails
  };
  // Returns true if a simpler case fails in the same way and is no known difference.
  using StillFails = std::function<bool(const Failure&)>;
  // Returns the simplest failure found.
  using Shrink = std::function<Failure(const StillFails&)>;

  // `subject` and `options` must outlive the run.
  LawRun(const Subject& subject, const CheckOptions& options, ShrinkLimits limits);

  // Returns true if two shrunk failures of one law count as one cause.
  virtual bool HaveOneCause(const std::string& layout, const std::string& other) const { return layout == other; }

  // Calls check(number) for each random case of this shard until the run is over.
  void ForEachNumber(const std::function<void(uint64_t number)>& check);
  // Returns true if the time limit of the options has passed.
  bool IsOutOfTime();
  // Counts a checked case. Returns true if the run goes on.
  bool EndCase();

  LawTally& TallyOf(std::string_view law) { return summary_.laws[std::string(law)]; }

  // Returns the result of check(), counted and timed in the law's tally.
  template <class Check>
  LawResult Counted(std::string_view law, Check check) {
    const Clock::time_point start = Clock::now();
    LawResult result = check();
    Count(TallyOf(law), result.verdict, Clock::now() - start);
    return result;
  }

  // Makes a finding of a broken law, shrunk by `shrink` unless it is null, or counts the failure with the finding or
  // known difference that has the same cause.
  void Report(std::string_view law, Failure failure, const Shrink& shrink);

  const CheckOptions& options_;
  CheckSummary summary_;

 private:
  struct Cause {
    std::string layout;
    size_t finding;  // index in summary_.findings
  };
  struct ShrunkFailures {
    std::vector<Cause> causes;
    int64_t repetitions = 0;  // in a row
  };

  static void Count(LawTally& tally, LawResult::Verdict verdict, std::chrono::duration<double> time);
  bool IsKnown(const std::string& name, const Failure& failure, bool count) const;
  Finding FindingOf(const std::string& name, const Failure& failure) const;

  std::string subject_name_;
  ShrinkLimits limits_;
  Clock::time_point start_ = Clock::now();
  std::map<std::string, ShrunkFailures> shrunk_;  // by the law's name in findings
};

}  // namespace layoutcheck
