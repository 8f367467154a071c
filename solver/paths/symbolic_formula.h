// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The value of a formula for expressions in place of its names.
#pragma once

#include <map>
#include <string>
#include "layoutcheck/core/formula/formula.h"
#include "layoutcheck/solver/paths/symbolic_integer.h"

namespace layoutcheck {

// Values of names.
using SymbolicValues = std::map<std::string, SymbolicInteger>;

// Returns the value of a formula, of which each name has a value. May be called only within a SymbolicFunction. Throws
// FunctionUnknown for ~, casts and tables.
SymbolicInteger ValueOf(const Formula& formula, const SymbolicValues& names);

}  // namespace layoutcheck
