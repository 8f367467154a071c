// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Puts the findings of the shares of one run of check or fuzz together.
#pragma once

#include <span>
#include <vector>
#include "layoutcheck/cli/base/command.h"
#include "layoutcheck/cli/run/merge.h"
#include "layoutcheck/properties/model/finding.h"

namespace layoutcheck {

struct MergedRun {
  std::vector<Finding> findings;  // `reproduce` names the file of the share
  Json totals;
};

// Returns the findings of all shares, once per cause and with added counts. Those of `check` are the findings of one
// process, in its order. Completes `totals`, which are those of MergedTotals. Errors: those of ReadFindings; a manifest
// or findings.jsonl that was changed (syntax).
Expected<MergedRun> MergeFindings(std::span<const ShareDirectory> shares, Json totals);

}  // namespace layoutcheck
