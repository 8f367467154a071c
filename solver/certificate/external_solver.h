// A second opinion: a solver that is a program and reads SMT-LIB from its standard input.
#ifndef LAYOUTCHECK_SOLVER_CERTIFICATE_EXTERNAL_SOLVER_H_
#define LAYOUTCHECK_SOLVER_CERTIFICATE_EXTERNAL_SOLVER_H_

#include <span>
#include <string>
#include <vector>

#include "layoutcheck/core/base/error.h"
#include "layoutcheck/solver/certificate/smt_query.h"

namespace layoutcheck {

// The answers of the program that `command` starts (words separated by blanks, no shell; "cvc5 --lang smt2") to the
// queries, which it is given one after the other, each but the first after a (reset): the lines of its output that are
// sat, unsat or unknown. Unknown, too, where there are fewer of them than queries, or where it says nothing for a
// minute, after which it is killed. Errors: the program cannot be started (unavailable).
Expected<std::vector<SolverAnswer>> RunExternalSolver(const std::string& command, std::span<const SmtQuery> queries);

}  // namespace layoutcheck

#endif  // LAYOUTCHECK_SOLVER_CERTIFICATE_EXTERNAL_SOLVER_H_
