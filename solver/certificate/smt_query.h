// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A question to a solver as SMT-LIB 2 text, and the answers to it.
#pragma once

#include <cstdint>
#include <string>

namespace layoutcheck {

enum class SolverAnswer : uint8_t { kUnsat, kSat, kUnknown };

constexpr const char* SolverAnswerName(SolverAnswer answer) {
  switch (answer) {
    case SolverAnswer::kUnsat: return "unsat";
    case SolverAnswer::kSat: return "sat";
    case SolverAnswer::kUnknown: break;
  }
  return "unknown";
}

// One check-sat, with comments about its meaning and the expected answer.
struct SmtQuery {
  std::string text;
  SolverAnswer expected = SolverAnswer::kUnsat;
  // The query is about polynomial identities alone, which multiplying out decides.
  bool polynomial_identities = false;
  // A product of two terms that share an unknown, such as n * (n + 1), is part of the query.
  bool has_squares = false;
  // Width of the bit vectors that all constants are, in bits; 0 if they are integers.
  int vector_width = 0;
};

}  // namespace layoutcheck
