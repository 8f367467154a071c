// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/solver/paths/function_run.h"
#include <atomic>
#include <exception>
#include <utility>
#include "layoutcheck/core/base/str_cat.h"
#include "layoutcheck/core/formula/formula.h"
#include "layoutcheck/solver/paths/term_text.h"

namespace layoutcheck {
namespace {

constexpr int64_t kMaxOperations = 20'000;  // per call on numbers, of which a search makes many
constexpr int64_t kMaxWholeOperations = 8'000'000;
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

bool IsCast(FormulaOp op) { return op == FormulaOp::kToSigned || op == FormulaOp::kToUnsigned; }

bool AreSame(const Term& a, const Term& b) {
  if (a.IsConstant() != b.IsConstant()) return false;
  return a.IsConstant() ? a.value().value == b.value().value : a.node() == b.node();
}

}  // namespace

FormulaValue<Int128> ApplyToNumbers(FormulaOp op, const Term& a, const Term& b) {
  if (a.value().overflow || b.value().overflow) return {0, FormulaFault::kOverflow};
  return ApplyOperator(op, a.value().value, b.value().value);
}

FunctionResult FunctionRun::Call(const SymbolicFunction& function, std::span<const Term> arguments) {
  static std::atomic<uint64_t> last_id = 0;
  id_ = ++last_id;
  operations_ = 0;
  ended_ = false;
  has_stepped_over_ = false;
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

void FunctionRun::CheckLimits(int64_t operations) {
  LimitOperations(operations, length_ == RunLength::kWhole ? kMaxWholeOperations : kMaxOperations);
}

int64_t FunctionRun::OperationsLeft(RunLength length) {
  return (length == RunLength::kWhole ? kMaxWholeOperations : kMaxOperations) - Current()->operations_;
}

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
  if (!AreNumbers(left, right)) return *Perform(PathRequest::kOperator, op, left, right);
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
  if (!AreNumbers(left, right)) return Perform(PathRequest::kOperator, op, left, right)->value().value != 0;
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
  const std::optional<Term> number = Perform(PathRequest::kNumber, FormulaOp::kLiteral, term, 0);
  if (!number) EndUnknown("an integer that takes many values is converted to a built-in type");
  return number->value().value;
}

SymbolicInteger FunctionRun::NewCount() {
  FunctionRun& run = *Current();
  run.CountOperation();
  return {*run.Perform(PathRequest::kNewVariable, FormulaOp::kLiteral, 0, 0), run.id_};
}

SymbolicInteger FunctionRun::Simplify(const SymbolicInteger& a) {
  FunctionRun& run = *Current();
  run.CountOperation();
  const Term& term = run.TermOf(a);
  if (term.IsConstant()) return a;
  return {*run.Perform(PathRequest::kSimplified, FormulaOp::kLiteral, term, 0), run.id_};
}

bool FunctionRun::CanShowAtMost(const SymbolicInteger& a, const SymbolicInteger& b) {
  FunctionRun& run = *Current();
  if (a.number() && b.number()) return *a.number() <= *b.number();
  run.CountOperation();
  return run.Perform(PathRequest::kAtMost, FormulaOp::kLiteral, run.TermOf(a), run.TermOf(b))->value().value != 0;
}

void FunctionRun::SetPlace(std::string_view verb, std::string_view memory, std::string_view place) {
  if (!IsOnNames() || IsRepeated()) return;
  SetPlace([text = StrCat(verb, " of ", memory, " at ", place)] { return text; });
}

void FunctionRun::AddPlace(std::string_view place) {
  FunctionRun* const run = Current();
  if (run == nullptr || !run->ended_ || run->has_place_ || run->result_.unknown.empty()) return;
  StrAppend(run->result_.unknown, " at ", place);
  run->has_place_ = true;
}

void FunctionRun::RecordLiteral(const Term& number) {
  if (records_literals_ && literals_.size() < kMaxLiterals) literals_.insert(number.value().value);
}

std::optional<Term> PathRun::Perform(PathRequest request, FormulaOp op, const Term& a, const Term& b) {
  FormulaFault fault = FormulaFault::kNone;
  std::optional<Term> value = Value(request, op, a, b, fault);
  const bool is_left_to_the_caller = !value && (request == PathRequest::kNumber || IsCast(op));
  if (!is_left_to_the_caller) computed_.push_back({request, op, a, b, value, fault});
  if (fault != FormulaFault::kNone) EndWithFault(FormulaFaultText(fault));
  return value;
}

std::optional<Term> PathRun::Value(PathRequest request, FormulaOp op, const Term& a, const Term& b,
                                   FormulaFault& fault) {
  PathDecisions& decisions = arithmetic_.decisions();
  switch (request) {
    case PathRequest::kOperator: break;
    case PathRequest::kNumber: return decisions.DecideNumber(a, kMaxNumberBits);
    case PathRequest::kNewVariable: return decisions.NewVariable();
    case PathRequest::kSimplified: return decisions.Simplified(a);
    case PathRequest::kAtMost:
      if (!decisions.Claim(LessEqual(a, b))) return Term(0);
      decisions.Record("+", {LessEqual(a, b)});
      return Term(1);
  }
  if (IsCast(op)) {
    if (casts_ == CastMode::kDecide) return std::nullopt;
    const bool is_signed = op == FormulaOp::kToSigned;
    const auto width = static_cast<int>(b.value().value);
    return casts_ == CastMode::kAlways ? WrappedTerm(is_signed, width, a) : arithmetic_.Cast(is_signed, width, a);
  }
  const PathValue value = arithmetic_.Apply(op, a, b);
  fault = value.fault;
  if (!value.term && fault == FormulaFault::kNone) {
    EndUnknown(StrCat("an operand of ", FindFormulaOperator(op)->spelling, ": ", value.unsupported));
  }
  return value.term;
}

std::string PathRun::TextOfTerm(const Term& term) const {
  constexpr size_t kMaxLength = 80;
  PathBits& bits = arithmetic_.bits();
  const auto text =
      TermText(arithmetic_.decisions().terms(), term, {bits.functions().common_bits(), bits.powers().exponents()});
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

std::optional<Term> RepeatedPathRun::Perform(PathRequest request, FormulaOp op, const Term& a, const Term& b) {
  const bool is_at_end = next_ == computed_.size();
  if (IsCast(op) && (is_at_end || computed_[next_].op != op)) return std::nullopt;
  if (is_at_end) EndUnknown(kFunctionHasState);
  const PathOperation& first = computed_[next_++];
  if (first.request != request || first.op != op || !AreSame(first.a, a) || !AreSame(first.b, b)) {
    EndUnknown(kFunctionHasState);
  }
  if (!first.value) EndWithFault(FormulaFaultText(first.fault));
  return first.value;
}

void RepeatedPathRun::CheckLimits(int64_t operations) { LimitOperations(operations, kMaxPathOperations); }

}  // namespace layoutcheck
