// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Asks about the failure of a law again, of a subject that was just started, before it becomes a finding.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include "layoutcheck/properties/model/law.h"
#include "layoutcheck/properties/run/subject_pool.h"

namespace layoutcheck {

// A case on which a law is broken.
struct LawFailure {
  std::string layout;  // text of the case in a finding
  LawResult result;
  int64_t requests = 0;        // number of requests that the subject's process had got by then
  std::string shown = {};      // text in another notation that a finding shows in place of `layout`; may be empty
  std::string tilings = {};    // the tilings with which a shrunk layout fails, as in Finding
  std::string shrinking = {};  // as in Finding
};

// The failure of a base law, which explains the failure of a law that rests on it (law_order.h).
struct BaseFailure {
  size_t law;  // number of the base law in the run
  LawFailure failure;
};

// Asks a subject a law's question about the case with this text.
using AskLaw = std::function<LawResult(Subject& subject, const std::string& layout)>;

// A failure, with how a fresh subject answered its question.
struct ConfirmedFailure {
  LawFailure failure;
  bool is_alone = true;  // the question alone breaks the law
  std::string repeats;   // as in Finding
};

// Returns true if the subject died, as `how` says, because the run was asked to end: a scheduler signals all processes
// of a job, the subject perhaps first.
bool DiedWithTheRun(std::string_view how, const std::function<bool()>& stop_requested);

// Returns true if two results of a law are the same disagreement, apart from the values.
bool IsSameFailure(const LawResult& a, const LawResult& b);

// Asks about a failure again, of a fresh subject: first about `smallest`, to which it was minimized, and if that does
// not fail, about `found`. Returns the one that fails, and `found` if neither does. Without fresh subjects, and after
// `end`, returns `smallest` at once. Each request waits for the answer to the one before if the subject itself failed,
// so that the result has the request at which it did.
ConfirmedFailure Confirm(SubjectPool& pool, const AskLaw& ask, const LawFailure& found, const LawFailure& smallest,
                         const RunEndNow& end);

}  // namespace layoutcheck
