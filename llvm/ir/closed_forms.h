// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Guesses of the values that the variables of a loop have after more iterations. What follows from them is proved.
#pragma once

#include <span>
#include <string>
#include "layoutcheck/llvm/ir/machine_value.h"

namespace layoutcheck {

// Returns the number after `count` more steps. `past` are the numbers after the last two steps and before them, the
// newest first; the oldest may be missing.
SymbolicInteger AfterSteps(std::span<const SymbolicInteger> past, const SymbolicInteger& count);

// Returns an unknown value for a variable that has no closed form. `middle` and `now` are its last two values.
MachineValue NotFollowed(const MachineValue& middle, const MachineValue& now, const std::string& why);

// Returns the value after `count` more iterations; unknown, for the reason `why`, if there is no guess. `before` may be
// null.
MachineValue AfterIterations(const MachineValue* before, const MachineValue& middle, const MachineValue& now,
                             const SymbolicInteger& count, const std::string& why);

}  // namespace layoutcheck
