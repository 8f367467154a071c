// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Runs Z3 in this process. Its types stay in z3_solver.cc.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <unordered_map>
#include <vector>
#include "layoutcheck/solver/certificate/smt_printer.h"

namespace layoutcheck {

// Thrown where a query was not answered for a reason of this machine's: `reason` says which.
struct SolverStopped {
  const char* reason;
};

struct SolverRun {
  SolverAnswer answer = SolverAnswer::kUnknown;
  std::string reason;   // reason of answer kUnknown
  uint64_t rlimit = 0;  // work done, in Z3's units
};

// The queries that RunZ3() has answered with unsat in this thread, while an object of this type exists. The claims
// about one kernel share most of their paths, so the same texts are asked again. Objects inside the life of another one
// share its memory.
class SolverAnswers {
 public:
  SolverAnswers();
  ~SolverAnswers();
  SolverAnswers(const SolverAnswers&) = delete;
  SolverAnswers& operator=(const SolverAnswers&) = delete;

 private:
  friend SolverRun RunZ3(const SmtQuery& query, uint64_t rlimit);

  // Returns the outermost object of this thread, or null.
  static SolverAnswers*& Current();

  bool is_outermost_;
  std::unordered_map<std::string, uint64_t> work_;  // by the query's text, in Z3's units
};

// Returns the version of Z3 in this process, such as "4.8.12".
std::string Z3Version();

// Asks Z3 one query in a fresh context. The budget counts work, so a query has the same answer on every machine. The
// answer is unknown if the budget is spent or Z3 rejects the text. Throws std::bad_alloc if memory does not suffice,
// and SolverStopped if work that Z3 does not count takes five minutes, or after InterruptSolvers().
SolverRun RunZ3(const SmtQuery& query, uint64_t rlimit);

struct SolverModel {
  SolverRun run;
  std::map<std::string, int64_t> values;  // by symbol
};
// Asks Z3 one query with products of unknowns and, if sat, returns the model's values of these symbols that fit int64.
// Uses Z3's older arithmetic without Groebner bases and with few rounds of branching, which counts its work, and then,
// for a query without squares, the usual one; for bit vectors, their own solver. Squares cost that one hours that it
// does not count.
SolverModel FindModel(const SmtQuery& query, const std::vector<std::string>& symbols, uint64_t rlimit);

// Ends all queries that other threads ask, and refuses later ones.
void InterruptSolvers();
// Throws SolverStopped after InterruptSolvers().
void ThrowIfInterrupted();

}  // namespace layoutcheck
