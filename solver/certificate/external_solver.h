// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Solver programs that read SMT-LIB from standard input, for a second opinion.
#pragma once

#include <span>
#include <string>
#include <vector>
#include "layoutcheck/core/base/error.h"
#include "layoutcheck/solver/certificate/smt_query.h"

namespace layoutcheck {

// Starts `command` (blank-separated words, no shell; "cvc5 --lang smt2"), writes the queries to it with (reset) between
// them, and returns its answers: the output lines sat, unsat or unknown. The answer is unknown for a query without such
// a line. A program that writes nothing for a minute is killed. Errors: it cannot be started (unavailable).
Expected<std::vector<SolverAnswer>> RunExternalSolver(const std::string& command, std::span<const SmtQuery> queries);

}  // namespace layoutcheck
