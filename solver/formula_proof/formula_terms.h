// A formula on a path: the term that is its value there.
#ifndef LAYOUTCHECK_SOLVER_FORMULA_PROOF_FORMULA_TERMS_H_
#define LAYOUTCHECK_SOLVER_FORMULA_PROOF_FORMULA_TERMS_H_

#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "layoutcheck/core/formula/formula_value.h"
#include "layoutcheck/solver/formula_proof/path_arithmetic.h"

namespace layoutcheck {

class FormulaTerms {
 public:
  // `names` are the values of the names of the formula.
  FormulaTerms(const Formula& formula, std::span<const Term> names, PathArithmetic& arithmetic)
      : formula_(formula), names_(names), arithmetic_(arithmetic) {}

  // The value of the formula; nothing where it has none on this path, or none that can be
  // written as a term: see below.
  std::optional<Term> Value() { return Value(formula_.root()); }
  // Whether it is other than 0.
  std::optional<bool> Truth() { return Truth(formula_.root()); }
  // The same of a formula that is assumed: of the points for which it is false nothing more is asked. So the test for a
  // power of two, (x & (x - 1)) == 0, is true, and the path takes note of it.
  std::optional<bool> Assume() { return Assume(formula_.root()); }

  // The parts of the formula that were evaluated so far, operands first, and their values.
  const std::vector<std::pair<uint32_t, Term>>& evaluated() const { return evaluated_; }

  // Where nothing was returned: that the formula has no value (division by zero), in words.
  const std::string& fault() const { return fault_; }
  // Or why the value is not known.
  const std::string& unsupported() const { return unsupported_; }

 private:
  std::optional<Term> Value(uint32_t node);
  std::optional<Term> ValueOf(uint32_t node);
  std::optional<bool> Truth(uint32_t node);
  std::optional<bool> Assume(uint32_t node);
  std::optional<uint32_t> TestedBits(uint32_t node) const;

  const Formula& formula_;
  std::span<const Term> names_;
  PathArithmetic& arithmetic_;
  std::vector<std::pair<uint32_t, Term>> evaluated_;
  std::string fault_;
  std::string unsupported_;
};

}  // namespace layoutcheck

#endif  // LAYOUTCHECK_SOLVER_FORMULA_PROOF_FORMULA_TERMS_H_
