// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/verify/formulas/formula_path.h"
#include <algorithm>
#include <bit>
#include <tuple>
#include "layoutcheck/core/base/str_cat.h"
#include "layoutcheck/verify/proof/steps.h"

namespace layoutcheck::verify {
namespace {

bool IsComparison(Operator op) { return op >= Operator::kEqual && op <= Operator::kGreaterEqual; }

// An std::expected<bool> does not convert: its explicit operator bool would make the optional true.
Truth ToTruth(Checked<bool> holds) {
  if (!holds) return Refused(holds);
  return std::optional<bool>(*holds);
}

}  // namespace

Value FormulaPath::Evaluate(const Formula& formula) {
  formula_ = &formula;
  parts_.clear();
  return ValueOf(formula.root);
}

Truth FormulaPath::EvaluateTruth(const Formula& formula) {
  formula_ = &formula;
  return TruthOf(formula.root);
}

// Recursion is as deep as the formula, whose reader bounds its depth.
Value FormulaPath::ValueOf(uint32_t number) {
  Part part{.node = number};
  Value value = ComputeValue(number, part);
  if (value && *value) {
    part.value = **value;
    parts_.push_back(part);
  }
  return value;
}

Value FormulaPath::ComputeValue(uint32_t number, Part& part) {
  if (!statement_.ring().fault().empty()) return outcomes_.lines().Refuse(std::string(statement_.ring().fault()));
  const FormulaNode& node = formula_->nodes[number];
  if (node.op == Operator::kNumber) return Number(node.number);
  if (node.op == Operator::kName) {
    const auto known = names_.find(node.name);
    if (known != names_.end()) return known->second;
    return outcomes_.lines().Refuse(StrCat("the formula has the unknown name ", Quoted(node.name)));
  }
  if (node.op == Operator::kLet) return LetValue(node);
  if (node.op == Operator::kTable) return TableValue(node);
  if (node.op == Operator::kConditional) {
    Truth condition = TruthOf(node.operands[0]);
    if (!condition) return Refused(condition);
    if (!*condition) return std::nullopt;
    return ValueOf(node.operands[**condition ? 1 : 2]);
  }
  if (IsComparison(node.op) || node.op == Operator::kNot || node.op == Operator::kAnd || node.op == Operator::kOr) {
    Truth truth = TruthOf(number);
    if (!truth) return Refused(truth);
    return *truth ? std::optional(Number(**truth ? 1 : 0)) : std::nullopt;
  }
  if (node.op == Operator::kNegate || node.op == Operator::kComplement || node.op == Operator::kCast) {
    Value operand = ValueOf(node.operands[0]);
    if (!operand || !*operand) return operand;
    if (node.op == Operator::kCast) return CastValue(node, **operand);
    return statement_.ring().Difference(Number(node.op == Operator::kNegate ? 0 : -1), **operand);
  }
  auto operands = OperandsOf(node);
  if (!operands) return Refused(operands);
  if (!*operands) return std::nullopt;
  std::tie(part.a, part.b) = **operands;
  return Apply(node.op, part.a, part.b);
}

Checked<std::optional<std::pair<Polynomial, Polynomial>>> FormulaPath::OperandsOf(const FormulaNode& node) {
  Value a = ValueOf(node.operands[0]);
  if (!a) return Refused(a);
  if (!*a) return std::nullopt;
  Value b = ValueOf(node.operands[1]);
  if (!b) return Refused(b);
  if (!*b) return std::nullopt;
  return std::pair(**a, **b);
}

Truth FormulaPath::TruthOf(uint32_t number) {
  const FormulaNode& node = formula_->nodes[number];
  if (node.op == Operator::kNot) {
    Truth operand = TruthOf(node.operands[0]);
    if (operand && *operand) *operand = !**operand;
    return operand;
  }
  if (node.op == Operator::kAnd || node.op == Operator::kOr) {
    const Truth first = TruthOf(node.operands[0]);
    if (!first || !*first || **first == (node.op == Operator::kOr)) return first;
    return TruthOf(node.operands[1]);
  }
  if (IsComparison(node.op)) {
    auto operands = OperandsOf(node);
    if (!operands) return Refused(operands);
    if (!*operands) return std::nullopt;
    return ToTruth(conditions_.Compare(node.op, (*operands)->first, (*operands)->second));
  }
  Value value = ValueOf(number);
  if (!value) return Refused(value);
  if (!*value) return std::nullopt;
  return ToTruth(conditions_.Compare(Operator::kNotEqual, **value, Number(0)));
}

Value FormulaPath::LetValue(const FormulaNode& node) {
  Value value = ValueOf(node.operands[0]);
  if (!value || !*value) return value;
  if (!names_.emplace(node.name, **value).second) {
    return outcomes_.lines().Refuse(StrCat("a let binds ", Quoted(node.name), ", which has a meaning already"));
  }
  Value body = ValueOf(node.operands[1]);
  names_.erase(names_.find(node.name));
  return body;
}

Value FormulaPath::TableValue(const FormulaNode& node) {
  std::vector<Polynomial> elements;
  for (const uint32_t element : node.elements) {
    Value value = ValueOf(element);
    if (!value || !*value) return value;
    elements.push_back(**value);
  }
  Value index = ValueOf(node.operands[0]);
  if (!index || !*index) return index;
  const auto last = static_cast<int64_t>(elements.size()) - 1;
  Checked<bool> is_inside = conditions_.IsLessEqual(Number(0), **index);
  if (is_inside && *is_inside) is_inside = conditions_.IsLess(**index, Number(last + 1));
  if (!is_inside) return Refused(is_inside);
  if (!*is_inside) return std::nullopt;
  Checked<int64_t> place = conditions_.NumberBetween(**index, 0, last);
  if (!place) return Refused(place);
  return elements[static_cast<size_t>(*place)];
}

Value FormulaPath::CastValue(const FormulaNode& node, Polynomial a) {
  const Polynomial all = Number(PowerOfTwo(node.number));
  const Polynomial below = Number(node.is_signed ? PowerOfTwo(node.number - 1) : 0);  // how many values are below 0
  Ring& ring = statement_.ring();
  if (!ring.ConstantValue(a)) {
    Checked<std::string_view> outcome = outcomes_.Take();
    if (!outcome) return Refused(outcome);
    if (*outcome == "fit") {
      statement_.AddGoal(statement_.LessEqual(ring.Difference(Number(0), below), a));
      statement_.AddGoal(statement_.Less(a, ring.Difference(all, below)));
      return a;
    }
    if (*outcome != "wrap") return outcomes_.RefuseTaken("expected 'fit' or 'wrap' for a cast");
  }
  return ring.Difference(ring.Mod(ring.Sum(a, below), all), below);
}

Value FormulaPath::Apply(Operator op, Polynomial a, Polynomial b) {
  Ring& ring = statement_.ring();
  switch (op) {
    case Operator::kAdd: return ring.Sum(a, b);
    case Operator::kSubtract: return ring.Difference(a, b);
    case Operator::kMultiply: return ring.Product(a, b);
    case Operator::kDivide:
    case Operator::kRemainder: return DivideTruncating(op, a, b);
    case Operator::kShiftLeft:
    case Operator::kShiftRight: return Shift(op, a, b);
    case Operator::kBitAnd:
    case Operator::kBitOr:
    case Operator::kBitXor: return BitsOf(op, a, b);
    default: break;
  }
  const bool is_choice = op == Operator::kMin || op == Operator::kMax;
  Checked<bool> holds = is_choice ? conditions_.IsLessEqual(a, b) : conditions_.IsLessEqual(Number(1), b);
  if (!holds) return Refused(holds);
  if (is_choice) return *holds == (op == Operator::kMin) ? a : b;
  if (!*holds) return std::nullopt;
  if (op == Operator::kMod) return ring.Mod(a, b);
  return op == Operator::kFloorDiv ? ring.FloorDiv(a, b) : ring.CeilDiv(a, b);
}

// C's a / b and a % b round to 0.
Value FormulaPath::DivideTruncating(Operator op, Polynomial a, Polynomial b) {
  Ring& ring = statement_.ring();
  const Polynomial zero = Number(0);
  Checked<bool> is_positive = conditions_.IsLess(zero, b);
  if (!is_positive) return Refused(is_positive);
  if (!*is_positive) {
    Checked<bool> is_negative = conditions_.IsLess(b, zero);
    if (!is_negative) return Refused(is_negative);
    if (!*is_negative) return std::nullopt;
  }
  Checked<bool> is_natural = conditions_.IsLessEqual(zero, a);
  if (!is_natural) return Refused(is_natural);
  const Polynomial divisor = *is_positive ? b : ring.Difference(zero, b);
  const Polynomial dividend = *is_natural ? a : ring.Difference(zero, a);
  const bool is_quotient = op == Operator::kDivide;
  const Polynomial result = is_quotient ? ring.FloorDiv(dividend, divisor) : ring.Mod(dividend, divisor);
  const bool keeps_sign = is_quotient ? *is_positive == *is_natural : *is_natural;
  return keeps_sign ? result : ring.Difference(zero, result);
}

Value FormulaPath::Shift(Operator op, Polynomial a, Polynomial b) {
  constexpr int kBits = 6;
  Checked<bool> is_inside = conditions_.IsBetween(Number(0), b, Number(63));
  if (!is_inside) return Refused(is_inside);
  if (!*is_inside) return std::nullopt;
  Checked<int64_t> amount = conditions_.NumberOf(b, kBits);
  if (!amount) return Refused(amount);
  if (*amount < 0 || *amount > 63) return outcomes_.RefuseTaken("expected a shift by 0 to 63");
  const Polynomial power = Number(PowerOfTwo(*amount));
  return op == Operator::kShiftLeft ? statement_.ring().Product(a, power) : statement_.ring().FloorDiv(a, power);
}

Value FormulaPath::BitsOf(Operator op, Polynomial a, Polynomial b) {
  Checked<Polynomial> common = CommonBits(a, b);
  if (!common) return Refused(common);
  if (op == Operator::kBitAnd) return *common;
  Ring& ring = statement_.ring();
  const Polynomial once = ring.Difference(ring.Sum(a, b), *common);
  return op == Operator::kBitOr ? once : ring.Difference(once, *common);
}

Checked<Polynomial> FormulaPath::CommonBits(Polynomial a, Polynomial b) {
  constexpr int kMaskBits = 4;
  bool is_right = statement_.ring().ConstantValue(b).has_value();  // the mask is b
  if (!is_right && !statement_.ring().ConstantValue(a)) {
    Checked<std::string_view> outcome = outcomes_.Take();
    if (!outcome) return Refused(outcome);
    if (outcome->starts_with("disjoint left ")) return DisjointBits(outcome->substr(14), a, b);
    if (outcome->starts_with("disjoint right ")) return DisjointBits(outcome->substr(15), b, a);
    if (*outcome == "common") return statement_.ring().CommonBits(a, b);
    is_right = *outcome == "mask right";
    if (!is_right && *outcome != "mask left") {
      return outcomes_.RefuseTaken("expected 'mask', 'disjoint' or 'common' for bits");
    }
  }
  Checked<int64_t> mask = conditions_.NumberOf(is_right ? b : a, kMaskBits);
  if (!mask) return Refused(mask);
  const Polynomial x = is_right ? a : b;
  if (*mask >= 0) return Mask(x, *mask);
  return statement_.ring().Difference(x, Mask(x, -1 - *mask));
}

// Takes it that `multiple` has no bit below bit K and that `small` has no other.
Checked<Polynomial> FormulaPath::DisjointBits(std::string_view outcome, Polynomial multiple, Polynomial small) {
  const std::optional<Int128> bits = TakeNumber(outcome);
  if (!bits || !outcome.empty() || *bits > 63) {
    return outcomes_.RefuseTaken("expected a number of bits from 0 to 63");
  }
  const Polynomial power = Number(PowerOfTwo(static_cast<int64_t>(*bits)));
  statement_.AddGoal(statement_.LessEqual(Number(0), small));
  statement_.AddGoal(statement_.Less(small, power));
  statement_.AddGoal(statement_.Equal(statement_.ring().Mod(multiple, power), Number(0)));
  return Number(0);
}

// Returns x & mask: the sum over the runs of ones of the mask.
Polynomial FormulaPath::Mask(Polynomial x, int64_t mask) {
  Ring& ring = statement_.ring();
  Polynomial sum = Number(0);
  auto rest = static_cast<uint64_t>(mask);
  while (rest != 0) {
    const int low = std::countr_zero(rest);
    const int length = std::countr_one(rest >> low);
    const Polynomial shifted = low == 0 ? x : ring.FloorDiv(x, Number(PowerOfTwo(low)));
    const Polynomial run = ring.Mod(shifted, Number(PowerOfTwo(length)));
    sum = ring.Sum(sum, ring.Product(run, Number(PowerOfTwo(low))));
    rest &= rest + (uint64_t{1} << low);  // removes the lowest run
  }
  return sum;
}

void FormulaPath::Require(const Relation& relation) {
  const std::optional<Int128> number = statement_.ring().ConstantValue(relation.polynomial);
  if (!number || *number < 0) statement_.AddGoal(relation);
}

bool FormulaPath::IsMaskedComplement(uint32_t node) const {
  if (formula_->nodes[node].op != Operator::kComplement) return false;
  return std::ranges::any_of(formula_->nodes, [node](const FormulaNode& parent) {
    return parent.op == Operator::kBitAnd && (parent.operands[0] == node || parent.operands[1] == node);
  });
}

Checked<void> FormulaPath::RequireFit(const MachineInteger& integer) {
  const Polynomial least = Number(integer.Least());
  const Polynomial largest = Number(integer.Largest());
  for (const Part& part : parts_) {
    const Operator op = formula_->nodes[part.node].op;
    // In a & ~b, an unsigned integer has another value of ~b, with the same bits.
    if (integer.is_unsigned && IsMaskedComplement(part.node)) continue;
    if (op == Operator::kShiftLeft || op == Operator::kShiftRight) {
      Require(statement_.Less(part.b, Number(integer.width)));
    }
    if (op == Operator::kShiftLeft && !integer.is_unsigned && !integer.shifts_negative_numbers) {
      Require(statement_.LessEqual(Number(0), part.a));
    }
    if (op == Operator::kRemainder && !integer.is_unsigned) {  // The least value % -1 is undefined.
      Checked<bool> is_defined = conditions_.IsLess(Number(0), part.b);
      if (is_defined && !*is_defined) is_defined = conditions_.IsLess(least, part.a);
      if (is_defined && !*is_defined) is_defined = conditions_.IsLess(part.b, Number(-1));
      if (!is_defined) return Refused(is_defined);
      if (!*is_defined) Require(statement_.Less(Number(0), Number(0)));
    }
    Require(statement_.LessEqual(least, part.value));
    Require(statement_.LessEqual(part.value, largest));
  }
  return {};
}

Checked<void> FormulaPath::TakeSplits() {
  StepChecker steps(statement_, outcomes_.lines());
  while (true) {
    const std::string_view next = outcomes_.Next();
    if (!next.starts_with("atom ") && !next.starts_with("split ")) return {};
    if (next.starts_with("atom ")) {
      if (auto taken = steps.CheckAtom(next.substr(5)); !taken) return taken;
    } else {
      LAYOUTCHECK_TRY(const auto condition, steps.ReadSplit());
      statement_.Assume(condition);
    }
    if (Checked<std::string_view> taken = outcomes_.Take(); !taken) return Refused(taken);
  }
}

}  // namespace layoutcheck::verify
