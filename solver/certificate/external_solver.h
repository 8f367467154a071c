// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Solvers that are programs and read SMT-LIB from standard input, for a second opinion.
#ifndef LAYOUTCHECK_SOLVER_CERTIFICATE_EXTERNAL_SOLVER_H_
#define LAYOUTCHECK_SOLVER_CERTIFICATE_EXTERNAL_SOLVER_H_

#include <span>
#include <string>
#include <vector>

#include "layoutcheck/core/base/error.h"
#include "layoutcheck/solver/certificate/smt_query.h"

namespace layoutcheck {

// Starts `command` (words separated by blanks, without a shell; "cvc5 --lang smt2"), writes the queries to it with a
// (reset) between two of them, and returns its answers: the lines of its output that are sat, unsat or unknown. A query
// for which there is no such line has the answer unknown. A program that writes nothing for a minute is killed. Errors:
// the program cannot be started (unavailable).
Expected<std::vector<SolverAnswer>> RunExternalSolver(const std::string& command, std::span<const SmtQuery> queries);

}  // namespace layoutcheck

#endif  // LAYOUTCHECK_SOLVER_CERTIFICATE_EXTERNAL_SOLVER_H_
