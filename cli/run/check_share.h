// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The part of a share's results that `merge` judges: causes of failures and rates of known differences, which depend on
// the whole run.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>
#include "layoutcheck/cli/base/command.h"
#include "layoutcheck/properties/run/causes.h"
#include "layoutcheck/properties/run/known_rate.h"
#include "layoutcheck/properties/run/runner.h"

namespace layoutcheck {

struct CheckShare {
  std::vector<ShareFailures> failures;  // one per run, in order
  std::map<std::string, LawTally> laws;
  std::map<std::string, KnownLines> known_lines;
};

// Returns the member "check" of a manifest's details.
Json ToJson(const CheckShare& share);
// Error (syntax): the JSON is not what ToJson returns.
Expected<CheckShare> CheckShareFromJson(const Json& document);

// The failures of all shares, with the causes of one process.
struct MergedFailures {
  // Names a finding in the file of a share.
  struct OneFinding {
    size_t share;
    std::string law;
    std::string layout;
    int64_t count = 1;
  };
  std::vector<OneFinding> findings;        // in the order of one process
  std::vector<OneFinding> other_findings;  // findings of shares that count with one of `findings`
  std::map<std::string, LawTally> laws;    // sums over all shares
  std::map<std::string, KnownLines> known_lines;
  // Lines of the file of known differences that only some shares have seen: one process would not have shrunk the
  // failures that match them.
  std::set<int64_t> unseen_lines;
};
MergedFailures MergeFailures(const std::vector<CheckShare>& shares);

}  // namespace layoutcheck
