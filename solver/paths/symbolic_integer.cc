// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/solver/paths/symbolic_integer.h"
#include <stdexcept>
#include "layoutcheck/core/base/str_cat.h"
#include "layoutcheck/solver/paths/function_run.h"

namespace layoutcheck {
namespace {

constexpr const char* kOutlived = "a symbolic integer outlived the run that it belongs to";

}  // namespace

Int128 SymbolicInteger::ApplyOutsideRun(FormulaOp op, Arg a, Arg b) {
  if (!a.term_.IsConstant() || !b.term_.IsConstant()) throw std::logic_error(kOutlived);
  const FormulaValue<Int128> value = ApplyToNumbers(op, a.term_, b.term_);
  if (!value.ok()) throw std::logic_error(FormulaFaultText(value.fault));
  return value.value;
}

SymbolicInteger SymbolicInteger::Apply(FormulaOp op, Arg a, Arg b) {
  if (FunctionRun* const run = FunctionRun::Current()) return {run->Apply(op, a, b), run->id_};
  return {Term(WideInteger(ApplyOutsideRun(op, a, b))), 0};
}

SymbolicInteger SymbolicInteger::Complement(Arg a) {
  if (FunctionRun* const run = FunctionRun::Current()) return {run->Complement(a), run->id_};
  return Apply(FormulaOp::kSubtract, -1, a);
}

bool SymbolicInteger::Compare(FormulaOp op, Arg a, Arg b) {
  if (FunctionRun* const run = FunctionRun::Current()) return run->Compare(op, a, b);
  return ApplyOutsideRun(op, a, b) != 0;
}

std::optional<Int128> SymbolicInteger::number() const {
  if (!term_.IsConstant() || term_.value().overflow) return std::nullopt;
  return term_.value().value;
}

std::optional<SymbolicInteger> SymbolicInteger::WholeCast(bool is_signed, int width, Arg a) {
  FunctionRun* const run = FunctionRun::Current();
  if (run == nullptr || a.term_.IsConstant()) return std::nullopt;
  const FormulaOp op = is_signed ? FormulaOp::kToSigned : FormulaOp::kToUnsigned;
  const std::optional<Term> value = run->Perform(PathRequest::kOperator, op, run->TermOf(a), width);
  return value ? std::optional(SymbolicInteger(*value, run->id_)) : std::nullopt;
}

bool SymbolicInteger::AreSame(Arg a, Arg b) {
  if (a.term_.IsConstant() || b.term_.IsConstant()) return a.number() && a.number() == b.number();
  return a.run_ == b.run_ && a.term_.node() == b.term_.node();
}

size_t SymbolicInteger::DecisionsOfRun() {
  const FunctionRun* const run = FunctionRun::Current();
  return run == nullptr ? 0 : run->decisions();
}

Int128 SymbolicInteger::ToNumber(Int128 least, Int128 largest) const {
  FunctionRun* const run = FunctionRun::Current();
  if (run == nullptr && !term_.IsConstant()) throw std::logic_error(kOutlived);
  const Int128 number = run != nullptr ? run->ToNumber(*this) : term_.value().value;
  if (number >= least && number <= largest) return number;
  const std::string text = StrCat(ToDecimal(number), " does not fit the built-in type that it is converted to");
  if (run == nullptr) throw std::logic_error(text);
  run->EndUnknown(text);
}

void SymbolicInteger::RecordLiteral() const {
  if (FunctionRun* const run = FunctionRun::Current()) run->RecordLiteral(term_);
}

}  // namespace layoutcheck
