// Z3 in the process. No Z3 type is seen outside z3_solver.cc.
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
  std::string reason;   // of an unknown
  uint64_t rlimit = 0;  // the work that it took, in Z3's units
};

// The answer of Z3 to one query, in a fresh context. The budget counts work, not time: the same query has the same
// answer on every machine. It is unknown where the budget ran out or Z3 does not accept the text, and where it takes 30
// seconds, which only happens in work that Z3 does not count.
SolverRun RunZ3(const SmtQuery& query, uint64_t rlimit);

// The same, and, where the answer is sat, the values that the model gives to these symbols: those that fit int64.
struct SolverModel {
  SolverRun run;
  std::map<std::string, int64_t> values;
};
SolverModel FindModel(const SmtQuery& query, const std::vector<std::string>& symbols, uint64_t rlimit);

// "Z3 4.8.12".
std::string Z3Version();

}  // namespace layoutcheck

#endif  // LAYOUTCHECK_SOLVER_CERTIFICATE_Z3_SOLVER_H_
