// Formulas in the integers that a machine has: which part overflows first.
#ifndef LAYOUTCHECK_SOLVER_FORMULA_PROOF_MACHINE_INTEGER_H_
#define LAYOUTCHECK_SOLVER_FORMULA_PROOF_MACHINE_INTEGER_H_

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "layoutcheck/core/base/error.h"
#include "layoutcheck/solver/formula_proof/formula_point.h"

namespace layoutcheck {

struct MachineInteger {
  std::string_view name;  // "int32", "uint32", "int64"
  Int128 least;
  Int128 largest;
  int width;  // in bits: a shift by as much or more has no meaning
};

// Errors: a name that is none (invalid argument).
Expected<MachineInteger> MachineIntegerOf(std::string_view name);

// What is wrong with a part of a formula.
struct MachineFault {
  uint32_t node;
  FormulaFault fault;  // kOverflow: the value does not fit
  Int128 value = 0;    // that does not fit
  // Of a function: what it computes there ("65536 * 65536"), or why it has no value.
  std::string text = {};
};

// Evaluates a formula as C does it over a machine's integers.
class MachineFormula {
 public:
  MachineFormula(const FormulaQuestion::BoundFormula& bound, const MachineInteger& integer);

  // The first part, in the order of evaluation, that overflows or has no value; parts that are not chosen (by ?:, &&,
  // ||) do not count. An unsigned result that wraps is an overflow.
  std::optional<MachineFault> FirstFault(const FormulaPoint& point);
  // How much work that was so far, in operations of a function; 0 for a formula.
  int64_t operations() const { return operations_; }

 private:
  std::optional<MachineFault> FirstFaultOfFunction();

  const FormulaQuestion::BoundFormula& bound_;
  MachineInteger integer_;
  FormulaEvaluator<Int128> evaluator_;
  std::vector<Int128> names_;
  std::vector<bool> chosen_;
  FunctionRun run_;
  std::vector<Term> arguments_;
  int64_t operations_ = 0;
};

}  // namespace layoutcheck

#endif  // LAYOUTCHECK_SOLVER_FORMULA_PROOF_MACHINE_INTEGER_H_
