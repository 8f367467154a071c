// What the runners of the layout laws and of the algebra laws share: a law's answers counted, and a broken law as a
// finding.
#ifndef LAYOUTCHECK_PROPERTIES_RUN_LAW_RUN_H_
#define LAYOUTCHECK_PROPERTIES_RUN_LAW_RUN_H_

#include <chrono>
#include <string>
#include <string_view>

#include "layoutcheck/properties/model/law.h"
#include "layoutcheck/properties/run/runner.h"

namespace layoutcheck {

// The name under which a broken law is listed: a failure of the subject itself is one cause, whichever law asked.
std::string NameInFindings(std::string_view law, const LawResult& result);

class LawRun {
 protected:
  // Both outlive the run.
  LawRun(Subject& subject, const CheckOptions& options) : subject_name_(options.subject_name), options_(options) {
    if (subject_name_.empty()) subject_name_ = subject.info().name;
  }

  // The result of check(), counted and timed in the law's tally.
  template <class Check>
  LawResult Counted(std::string_view law, Check check) {
    const auto start = std::chrono::steady_clock::now();
    LawResult result = check();
    Count(TallyOf(law), result.verdict, std::chrono::steady_clock::now() - start);
    return result;
  }

  LawTally& TallyOf(std::string_view law) { return summary_.laws[std::string(law)]; }

  // Whether options.known accepts this result by a pattern; `count` notes there that it was seen.
  bool IsKnown(const std::string& name, const std::string& layout, const LawResult& result, bool count) const;

  // Without `count` and `reproduce`.
  Finding FindingOf(const std::string& name, const std::string& layout, const LawResult& result) const;

  std::string subject_name_;
  const CheckOptions& options_;
  CheckSummary summary_;

 private:
  static void Count(LawTally& tally, LawResult::Verdict verdict, std::chrono::duration<double> time);
};

}  // namespace layoutcheck

#endif  // LAYOUTCHECK_PROPERTIES_RUN_LAW_RUN_H_
