// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Runs of a user's function on symbolic integers: on numbers, or on expressions along one path. A run ends even if the
// function does not, because operations and decisions are limited. Exceptions are caught. A loop that uses no symbolic
// integer and does not terminate is not detected.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>
#include "layoutcheck/solver/paths/machine_integer.h"
#include "layoutcheck/solver/paths/path_arithmetic.h"
#include "layoutcheck/solver/paths/symbolic_integer.h"

namespace layoutcheck {

// A function of integers as two instances of one template. The caller chooses the order of the arguments.
struct SymbolicFunction {
  std::function<SymbolicInteger(std::span<const SymbolicInteger>)> symbolic;
  std::function<int64_t(std::span<const int64_t>)> numeric;
  bool is_pure = false;  // the caller knows that equal arguments give equal results, whatever was called before

  explicit operator bool() const { return symbolic != nullptr; }
};

// The result of a run: a value, the reason why the function has none ("7 / 0: division by zero", "it threw: ..."), or
// the reason why neither is known. A run that FunctionEnd ended has none of these.
struct FunctionResult {
  std::optional<Term> value;
  std::string fault;
  std::string unknown;
  std::optional<std::string> end;  // text of the FunctionEnd
};

// Thrown by a function that interprets code: it has no value ("3 / 0 divides by zero at f.c:7"), or cannot be followed.
struct FunctionFault {
  std::string text;
};
struct FunctionUnknown {
  std::string text;
};

// Thrown by such a function to end a path that is about a variable of FunctionRun::NewCount(): other values of the
// variable cover the same points, so nothing is claimed about the value. With a text, it is claimed that no point takes
// the path; the text says why one may.
struct FunctionEnd {
  std::string unless_unreachable;
};

// Returns a op b for two numbers, or the fault kOverflow if the result does not fit 128 bits.
FormulaValue<Int128> ApplyToNumbers(FormulaOp op, const Term& a, const Term& b);

// The length of a run on numbers, which loops with many iterations may exceed.
enum class RunLength : uint8_t {
  kUsual,  // at most 20,000 operations
  // At most 20,000 operations. Where a loop would take more, the run steps over iterations, as if each changed the
  // variables as the ones before did. A fault that it finds then is a guess, which a kWhole run has to confirm. If it
  // finds none, nothing is known.
  kShortened,
  kWhole,  // at most 8,000,000 operations, for single points
};

// Maximum number of branches per path that depend on names.
inline constexpr size_t kMaxDecisions = 64;

// The requests of a function to a run on expressions.
enum class PathRequest : uint8_t {
  kOperator,  // a op b, or a cast of `a` to a type of b bits
  kNumber,    // the number that `a` is
  kNewVariable,
  kSimplified,  // `a` in canonical form
  kAtMost,      // 1 if a <= b can be shown, otherwise 0
};

// A run on numbers.
class FunctionRun {
 public:
  // Records the first operation on numbers that `integer` does not compute as the integers do.
  explicit FunctionRun(const MachineInteger& integer = kInt64OfCpp) : integer_(integer) {}
  FunctionRun(const FunctionRun&) = delete;
  FunctionRun& operator=(const FunctionRun&) = delete;
  virtual ~FunctionRun() = default;

  FunctionResult Call(const SymbolicFunction& function, std::span<const Term> arguments);
  // Sets the length of the next calls.
  void SetLength(RunLength length) { length_ = length; }

  int64_t operations() const { return operations_; }
  // Returns the first operation of the last call that the machine's integers compute differently, if there is one.
  const std::optional<MachineFault>& machine_fault() const { return machine_fault_; }
  // Returns true if the last call computed ~ on an unsigned type, whose value differs from that of a signed one.
  bool has_unsigned_complement() const { return has_unsigned_complement_; }
  // Makes the calls from now on record literals.
  void RecordLiterals() { records_literals_ = true; }
  // Returns some of the literals and table sizes in the code, over all calls that recorded them.
  const std::set<Int128>& literals() const { return literals_; }

  // Help for a function that steps over iterations in runs on numbers.

  // Returns true if the present run has this length. Those on expressions are kUsual.
  static bool HasLength(RunLength length) { return Current() != nullptr && Current()->length_ == length; }
  // Returns the number of operations of the present run so far; 0 if there is none.
  static int64_t OperationsOfRun() { return Current() == nullptr ? 0 : Current()->operations_; }
  // Returns the number of operations that the present run may still take if it has this length.
  static int64_t OperationsLeft(RunLength length);
  // Says that the present run has stepped over iterations.
  static void SetSteppedOver() { Current()->has_stepped_over_ = true; }
  // Returns true if the present or the last run has stepped over iterations.
  bool has_stepped_over() const { return has_stepped_over_; }
  static bool HasSteppedOver() { return Current() != nullptr && Current()->has_stepped_over_; }

  // Help for a function that follows loops whose ends names decide. All but IsOnNames() and CountRepeated() require
  // that it returns true; in a run on numbers, Simplify() and CanShowAtMost() are for numbers.

  // Returns true if the present run is one on expressions.
  static bool IsOnNames() { return Current() != nullptr && Current()->is_on_names(); }
  // Returns true if the present run repeats another one, in which texts of expressions are "...".
  static bool IsRepeated() { return Current() != nullptr && Current()->is_repeated(); }
  // Returns a new variable that takes all values >= 0. All that is claimed on a path is claimed for all of them.
  static SymbolicInteger NewCount();
  // Returns an equal expression in canonical form, or the number that the expression is.
  static SymbolicInteger Simplify(const SymbolicInteger& a);
  // Returns true if a <= b can be shown. Decides nothing.
  static bool CanShowAtMost(const SymbolicInteger& a, const SymbolicInteger& b);
  // Counts operations that the present run, if there is one, would have repeated and whose result is remembered.
  static void CountRepeated(int64_t operations) {
    if (Current() != nullptr) Current()->CheckLimits(Current()->operations_ += operations);
  }
  // Says which place in the code the operations that follow are about, until the next call or the end of the run. The
  // function is called for each that is shown or refuted, so that it costs nothing where that is none.
  static void SetPlace(const std::function<std::string()>& place) { Current()->NotePlace(place); }
  // Says in a run on expressions that they are about "a read of in at tile.cu:7". Does nothing in another run.
  static void SetPlace(std::string_view verb, std::string_view memory, std::string_view place);
  // Adds the place in the code to the reason why the present run has ended, if it has none yet.
  static void AddPlace(std::string_view place);
  // Returns the expression in the notation of formulas; "..." if it is long.
  static std::string Text(const SymbolicInteger& a) { return Current()->TextOfTerm(Current()->TermOf(a)); }

 protected:
  [[noreturn]] void EndUnknown(std::string text);
  [[noreturn]] void EndWithFault(std::string text);

  // Performs an operation on expressions. Returns nothing for a number of many values or a cast that is no one
  // expression.
  virtual std::optional<Term> Perform(PathRequest, FormulaOp, const Term&, const Term&) {
    EndUnknown("an expression in a run on numbers");
  }
  // Returns the number of decisions so far.
  virtual size_t decisions() const { return 0; }
  virtual bool is_on_names() const { return false; }
  virtual bool is_repeated() const { return false; }
  virtual std::string TextOfTerm(const Term&) const { return "..."; }
  virtual void NotePlace(const std::function<std::string()>& /*place*/) {}
  // Ends the call if it takes too much work.
  virtual void CheckLimits(int64_t operations);
  void LimitOperations(int64_t operations, int64_t limit);

 private:
  friend class SymbolicInteger;

  // Returns the innermost run of this thread, or null.
  static FunctionRun*& Current() { return current; }
  // The operators of SymbolicInteger inside a run.
  Term Apply(FormulaOp op, const SymbolicInteger& a, const SymbolicInteger& b);
  bool Compare(FormulaOp op, const SymbolicInteger& a, const SymbolicInteger& b);
  Term Complement(const SymbolicInteger& a);
  Int128 ToNumber(const SymbolicInteger& a);
  void RecordLiteral(const Term& number);

  const Term& TermOf(const SymbolicInteger& operand);
  void CheckMachine(FormulaOp op, Int128 a, Int128 b, Int128 value);
  void CountOperation();

  static inline constinit thread_local FunctionRun* current = nullptr;

  MachineInteger integer_;
  std::optional<MachineFault> machine_fault_;
  FunctionResult result_;
  uint64_t id_ = 0;  // number of the last call, unique in the process
  int64_t operations_ = 0;
  std::vector<SymbolicInteger> arguments_;
  std::set<Int128> literals_;
  RunLength length_ = RunLength::kUsual;
  bool records_literals_ = false;
  bool ended_ = false;
  bool has_stepped_over_ = false;
  bool has_place_ = false;  // the reason why the run ended already names a place
  bool has_unsigned_complement_ = false;
};

// The treatment of a conversion to an integer type of an expression whose value may not fit the type.
enum class CastMode : uint8_t {
  kDecide,       // one path for values that fit, other paths for the rest
  kUnlessShown,  // one expression modulo 2^width, unless the value is shown to fit
  kAlways,       // one expression modulo 2^width
};

// An operation on expressions.
struct PathOperation {
  PathRequest request;
  FormulaOp op;  // operator of kOperator
  Term a;
  Term b;
  std::optional<Term> value;  // 0 or 1 for a comparison; none if the operation has no value
  FormulaFault fault = FormulaFault::kNone;
};

// A run on expressions along one path, which must outlive it.
class PathRun final : public FunctionRun {
 public:
  PathRun(PathArithmetic& arithmetic, CastMode casts, const MachineInteger& integer)
      : FunctionRun(integer), arithmetic_(arithmetic), casts_(casts) {}

  // Returns all operations on expressions in order.
  const std::vector<PathOperation>& computed() const { return computed_; }

 private:
  std::optional<Term> Perform(PathRequest request, FormulaOp op, const Term& a, const Term& b) override;
  std::optional<Term> Value(PathRequest request, FormulaOp op, const Term& a, const Term& b, FormulaFault& fault);
  size_t decisions() const override { return arithmetic_.decisions().subjects().size(); }
  bool is_on_names() const override { return true; }
  std::string TextOfTerm(const Term& term) const override;
  void NotePlace(const std::function<std::string()>& place) override { arithmetic_.decisions().SetPlace(place); }
  void CheckLimits(int64_t operations) override;

  PathArithmetic& arithmetic_;
  CastMode casts_;
  std::vector<PathOperation> computed_;
};

// A second run along the path of a PathRun. It is cheap, because it takes results from the first one. A function that
// depends on its arguments alone does the same operations again.
class RepeatedPathRun final : public FunctionRun {
 public:
  // `computed` must outlive the run.
  RepeatedPathRun(const std::vector<PathOperation>& computed, const MachineInteger& integer)
      : FunctionRun(integer), computed_(computed) {}

  // Returns true if the function does and returns what it did in the first run, whose result was `first`.
  bool Repeats(const SymbolicFunction& function, std::span<const Term> arguments, const FunctionResult& first);

 private:
  std::optional<Term> Perform(PathRequest request, FormulaOp op, const Term& a, const Term& b) override;
  bool is_on_names() const override { return true; }
  bool is_repeated() const override { return true; }
  void CheckLimits(int64_t operations) override;

  const std::vector<PathOperation>& computed_;
  size_t next_ = 0;
};

// The reason why nothing is known of a function that has a state.
inline constexpr const char* kFunctionHasState =
    "the function gave another value when it was run again: its arguments are not all that it uses";

// Returns true if two runs gave the same: numbers or expressions of one context, faults, and reasons.
bool AreSame(const FunctionResult& a, const FunctionResult& b);

// Name of the operation in a fault of ~ on an unsigned type, where ~ has another value.
inline constexpr const char* kUnsignedComplement = "the result, in which ~ is that of an unsigned type";

}  // namespace layoutcheck
