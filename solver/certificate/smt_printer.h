// Pieces of SMT-LIB text: symbols, numbers, polynomials, the head of a query.
#ifndef LAYOUTCHECK_SOLVER_CERTIFICATE_SMT_PRINTER_H_
#define LAYOUTCHECK_SOLVER_CERTIFICATE_SMT_PRINTER_H_

#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "layoutcheck/solver/certificate/derivation.h"
#include "layoutcheck/solver/certificate/smt_query.h"

namespace layoutcheck {

// A name of the user's as a symbol: quoted where the language keeps the word for itself.
std::string SmtSymbol(const std::string& name);
// An integer; (- 5) for a negative one.
std::string SmtNumber(Int128 value);
// (function a b c)
std::string SmtApply(std::string_view function, const std::vector<std::string>& arguments);
// A conjunction, sum or product of any number of parts: `none` for no part, the part itself for one.
std::string SmtJoin(std::string_view function, const std::vector<std::string>& parts, std::string_view none);
const char* SmtRelation(TermRelation::Kind kind);
const char* SmtOperator(TermKind kind);
// Comments that say what is asked and what answer is expected, and the logic.
std::string SmtHeader(std::string_view logic, std::string_view title, std::string_view meaning, SolverAnswer expected);

// Prints polynomials and remembers the names that they need. A product of atoms is a name of its own or, with real
// products, a product.
class SmtPrinter {
 public:
  SmtPrinter(const Ring& ring, bool real_products) : ring_(ring), real_products_(real_products) {}

  std::string Text(const Polynomial& polynomial);
  std::string Text(const Relation& relation);
  // Their conjunction.
  std::string Text(const std::vector<Relation>& relations);

  // Declarations of the names that were printed, each quotient, remainder and product with what it stands for.
  std::string Declarations() const;

 private:
  std::string AtomSymbol(AtomId atom) const;

  const Ring& ring_;
  bool real_products_;
  std::set<AtomId> atoms_;
  std::set<MonomialId> products_;
};

}  // namespace layoutcheck

#endif  // LAYOUTCHECK_SOLVER_CERTIFICATE_SMT_PRINTER_H_
