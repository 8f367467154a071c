// One run of a user's function on symbolic integers: on numbers, or on names along one path. It always ends: operations
// and decisions are counted, and what the function throws is caught.
#ifndef LAYOUTCHECK_SOLVER_FORMULA_PROOF_FUNCTION_RUN_H_
#define LAYOUTCHECK_SOLVER_FORMULA_PROOF_FUNCTION_RUN_H_

#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "layoutcheck/solver/formula_proof/path_arithmetic.h"
#include "layoutcheck/solver/formula_proof/symbolic_integer.h"

namespace layoutcheck {

// A function of integers as the provers see it: the same template twice. Whoever makes it knows the order of its
// arguments.
struct SymbolicFunction {
  std::function<SymbolicInteger(std::span<const SymbolicInteger>)> symbolic;
  std::function<int64_t(std::span<const int64_t>)> numeric;

  explicit operator bool() const { return symbolic != nullptr; }
};

// How a run ended: with a value, or the function has none there ("7 / 0: division by zero", "it threw: ..."), or it is
// not known which, in words.
struct FunctionResult {
  std::optional<Term> value;
  std::string fault;
  std::string unknown;
};

class FunctionRun {
 public:
  // How many operations a run may take on numbers and on a path, and how many of its branches may depend on names.
  static constexpr int64_t kMaxOperations = 20'000;
  static constexpr int64_t kMaxPathOperations = 100'000;
  static constexpr size_t kMaxDecisions = 64;
  // And how many questions of linear arithmetic may be asked on a path.
  static constexpr int64_t kMaxQuestions = 4000;

  // Runs on numbers. Results outside of [least, largest] are noted: see outside().
  explicit FunctionRun(Int128 least = std::numeric_limits<int64_t>::min(),
                       Int128 largest = std::numeric_limits<int64_t>::max())
      : least_(least), largest_(largest) {}
  // Runs along a path, which must outlive it.
  explicit FunctionRun(PathArithmetic& arithmetic) : FunctionRun() { arithmetic_ = &arithmetic; }

  FunctionResult Call(const SymbolicFunction& function, std::span<const Term> arguments);

  // Of the last run: how many operations it took,
  int64_t operations() const { return operations_; }
  // on a path the results of all that have names in them, in order,
  const std::vector<Term>& computed() const { return computed_; }
  // on numbers the first result that the limits leave out, and how it came about ("65536 * 65536").
  std::optional<Int128> outside() const { return outside_; }
  std::string OutsideText() const;

  // The numbers in the code that the runs met, a few of them: literals and sizes of tables.
  const std::set<Int128>& numbers() const { return numbers_; }

 private:
  friend class SymbolicInteger;

  static FunctionRun*& Current();
  // What the operators of SymbolicInteger do inside a run.
  Term Apply(FormulaOp op, const SymbolicInteger& a, const SymbolicInteger& b);
  bool Compare(FormulaOp op, const SymbolicInteger& a, const SymbolicInteger& b);
  bool IsTrue(const SymbolicInteger& a);
  Int128 Number(const SymbolicInteger& a);
  void Note(const Term& number);

  // The operand's term, after another operation was counted.
  const Term& Use(const SymbolicInteger& operand);
  void Count();
  [[noreturn]] void EndWithFault(std::string text);
  [[noreturn]] void EndUnknown(std::string text);

  PathArithmetic* arithmetic_ = nullptr;
  Int128 least_;
  Int128 largest_;
  uint64_t id_ = 0;
  int64_t operations_ = 0;
  bool ended_ = false;
  FunctionResult result_;
  std::vector<SymbolicInteger> arguments_;
  std::vector<Term> computed_;
  struct Operation {
    FormulaOp op;
    Int128 a;
    Int128 b;
  };
  Operation outside_operation_{};
  std::optional<Int128> outside_;
  std::set<Int128> numbers_;
};

}  // namespace layoutcheck

#endif  // LAYOUTCHECK_SOLVER_FORMULA_PROOF_FUNCTION_RUN_H_
