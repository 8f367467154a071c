#include "layoutcheck/solver/formula_proof/function_run.h"

#include <atomic>
#include <exception>
#include <stdexcept>
#include <utility>

#include "layoutcheck/core/base/str_cat.h"
#include "layoutcheck/core/formula/formula_operators.h"

namespace layoutcheck {
namespace {

constexpr size_t kMaxNumbers = 64;
constexpr const char* kOutlived = "a symbolic integer outlived the run that it belongs to";
constexpr int kMaxNumberBits = 4;  // of a name's value that is asked for as a number: each one is tried

// Leaves the function that runs. It is no std::exception, which a function may handle.
struct RunEnd {};

std::string OperationText(FormulaOp op, Int128 a, Int128 b) {
  return StrCat(ToDecimal(a), " ", FindFormulaOperator(op)->spelling, " ", ToDecimal(b));
}

// Of two numbers, where 128 bits hold it; a fault otherwise.
FormulaValue<Int128> ApplyToNumbers(FormulaOp op, const Term& a, const Term& b) {
  if (a.value().overflow || b.value().overflow) return {0, FormulaFault::kOverflow};
  return ApplyOperator(op, a.value().value, b.value().value);
}

bool AreNumbers(const Term& a, const Term& b) { return a.IsConstant() && b.IsConstant(); }

}  // namespace

FunctionRun*& FunctionRun::Current() {
  thread_local FunctionRun* current = nullptr;
  return current;
}

FunctionResult FunctionRun::Call(const SymbolicFunction& function, std::span<const Term> arguments) {
  static std::atomic<uint64_t> last_id = 0;
  id_ = ++last_id;
  operations_ = 0;
  ended_ = false;
  result_ = {};
  computed_.clear();
  outside_.reset();
  arguments_.clear();
  for (const Term& argument : arguments) arguments_.push_back(SymbolicInteger(argument, id_));
  FunctionRun* const outer = std::exchange(Current(), this);
  try {
    const SymbolicInteger value = function.symbolic(arguments_);
    if (!ended_) result_.value = Use(value);
  } catch (const RunEnd&) {
  } catch (const std::exception& error) {
    if (!ended_) result_.fault = StrCat("it threw: ", error.what());
  } catch (...) {
    if (!ended_) result_.fault = "it threw";
  }
  Current() = outer;
  return std::move(result_);
}

std::string FunctionRun::OutsideText() const {
  return OperationText(outside_operation_.op, outside_operation_.a, outside_operation_.b);
}

void FunctionRun::EndWithFault(std::string text) {
  if (!ended_) result_.fault = std::move(text);
  ended_ = true;
  throw RunEnd();
}

void FunctionRun::EndUnknown(std::string text) {
  if (!ended_) result_.unknown = std::move(text);
  ended_ = true;
  throw RunEnd();
}

void FunctionRun::Count() {
  // A function that caught the end and went on.
  if (ended_) throw RunEnd();
  const int64_t limit = arithmetic_ == nullptr ? kMaxOperations : kMaxPathOperations;
  if (++operations_ > limit) EndUnknown(StrCat("the function takes more than ", limit, " operations"));
  if (arithmetic_ == nullptr) return;
  if (arithmetic_->decisions() > kMaxDecisions) {
    EndUnknown(StrCat("more than ", kMaxDecisions,
                      " branches one after another depend on the names, as in a loop that ", "a name ends"));
  }
  if (arithmetic_->questions() > kMaxQuestions) EndUnknown("one path through the function takes too much work");
}

const Term& FunctionRun::Use(const SymbolicInteger& operand) {
  if (!operand.term_.IsConstant() && operand.run_ != id_) {
    EndUnknown("the function uses an integer that another call of it left behind");
  }
  return operand.term_;
}

Term FunctionRun::Apply(FormulaOp op, const SymbolicInteger& a, const SymbolicInteger& b) {
  Count();
  const Term& left = Use(a);
  const Term& right = Use(b);
  if (AreNumbers(left, right)) {
    const FormulaValue<Int128> value = ApplyToNumbers(op, left, right);
    if (value.fault == FormulaFault::kOverflow) EndUnknown("a number takes more than 128 bits");
    if (!value.ok()) {
      EndWithFault(
          StrCat(OperationText(op, left.value().value, right.value().value), ": ", FormulaFaultText(value.fault)));
    }
    if (!outside_ && (value.value < least_ || value.value > largest_)) {
      outside_ = value.value;
      outside_operation_ = {op, left.value().value, right.value().value};
    }
    return Term(WideInteger(value.value));
  }
  const PathValue value = arithmetic_->Apply(op, left, right);
  if (value.fault != FormulaFault::kNone) EndWithFault(FormulaFaultText(value.fault));
  if (!value.term) EndUnknown(StrCat("an operand of ", FindFormulaOperator(op)->spelling, ": ", value.unsupported));
  computed_.push_back(*value.term);
  return *value.term;
}

bool FunctionRun::Compare(FormulaOp op, const SymbolicInteger& a, const SymbolicInteger& b) {
  Count();
  const Term& left = Use(a);
  const Term& right = Use(b);
  return AreNumbers(left, right) ? ApplyToNumbers(op, left, right).value != 0 : arithmetic_->Compare(op, left, right);
}

bool FunctionRun::IsTrue(const SymbolicInteger& a) {
  Count();
  const Term& term = Use(a);
  return term.IsConstant() ? term.value().value != 0 : arithmetic_->IsTrue(term);
}

Int128 FunctionRun::Number(const SymbolicInteger& a) {
  Count();
  const Term& term = Use(a);
  if (term.IsConstant()) return term.value().value;
  const std::optional<int64_t> number = arithmetic_->NumberOf(term, kMaxNumberBits);
  if (!number) EndUnknown("an integer that takes many values is converted to a built-in type");
  return *number;
}

void FunctionRun::Note(const Term& number) {
  if (numbers_.size() < kMaxNumbers) numbers_.insert(number.value().value);
}

// The operators of the symbolic integer: those of the run, or of numbers outside of one.

SymbolicInteger SymbolicInteger::Apply(FormulaOp op, const SymbolicInteger& a, const SymbolicInteger& b) {
  if (FunctionRun* const run = FunctionRun::Current()) return {run->Apply(op, a, b), run->id_};
  if (!AreNumbers(a.term_, b.term_)) throw std::logic_error(kOutlived);
  const FormulaValue<Int128> value = ApplyToNumbers(op, a.term_, b.term_);
  if (!value.ok()) throw std::logic_error(FormulaFaultText(value.fault));
  return {Term(WideInteger(value.value)), 0};
}

bool SymbolicInteger::Compare(FormulaOp op, const SymbolicInteger& a, const SymbolicInteger& b) {
  if (FunctionRun* const run = FunctionRun::Current()) return run->Compare(op, a, b);
  return Apply(op, a, b).term_.value().value != 0;
}

bool SymbolicInteger::IsTrue() const {
  if (FunctionRun* const run = FunctionRun::Current()) return run->IsTrue(*this);
  return Compare(FormulaOp::kNotEqual, *this, 0);
}

Int128 SymbolicInteger::Number(Int128 least, Int128 largest) const {
  FunctionRun* const run = FunctionRun::Current();
  if (run == nullptr && !term_.IsConstant()) {
    throw std::logic_error(kOutlived);
  }
  const Int128 number = run != nullptr ? run->Number(*this) : term_.value().value;
  if (number >= least && number <= largest) return number;
  const std::string text = StrCat(ToDecimal(number), " does not fit the built-in type that it is converted to");
  if (run == nullptr) throw std::logic_error(text);
  run->EndUnknown(text);
}

void SymbolicInteger::Note() const {
  if (FunctionRun* const run = FunctionRun::Current()) run->Note(term_);
}

}  // namespace layoutcheck
