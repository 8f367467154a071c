// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Guesses of the values that the variables of a loop have after more iterations. What follows from them is proved.
#pragma once

#include <llvm/IR/InstrTypes.h>
#include <optional>
#include <span>
#include <string>
#include "layoutcheck/llvm/ir/machine_value.h"

namespace layoutcheck {

// Returns the number after `count` more steps. `past` are the numbers after the last two steps and before them, the
// newest first; the oldest may be missing.
SymbolicInteger AfterSteps(std::span<const SymbolicInteger> past, const SymbolicInteger& count);

// Returns the number of further times that a comparison holds, which held for the differences d - step and d of its
// sides; nothing if that is no number of steps.
std::optional<SymbolicInteger> TimesThatHold(llvm::CmpInst::Predicate predicate, SymbolicInteger d,
                                             SymbolicInteger step);

// Returns the number of further steps, equal to the last two, after which a value is still a number of its type;
// nothing if it has no number, or takes as many steps as one likes. Returns 0 if the last two steps were not equal.
// `past` are the values after these steps and before them, the newest first.
std::optional<Int128> StepsInRange(std::span<const MachineValue* const> past);

// Returns an unknown value for a variable that has no closed form. `middle` and `now` are its last two values.
MachineValue NotFollowed(const MachineValue& middle, const MachineValue& now, const std::string& why);

// Returns the value after `count` more iterations; unknown, for the reason `why`, if there is no guess. `before` may be
// null.
MachineValue AfterIterations(const MachineValue* before, const MachineValue& middle, const MachineValue& now,
                             const SymbolicInteger& count, const std::string& why);

}  // namespace layoutcheck
