// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/solver/paths/function_run.h"
#include <atomic>
#include <exception>
#include <utility>
#include "layoutcheck/core/base/str_cat.h"
#include "layoutcheck/core/formula/formula_operators.h"
#include "layoutcheck/solver/paths/term_text.h"

namespace layoutcheck {
namespace {

constexpr int64_t kMaxOperations = 20'000;       // per call on numbers, of which a search makes many
constexpr int64_t kMaxPathOperations = 100'000;  // per path
constexpr int64_t kMaxQuestions = 4000;          // to linear arithmetic, per path
constexpr int kMaxNumberBits = 4;                // each value of an expression converted to a number is a path
constexpr size_t kMaxLiterals = 64;

// Thrown to leave the function. It is not a std::exception, because the function may handle those.
struct RunEnd {};

bool AreNumbers(const Term& a, const Term& b) { return a.IsConstant() && b.IsConstant(); }

std::string OperationText(FormulaOp op, Int128 a, Int128 b) {
  return StrCat(ToDecimal(a), " ", FindFormulaOperator(op)->spelling, " ", ToDecimal(b));
}

bool AreSame(const Term& a, const Term& b) {
  if (a.IsConstant() != b.IsConstant()) return false;
  return a.IsConstant() ? a.value().value == b.value().value : a.node() == b.node();
}

}  // namespace

FormulaValue<Int128> ApplyToNumbers(FormulaOp op, const Term& a, const Term& b) {
  if (a.value().overflow || b.value().overflow) return {0, FormulaFault::kOverflow};
  return ApplyOperator(op, a.value().value, b.value().value);
}

FunctionRun*& FunctionRun::Current() {
  thread_local FunctionRun* current = nullptr;
  return current;
}

FunctionResult FunctionRun::Call(const SymbolicFunction& function, std::span<const Term> arguments) {
  static std::atomic<uint64_t> last_id = 0;
  id_ = ++last_id;
  operations_ = 0;
  ended_ = false;
  has_place_ = false;
  result_ = {};
  machine_fault_.reset();
  has_unsigned_complement_ = false;
  arguments_.clear();
  for (const Term& argument : arguments) arguments_.push_back(SymbolicInteger(argument, id_));
  FunctionRun* const outer = std::exchange(Current(), this);
  try {
    const SymbolicInteger value = function.symbolic(arguments_);
    if (!ended_) result_.value = TermOf(value);
  } catch (const RunEnd&) {
  } catch (const FunctionFault& fault) {
    if (!ended_) result_.fault = fault.text;
  } catch (const FunctionUnknown& unknown) {
    if (!ended_) result_.unknown = unknown.text;
  } catch (const FunctionEnd& end) {
    if (!ended_) result_.end = end.unless_unreachable;
  } catch (const std::exception& error) {
    if (!ended_) result_.fault = StrCat("it threw: ", error.what());
  } catch (...) {
    if (!ended_) result_.fault = "it threw";
  }
  Current() = outer;
  return std::move(result_);
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

void FunctionRun::CountOperation() {
  if (ended_) throw RunEnd();  // The function caught the RunEnd and went on.
  CheckLimits(++operations_);
}

void FunctionRun::CheckLimits(int64_t operations) { LimitOperations(operations, kMaxOperations); }

void FunctionRun::LimitOperations(int64_t operations, int64_t limit) {
  if (operations > limit) EndUnknown(StrCat("the function takes more than ", limit, " operations"));
}

const Term& FunctionRun::TermOf(const SymbolicInteger& operand) {
  if (!operand.term_.IsConstant() && operand.run_ != id_) {
    EndUnknown("the function uses an integer that another call of it left behind");
  }
  return operand.term_;
}

Term FunctionRun::Apply(FormulaOp op, const SymbolicInteger& a, const SymbolicInteger& b) {
  CountOperation();
  const Term& left = TermOf(a);
  const Term& right = TermOf(b);
  if (!AreNumbers(left, right)) return ApplyToTerms(op, left, right);
  const FormulaValue<Int128> value = ApplyToNumbers(op, left, right);
  if (value.fault == FormulaFault::kOverflow) EndUnknown("a number takes more than 128 bits");
  if (!value.ok())
    EndWithFault(
        StrCat(OperationText(op, left.value().value, right.value().value), ": ", FormulaFaultText(value.fault)));
  CheckMachine(op, left.value().value, right.value().value, value.value);
  return Term(WideInteger(value.value));
}

bool FunctionRun::Compare(FormulaOp op, const SymbolicInteger& a, const SymbolicInteger& b) {
  CountOperation();
  const Term& left = TermOf(a);
  const Term& right = TermOf(b);
  if (!AreNumbers(left, right)) return CompareTerms(op, left, right);
  const Int128 truth = ApplyToNumbers(op, left, right).value;
  CheckMachine(op, left.value().value, right.value().value, truth);
  return truth != 0;
}

Term FunctionRun::Complement(const SymbolicInteger& a) {
  if (integer_.IsUnsigned()) has_unsigned_complement_ = true;
  return Apply(FormulaOp::kSubtract, SymbolicInteger(Term(WideInteger(integer_.AllBits())), 0), a);
}

void FunctionRun::CheckMachine(FormulaOp op, Int128 a, Int128 b, Int128 value) {
  if (machine_fault_) return;
  machine_fault_ = FaultOf(integer_, op, a, b, value);
  if (machine_fault_) machine_fault_->operation = OperationText(op, a, b);
}

Int128 FunctionRun::ToNumber(const SymbolicInteger& a) {
  CountOperation();
  const Term& term = TermOf(a);
  if (term.IsConstant()) return term.value().value;
  const std::optional<int64_t> number = DecideNumber(term);
  if (!number) EndUnknown("an integer that takes many values is converted to a built-in type");
  return *number;
}

bool FunctionRun::IsOnNames() { return Current() != nullptr && Current()->is_on_names(); }

SymbolicInteger FunctionRun::NewCount() {
  FunctionRun& run = *Current();
  run.CountOperation();
  return {run.NewVariable(), run.id_};
}

SymbolicInteger FunctionRun::Simplify(const SymbolicInteger& a) {
  FunctionRun& run = *Current();
  run.CountOperation();
  const Term& term = run.TermOf(a);
  return term.IsConstant() ? a : SymbolicInteger(run.Simplified(term), run.id_);
}

bool FunctionRun::CanShowAtMost(const SymbolicInteger& a, const SymbolicInteger& b) {
  FunctionRun& run = *Current();
  if (a.number() && b.number()) return *a.number() <= *b.number();
  run.CountOperation();
  return run.ShowsAtMost(run.TermOf(a), run.TermOf(b));
}

void FunctionRun::AddPlace(std::string_view place) {
  FunctionRun* const run = Current();
  if (run == nullptr || !run->ended_ || run->has_place_ || run->result_.unknown.empty()) return;
  StrAppend(run->result_.unknown, " at ", place);
  run->has_place_ = true;
}

std::string FunctionRun::Text(const SymbolicInteger& a) { return Current()->TextOfTerm(Current()->TermOf(a)); }

void FunctionRun::RecordLiteral(const Term& number) {
  if (literals_.size() < kMaxLiterals) literals_.insert(number.value().value);
}

Term PathRun::ApplyToTerms(FormulaOp op, const Term& a, const Term& b) {
  const PathValue value = arithmetic_.Apply(op, a, b);
  computed_.push_back({op, a, b, value.term, value.fault});
  if (value.fault != FormulaFault::kNone) EndWithFault(FormulaFaultText(value.fault));
  if (!value.term) EndUnknown(StrCat("an operand of ", FindFormulaOperator(op)->spelling, ": ", value.unsupported));
  return *value.term;
}

std::optional<Term> PathRun::WholeCast(bool is_signed, int width, const Term& a) {
  if (casts_ == CastMode::kDecide) return std::nullopt;
  const Term value =
      casts_ == CastMode::kAlways ? WrappedTerm(is_signed, width, a) : arithmetic_.Cast(is_signed, width, a);
  computed_.push_back({is_signed ? FormulaOp::kToSigned : FormulaOp::kToUnsigned, a, Term(width), value});
  return value;
}

bool PathRun::CompareTerms(FormulaOp op, const Term& a, const Term& b) {
  const bool truth = arithmetic_.Compare(op, a, b);
  computed_.push_back({op, a, b, Term(truth ? 1 : 0)});
  return truth;
}

size_t PathRun::decisions() const { return arithmetic_.decisions().subjects().size(); }

std::optional<int64_t> PathRun::DecideNumber(const Term& term) {
  const std::optional<int64_t> number = arithmetic_.decisions().DecideNumber(term, kMaxNumberBits);
  if (number) computed_.push_back({FormulaOp::kLiteral, term, term, Term(*number)});
  return number;
}

Term PathRun::NewVariable() {
  const Term variable = arithmetic_.decisions().NewVariable();
  computed_.push_back({FormulaOp::kLiteral, kNewVariable, kNewVariable, variable});
  return variable;
}

Term PathRun::Simplified(const Term& term) {
  const Term simple = arithmetic_.decisions().Simplified(term);
  computed_.push_back({FormulaOp::kLiteral, term, kSimplified, simple});
  return simple;
}

bool PathRun::ShowsAtMost(const Term& a, const Term& b) {
  const bool shown = arithmetic_.decisions().Claim(LessEqual(a, b));
  computed_.push_back({FormulaOp::kLiteral, a, b, Term(shown ? 1 : 0)});
  return shown;
}

std::string PathRun::TextOfTerm(const Term& term) const {
  constexpr size_t kMaxLength = 80;
  const auto text = TermText(arithmetic_.decisions().terms(), term, {});
  return text && text->size() <= kMaxLength ? *text : "...";
}

void PathRun::CheckLimits(int64_t operations) {
  LimitOperations(operations, kMaxPathOperations);
  if (arithmetic_.decisions().subjects().size() > kMaxDecisions) {
    EndUnknown(StrCat("more than ", kMaxDecisions, " branches one after another depend on the names"));
  }
  if (arithmetic_.questions() > kMaxQuestions) EndUnknown("one path through the function takes too much work");
  if (arithmetic_.decisions().overflow())
    EndUnknown("the expressions on one path through the function become too large");
}

bool AreSame(const FunctionResult& a, const FunctionResult& b) {
  if (a.value.has_value() != b.value.has_value() || a.fault != b.fault || a.unknown != b.unknown || a.end != b.end)
    return false;
  return !a.value || AreSame(*a.value, *b.value);
}

bool RepeatedPathRun::Repeats(const SymbolicFunction& function, std::span<const Term> arguments,
                              const FunctionResult& first) {
  return AreSame(Call(function, arguments), first) && next_ == computed_.size();
}

Term RepeatedPathRun::Next(FormulaOp op, const Term& a, const Term& b) {
  if (next_ == computed_.size()) EndUnknown(kFunctionHasState);
  const PathOperation& first = computed_[next_++];
  if (first.op != op || !AreSame(first.a, a) || !AreSame(first.b, b)) EndUnknown(kFunctionHasState);
  if (!first.value) EndWithFault(FormulaFaultText(first.fault));
  return *first.value;
}

std::optional<Term> RepeatedPathRun::WholeCast(bool is_signed, int width, const Term& a) {
  const FormulaOp op = is_signed ? FormulaOp::kToSigned : FormulaOp::kToUnsigned;
  if (next_ == computed_.size() || computed_[next_].op != op) return std::nullopt;
  return Next(op, a, Term(width));
}

std::optional<int64_t> RepeatedPathRun::DecideNumber(const Term& term) {
  return static_cast<int64_t>(Next(FormulaOp::kLiteral, term, term).value().value);
}

void RepeatedPathRun::CheckLimits(int64_t operations) { LimitOperations(operations, kMaxPathOperations); }

}  // namespace layoutcheck
