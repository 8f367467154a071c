// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Results of laws that the process of a subject checks by itself, as the processes do that hold a library.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>
#include "layoutcheck/properties/model/law.h"
#include "layoutcheck/properties/model/subject.h"

namespace layoutcheck {

// The results of the laws of one case that the subject's process found by itself (Subject::CheckLaws).
//
// They save the questions of laws that hold. A law that is broken there is asked about as if there were no early
// result, because a finding needs its questions one by one. If these do not show it, the early result is the failure:
// it depends on what the process was asked before.
class EarlyResults {
 public:
  // Has the subject check the laws with these numbers, if it does that. question(law) is called for each.
  EarlyResults(Subject& subject, const std::vector<size_t>& laws,
               const std::function<LawQuestion(size_t law)>& question);

  // Returns the result of a law that is not broken, or null if the law is to be asked about.
  const LawResult* Decided(size_t law) const;
  // Returns true if no law is to be asked about.
  bool DecidesAll() const { return decides_all_; }
  // Returns the failure of a law, or null.
  const LawResult* Broken(size_t law) const;
  // Returns the layout or the arguments as the text of a finding. Requires that the law has a result.
  const std::string& TextOf(size_t law) const { return results_[law]->second; }

  struct DeadProcess {
    size_t law;  // the first one without a result
    LawResult result;
    std::string text;
  };
  // Returns how the process died, or nothing. One that did not answer in time may have been busy with many questions,
  // which is no failure.
  const std::optional<DeadProcess>& crash() const { return crash_; }

 private:
  // Per number of a law, its result and the text of the case. Shorter than the list of laws if the last have none.
  std::vector<std::optional<std::pair<LawResult, std::string>>> results_;
  std::optional<DeadProcess> crash_;
  bool decides_all_ = false;
};

}  // namespace layoutcheck
