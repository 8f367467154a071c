// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Runs of a user's function on symbolic integers: on numbers, or on expressions along one path. A run ends although the
// function may not: operations and decisions are limited, and exceptions are caught. A loop that uses no symbolic
// integer and does not terminate is not detected.
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

// A function of integers: two instances of one template. The order of the arguments is up to the caller.
struct SymbolicFunction {
  std::function<SymbolicInteger(std::span<const SymbolicInteger>)> symbolic;
  std::function<int64_t(std::span<const int64_t>)> numeric;

  explicit operator bool() const { return symbolic != nullptr; }
};

// The result of a run: a value, the reason why the function has none ("7 / 0: division by zero", "it threw: ..."), or
// the reason why neither is known.
struct FunctionResult {
  std::optional<Term> value;
  std::string fault;
  std::string unknown;
};

// Returns a op b for two numbers; the fault kOverflow if it does not fit 128 bits.
FormulaValue<Int128> ApplyToNumbers(FormulaOp op, const Term& a, const Term& b);

// A run on numbers, at most 20,000 operations long.
class FunctionRun {
 public:
  // Watches for results outside of [least, largest].
  explicit FunctionRun(Int128 least = std::numeric_limits<int64_t>::min(),
                       Int128 largest = std::numeric_limits<int64_t>::max())
      : least_(least), largest_(largest) {}
  FunctionRun(const FunctionRun&) = delete;
  FunctionRun& operator=(const FunctionRun&) = delete;
  virtual ~FunctionRun() = default;

  // Runs the function. May be called many times.
  FunctionResult Call(const SymbolicFunction& function, std::span<const Term> arguments);

  // Returns the number of operations of the last call.
  int64_t operations() const { return operations_; }
  // Returns the first result of the last call that is outside of the limits.
  std::optional<Int128> outside() const { return outside_; }
  // Returns the operation that it is the result of: "65536 * 65536".
  const std::string& outside_operation() const { return outside_operation_; }
  // Returns some of the numbers that stand in the code, literals and sizes of tables, of all calls.
  const std::set<Int128>& literals() const { return literals_; }

 protected:
  // Ends the call, whose result is unknown.
  [[noreturn]] void EndUnknown(std::string text);
  [[noreturn]] void EndWithFault(std::string text);

  // The operations on expressions. A run on numbers meets none: TermOf() ends it.
  virtual Term ApplyToTerms(FormulaOp, const Term&, const Term&) { EndUnknown("an expression in a run on numbers"); }
  virtual bool CompareTerms(FormulaOp, const Term&, const Term&) { EndUnknown("an expression in a run on numbers"); }
  virtual std::optional<int64_t> DecideNumber(const Term&) { return std::nullopt; }
  // Ends the call if it takes too much work.
  virtual void CheckLimits(int64_t operations);
  void LimitOperations(int64_t operations, int64_t limit);

 private:
  friend class SymbolicInteger;

  // Returns the innermost run of this thread, null outside of any.
  static FunctionRun*& Current();
  // The operators of SymbolicInteger inside a run.
  Term Apply(FormulaOp op, const SymbolicInteger& a, const SymbolicInteger& b);
  bool Compare(FormulaOp op, const SymbolicInteger& a, const SymbolicInteger& b);
  Int128 ToNumber(const SymbolicInteger& a);
  void RecordLiteral(const Term& number);

  const Term& TermOf(const SymbolicInteger& operand);
  void CountOperation();

  Int128 least_;
  Int128 largest_;
  uint64_t id_ = 0;  // of the last call, unique in the process
  int64_t operations_ = 0;
  bool ended_ = false;
  FunctionResult result_;
  std::vector<SymbolicInteger> arguments_;
  std::optional<Int128> outside_;
  std::string outside_operation_;
  std::set<Int128> literals_;
};

// A run on expressions along one path, which must outlive it.
class PathRun final : public FunctionRun {
 public:
  explicit PathRun(PathArithmetic& arithmetic) : arithmetic_(arithmetic) {}

  // Returns the results of all operations on expressions, in order.
  const std::vector<Term>& computed() const { return computed_; }

 private:
  Term ApplyToTerms(FormulaOp op, const Term& a, const Term& b) override;
  bool CompareTerms(FormulaOp op, const Term& a, const Term& b) override { return arithmetic_.Compare(op, a, b); }
  std::optional<int64_t> DecideNumber(const Term& term) override;
  void CheckLimits(int64_t operations) override;

  PathArithmetic& arithmetic_;
  std::vector<Term> computed_;
};

}  // namespace layoutcheck

#endif  // LAYOUTCHECK_SOLVER_FORMULA_PROOF_FUNCTION_RUN_H_
