// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Questions to a solver as SMT-LIB 2 text, their answers, and the pieces of such text.
#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <string_view>
#include <vector>
#include "layoutcheck/solver/certificate/derivation.h"

namespace layoutcheck {

enum class SolverAnswer : uint8_t { kUnsat, kSat, kUnknown };

constexpr const char* SolverAnswerName(SolverAnswer answer) {
  return answer == SolverAnswer::kUnsat ? "unsat" : answer == SolverAnswer::kSat ? "sat" : "unknown";
}

// One check-sat, with comments about its meaning and the expected answer.
struct SmtQuery {
  std::string text;
  SolverAnswer expected = SolverAnswer::kUnsat;
  // The query is about polynomial identities alone, which multiplying out decides.
  bool polynomial_identities = false;
  // A product of two terms that share an unknown, such as n * (n + 1), is part of the query.
  bool has_squares = false;
  int vector_width = 0;  // width of the bit vectors that all constants are, in bits; 0 if they are integers
};

// Returns the name as a symbol. A letter with digits, such as i0, is one, and so are names of this library, which have
// a '!'. Any other name gets the ending !name, because it may be a word of SMT-LIB or of a solver: true, let, Int.
std::string SmtSymbol(const std::string& name);
// Returns the integer as a literal such as 5 or (- 5).
std::string SmtNumber(Int128 value);
// Returns (function a b c).
std::string SmtApply(std::string_view function, const std::vector<std::string>& arguments);
// Returns (function part part ...), a single part as it is, or `none`.
std::string SmtJoin(std::string_view function, const std::vector<std::string>& parts, std::string_view none);
const char* SmtRelation(TermRelation::Kind kind);
const char* SmtOperator(TermKind kind);
// Returns comments with the question and the expected answer, and the line that sets the logic.
std::string SmtHeader(std::string_view logic, std::string_view title, std::string_view meaning, SolverAnswer expected);

// Prints polynomials and records their names. A product of atoms is a name or, with real products, a product.
class SmtPrinter {
 public:
  SmtPrinter(const Ring& ring, bool real_products) : ring_(ring), real_products_(real_products) {}

  std::string Text(const Polynomial& polynomial);
  std::string Text(const Relation& relation);
  std::vector<std::string> Texts(const std::vector<Relation>& relations);
  // Returns the conjunction.
  std::string Text(const std::vector<Relation>& relations) { return SmtJoin("and", Texts(relations), "true"); }

  // Declares the names that were printed, with comments on quotients, remainders and products.
  std::string Declarations() const;

 private:
  std::string AtomSymbol(AtomId atom) const;

  const Ring& ring_;
  bool real_products_;
  std::set<AtomId> atoms_;
  std::set<MonomialId> products_;
};

}  // namespace layoutcheck
