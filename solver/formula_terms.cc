#include "layoutcheck/solver/formula_terms.h"

#include <bit>

#include "layoutcheck/core/str_cat.h"

namespace layoutcheck {
namespace {

constexpr int kMaxMaskBits = 4;   // of an unknown that every value is tried of, beside & | ^
constexpr int kMaxShiftBits = 6;  // and of a shift

// 2^exponent, for exponents up to 63.
Term PowerOfTwo(int exponent) {
  return exponent < 63 ? Term(int64_t{1} << exponent) : Term(int64_t{1} << 62) * Term(2);
}

// x & mask for a mask >= 0: for each run of ones, the bits of x there. Right for every x, as two's complement has it.
Term MaskBits(const Term& x, int64_t mask) {
  Term sum = 0;
  auto rest = static_cast<uint64_t>(mask);
  while (rest != 0) {
    const int low = std::countr_zero(rest);
    const int length = std::countr_one(rest >> low);
    const Term bits = Mod(low == 0 ? x : FloorDiv(x, PowerOfTwo(low)), PowerOfTwo(length));
    sum = sum + (low == 0 ? bits : bits * PowerOfTwo(low));
    rest &= ~(((uint64_t{1} << length) - 1) << low);
  }
  return sum;
}

}  // namespace

std::optional<Term> FormulaTerms::NoValue(uint32_t node, FormulaFault fault) {
  fault_ = FaultText(formula_, node, fault);
  return std::nullopt;
}

std::optional<Term> FormulaTerms::Value(uint32_t number) {
  const std::optional<Term> value = ValueOf(number);
  if (value) evaluated_.emplace_back(number, *value);
  return value;
}

// Recursion is as deep as the formula, which its parser bounds.
std::optional<Term> FormulaTerms::ValueOf(uint32_t number) {
  const FormulaNode& node = formula_.nodes[number];
  switch (node.op) {
    case FormulaOp::kLiteral: return Term(node.value);
    case FormulaOp::kName: return names_[node.name];
    case FormulaOp::kNegate: {
      const std::optional<Term> operand = Value(node.operands[0]);
      return operand ? std::optional(Term(0) - *operand) : std::nullopt;
    }
    case FormulaOp::kConditional: {
      const std::optional<bool> condition = Truth(node.operands[0]);
      return condition ? Value(node.operands[*condition ? 1 : 2]) : std::nullopt;
    }
    case FormulaOp::kNot:
    case FormulaOp::kAnd:
    case FormulaOp::kOr:
    case FormulaOp::kLess:
    case FormulaOp::kLessEqual:
    case FormulaOp::kGreater:
    case FormulaOp::kGreaterEqual:
    case FormulaOp::kEqual:
    case FormulaOp::kNotEqual: {
      const std::optional<bool> truth = Truth(number);
      return truth ? std::optional(Term(*truth ? 1 : 0)) : std::nullopt;
    }
    default: break;
  }
  const std::optional<Term> a = Value(node.operands[0]);
  if (!a) return a;
  const std::optional<Term> b = Value(node.operands[1]);
  if (!b) return b;
  return Binary(number, *a, *b);
}

std::optional<bool> FormulaTerms::Truth(uint32_t number) {
  const FormulaNode& node = formula_.nodes[number];
  if (node.op == FormulaOp::kNot) {
    const std::optional<bool> operand = Truth(node.operands[0]);
    return operand ? std::optional(!*operand) : operand;
  }
  if (node.op == FormulaOp::kAnd || node.op == FormulaOp::kOr) {
    const std::optional<bool> first = Truth(node.operands[0]);
    if (!first || *first == (node.op == FormulaOp::kOr)) return first;
    return Truth(node.operands[1]);
  }
  const bool comparison = node.op >= FormulaOp::kLess && node.op <= FormulaOp::kNotEqual;
  if (!comparison) {
    const std::optional<Term> value = Value(number);
    return value ? std::optional(!decisions_.DecideEqual(*value, 0)) : std::nullopt;
  }
  const std::optional<Term> a = Value(node.operands[0]);
  if (!a) return std::nullopt;
  const std::optional<Term> b = Value(node.operands[1]);
  if (!b) return std::nullopt;
  switch (node.op) {
    case FormulaOp::kLess: return decisions_.Decide(Less(*a, *b));
    case FormulaOp::kLessEqual: return decisions_.Decide(LessEqual(*a, *b));
    case FormulaOp::kGreater: return decisions_.Decide(Less(*b, *a));
    case FormulaOp::kGreaterEqual: return decisions_.Decide(LessEqual(*b, *a));
    case FormulaOp::kEqual: return decisions_.DecideEqual(*a, *b);
    default: return !decisions_.DecideEqual(*a, *b);
  }
}

std::optional<Term> FormulaTerms::Binary(uint32_t number, const Term& a, const Term& b) {
  const FormulaOp op = formula_.nodes[number].op;
  switch (op) {
    case FormulaOp::kAdd: return a + b;
    case FormulaOp::kSubtract: return a - b;
    case FormulaOp::kMultiply: return a * b;
    case FormulaOp::kFloorDiv:
    case FormulaOp::kCeilDiv:
    case FormulaOp::kMod:
      if (!decisions_.Decide(LessEqual(1, b))) return NoValue(number, FormulaFault::kDivisorNotPositive);
      return op == FormulaOp::kFloorDiv ? FloorDiv(a, b) : op == FormulaOp::kCeilDiv ? CeilDiv(a, b) : Mod(a, b);
    case FormulaOp::kDivide:
    case FormulaOp::kRemainder: return Quotient(number, a, b);
    case FormulaOp::kShiftLeft:
    case FormulaOp::kShiftRight: return Shift(number, a, b);
    case FormulaOp::kMin: return decisions_.Decide(LessEqual(a, b)) ? a : b;
    case FormulaOp::kMax: return decisions_.Decide(LessEqual(a, b)) ? b : a;
    case FormulaOp::kBitAnd: return BitAnd(number, a, b);
    case FormulaOp::kBitOr:
    case FormulaOp::kBitXor: {
      const std::optional<Term> common = BitAnd(number, a, b);
      if (!common) return common;
      return op == FormulaOp::kBitOr ? a + b - *common : a + b - Term(2) * *common;
    }
    default: break;
  }
  return std::nullopt;
}

// C's / and %, which truncate.
std::optional<Term> FormulaTerms::Quotient(uint32_t number, const Term& a, const Term& b) {
  const bool remainder = formula_.nodes[number].op == FormulaOp::kRemainder;
  const bool positive = decisions_.Decide(Less(0, b));
  if (!positive && !decisions_.Decide(Less(b, 0))) return NoValue(number, FormulaFault::kDivisionByZero);
  const bool not_negative = decisions_.Decide(LessEqual(0, a));
  const Term size = positive ? b : Term(0) - b;
  const Term magnitude = not_negative ? a : Term(0) - a;
  if (remainder) return not_negative ? Mod(magnitude, size) : Term(0) - Mod(magnitude, size);
  return positive == not_negative ? FloorDiv(magnitude, size) : Term(0) - FloorDiv(magnitude, size);
}

std::optional<int64_t> FormulaTerms::NumberOf(const Term& term, int max_bits) {
  const auto number_of = [&](const Polynomial& polynomial) { return static_cast<int64_t>(polynomial.Constant()); };
  const Polynomial canonical = rewriter_.Canonical(term);
  if (canonical.IsConstant()) {
    if (!term.IsConstant()) certificate_.AddGoal(Equal(term, Term(number_of(canonical))));
    return number_of(canonical);
  }
  if (!decisions_.Claim(LessEqual(0, term))) return std::nullopt;
  for (int bits = 1; bits <= max_bits; ++bits) {
    const int64_t count = int64_t{1} << bits;
    if (!decisions_.Claim(Less(term, count))) continue;
    int64_t value = 0;
    while (value + 1 < count && !decisions_.Decide(LessEqual(term, value))) ++value;
    return value;
  }
  return std::nullopt;
}

std::optional<Term> FormulaTerms::Shift(uint32_t number, const Term& a, const Term& b) {
  const bool left = formula_.nodes[number].op == FormulaOp::kShiftLeft;
  if (!decisions_.Decide(LessEqual(0, b)) || !decisions_.Decide(LessEqual(b, 63))) {
    return NoValue(number, FormulaFault::kShiftOutOfRange);
  }
  const std::optional<int64_t> amount = NumberOf(b, kMaxShiftBits);
  if (!amount) {
    unsupported_ = StrCat("the shift ", FormulaText(formula_, number), " is by an unknown that takes many values");
    return std::nullopt;
  }
  const Term power = PowerOfTwo(static_cast<int>(*amount));
  return left ? a * power : FloorDiv(a, power);
}

// Whether one of them has, for a number of low bits, only zeros, and the other nothing else.
bool FormulaTerms::HaveNoCommonBits(const Term& a, const Term& b) {
  const Polynomial multiple = rewriter_.Canonical(a);
  int zeros = 62;
  for (const auto& [monomial, coefficient] : multiple.terms) {
    zeros = std::min(zeros, std::countr_zero(static_cast<uint64_t>(coefficient)));
  }
  if (multiple.IsZero() || zeros == 0) return false;
  const Term power = PowerOfTwo(zeros);
  return rewriter_.Show(LessEqual(0, b)) && rewriter_.Show(Less(b, power)) && decisions_.Claim(LessEqual(0, b)) &&
         decisions_.Claim(Less(b, power)) && decisions_.Claim(Equal(Mod(a, power), 0));
}

std::optional<Term> FormulaTerms::BitAnd(uint32_t number, const Term& a, const Term& b) {
  for (const bool swapped : {true, false}) {
    const Term& x = swapped ? a : b;
    const Term& mask = swapped ? b : a;
    if (const Polynomial constant = rewriter_.Canonical(mask); constant.IsConstant()) {
      const std::optional<int64_t> value = NumberOf(mask, kMaxMaskBits);
      return *value >= 0 ? MaskBits(x, *value) : x - MaskBits(x, -1 - *value);
    }
  }
  if (HaveNoCommonBits(a, b) || HaveNoCommonBits(b, a)) return Term(0);
  for (const bool swapped : {true, false}) {
    if (const auto value = NumberOf(swapped ? b : a, kMaxMaskBits)) return MaskBits(swapped ? a : b, *value);
  }
  unsupported_ = StrCat("the bits of both operands of ", FormulaText(formula_, number), " are unknown");
  return std::nullopt;
}

}  // namespace layoutcheck
