// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Judges the conversions and accesses of a function by TtgirRules.
#pragma once

#include <vector>
#include "layoutcheck/llvm/ttgir/ttgir_facts.h"
#include "layoutcheck/llvm/ttgir/ttgir_scan.h"
#include "layoutcheck/llvm/ttgir/ttgir_types.h"

namespace layoutcheck {

// Appends a finding per rule and place that breaks it. Conversions and accesses without numbers are not judged. A
// conversion that moves nothing breaks `convert-is-free` alone.
void FindBrokenRules(const TtgirFunction& function, const TtgirUses& uses, TtgirLayouts& layouts,
                     std::vector<TtgirFinding>& findings);

}  // namespace layoutcheck
