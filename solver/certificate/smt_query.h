// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A question to a solver as SMT-LIB 2 text, and the answers that a solver gives.
#ifndef LAYOUTCHECK_SOLVER_CERTIFICATE_SMT_QUERY_H_
#define LAYOUTCHECK_SOLVER_CERTIFICATE_SMT_QUERY_H_

#include <cstdint>
#include <string>

namespace layoutcheck {

enum class SolverAnswer : uint8_t { kUnsat, kSat, kUnknown };

// Returns the answer as SMT-LIB spells it: "unsat", "sat", "unknown".
constexpr const char* SolverAnswerName(SolverAnswer answer) {
  switch (answer) {
    case SolverAnswer::kUnsat: return "unsat";
    case SolverAnswer::kSat: return "sat";
    case SolverAnswer::kUnknown: break;
  }
  return "unknown";
}

// One check-sat. Comments in the text say what it means and which answer is expected.
struct SmtQuery {
  std::string text;
  SolverAnswer expected = SolverAnswer::kUnsat;
  // The query asks for identities of polynomials alone, which multiplying out decides.
  bool polynomial_identities = false;
};

}  // namespace layoutcheck

#endif  // LAYOUTCHECK_SOLVER_CERTIFICATE_SMT_QUERY_H_
