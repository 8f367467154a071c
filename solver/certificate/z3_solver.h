// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Runs Z3 in the process. The types of Z3 stay in z3_solver.cc.
#ifndef LAYOUTCHECK_SOLVER_CERTIFICATE_Z3_SOLVER_H_
#define LAYOUTCHECK_SOLVER_CERTIFICATE_Z3_SOLVER_H_

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "layoutcheck/solver/certificate/smt_query.h"

namespace layoutcheck {

struct SolverRun {
  SolverAnswer answer = SolverAnswer::kUnknown;
  std::string reason;   // reason of answer kUnknown
  uint64_t rlimit = 0;  // work done, in Z3's units
};

// Asks Z3 one query, in a fresh context. The budget counts work, not time, so that the same query has the same answer
// on every machine. The answer is unknown if the budget ran out, if Z3 does not accept the text, or after 30 seconds,
// which only work that Z3 does not count can take.
SolverRun RunZ3(const SmtQuery& query, uint64_t rlimit);

struct SolverModel {
  SolverRun run;
  std::map<std::string, int64_t> values;  // by symbol
};
// Asks Z3 one query and, if the answer is sat, returns the values of these symbols in the model that fit int64.
SolverModel FindModel(const SmtQuery& query, const std::vector<std::string>& symbols, uint64_t rlimit);

}  // namespace layoutcheck

#endif  // LAYOUTCHECK_SOLVER_CERTIFICATE_Z3_SOLVER_H_
