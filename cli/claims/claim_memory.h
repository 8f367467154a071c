// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Verdicts of earlier runs, for claims of which nothing has changed.
#pragma once

#include <optional>
#include <string>
#include "layoutcheck/cli/claims/claim_result.h"
#include "layoutcheck/cli/claims/claims_file.h"
#include "layoutcheck/json/json.h"

namespace layoutcheck {

// Remembers accepted and proved claims in files below kClaimsFolder, one per claim. A verdict is believed only if the
// claim's arguments, the contents of all files that it reads, this program, the libraries that it has loaded and, for
// code, the compiler are what they were. A file that is damaged is ignored.
class ClaimMemory {
 public:
  // Returns the verdict of an earlier run, or nothing if something has changed or there is none.
  static std::optional<ClaimResult> Recall(const Claim& claim);

  // Notes the files that the claim reads. Make it before the command runs.
  explicit ClaimMemory(const Claim& claim);
  // Keeps the result of the command, if it is accepted and no file has changed since. A file that cannot be written is
  // no error: the claim is checked again.
  void Remember(const ClaimResult& result) const;

 private:
  const Claim& claim_;
  std::optional<Json> files_;  // the state of each file by its name; nothing if one cannot be read
};

}  // namespace layoutcheck
