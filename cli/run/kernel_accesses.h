// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// JSON of single accesses of a kernel, as members of the lines of `prove-kernel --json`.
#pragma once

#include <vector>
#include "layoutcheck/json/json.h"
#include "layoutcheck/llvm/kernel_proof/access_verdicts.h"
#include "layoutcheck/llvm/kernel_proof/bank_passes.h"

namespace layoutcheck {

// Makes the line of a law that of the advice "bank-conflicts": its reason is the advice, and "accesses" has the passes.
void AddBanks(const BankMeasures& banks, Json& document);

// Adds "accesses" with the verdict on each.
void AddAccessVerdicts(const std::vector<AccessVerdict>& verdicts, Json& document);

}  // namespace layoutcheck
