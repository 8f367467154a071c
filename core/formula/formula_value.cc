// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/core/formula/formula_value.h"
#include <type_traits>
#include "layoutcheck/core/base/str_cat.h"

namespace layoutcheck {
namespace {

constexpr int kMaxShift = 63;

template <class Int>
struct UnsignedOf {
  using Type = std::make_unsigned_t<Int>;
};
__extension__ template <>
struct UnsignedOf<Int128> {
  __extension__ using Type = unsigned __int128;
};

template <class Int>
Int Floor(Int a, Int b) {
  return a / b - (a % b < 0 ? 1 : 0);
}

// Computes an operator of one operand, or the cast to a type of `width` bits. A fault is at node 0.
template <class Int>
FormulaValue<Int> ApplyUnaryOperator(FormulaOp op, int64_t width, Int a) {
  Int result = 0;
  bool overflow = false;
  const int unused = static_cast<int>(64 - width);  // bits of a 64-bit integer that the type lacks
  const uint64_t low = static_cast<uint64_t>(a) << unused;
  switch (op) {
    case FormulaOp::kNegate: overflow = __builtin_sub_overflow(Int{0}, a, &result); break;
    case FormulaOp::kComplement: result = ~a; break;
    case FormulaOp::kToSigned: result = static_cast<int64_t>(low) >> unused; break;
    case FormulaOp::kToUnsigned: overflow = __builtin_add_overflow(low >> unused, 0U, &result); break;
    default: result = a == 0; break;
  }
  return overflow ? FormulaValue<Int>{0, FormulaFault::kOverflow} : FormulaValue<Int>{result};
}

}  // namespace

const char* FormulaFaultText(FormulaFault fault) {
  constexpr const char* kTexts[] = {"no fault",
                                    "division by zero",
                                    "a divisor below 1",
                                    "a shift by less than 0 or more than 63",
                                    "an index outside of the table",
                                    "overflow",
                                    "no value"};
  return kTexts[static_cast<size_t>(fault)];
}

template <class Int>
FormulaValue<Int> ApplyOperator(FormulaOp op, Int a, Int b) {
  Int result = 0;
  const auto fault = [](FormulaFault what) { return FormulaValue<Int>{0, what}; };
  bool overflow = false;
  switch (op) {
    case FormulaOp::kAdd: overflow = __builtin_add_overflow(a, b, &result); break;
    case FormulaOp::kSubtract: overflow = __builtin_sub_overflow(a, b, &result); break;
    case FormulaOp::kMultiply: overflow = __builtin_mul_overflow(a, b, &result); break;
    case FormulaOp::kFloorDiv:
    case FormulaOp::kCeilDiv:
    case FormulaOp::kMod:
      if (b < 1) return fault(FormulaFault::kDivisorNotPositive);
      result = op == FormulaOp::kFloorDiv  ? Floor(a, b)
               : op == FormulaOp::kCeilDiv ? a / b + (a % b > 0 ? 1 : 0)
                                           : a % b + (a % b < 0 ? b : 0);
      break;
    case FormulaOp::kDivide:
      if (b == 0) return fault(FormulaFault::kDivisionByZero);
      overflow = b == -1 && __builtin_sub_overflow(Int{0}, a, &result);
      if (b != -1) result = a / b;
      break;
    case FormulaOp::kRemainder:
      if (b == 0) return fault(FormulaFault::kDivisionByZero);
      result = b == -1 ? Int{0} : a % b;
      break;
    case FormulaOp::kShiftLeft: {
      if (b < 0 || b > kMaxShift) return fault(FormulaFault::kShiftOutOfRange);
      const int amount = static_cast<int>(b);
      using Unsigned = typename UnsignedOf<Int>::Type;
      // Shifting back gives `a` again if no bit was lost.
      result = static_cast<Int>(static_cast<Unsigned>(a) << amount);
      overflow = (result >> amount) != a;
      break;
    }
    case FormulaOp::kShiftRight:
      if (b < 0 || b > kMaxShift) return fault(FormulaFault::kShiftOutOfRange);
      result = a >> static_cast<int>(b);
      break;
    case FormulaOp::kBitAnd: result = a & b; break;
    case FormulaOp::kBitXor: result = a ^ b; break;
    case FormulaOp::kBitOr: result = a | b; break;
    case FormulaOp::kLess: result = a < b; break;
    case FormulaOp::kLessEqual: result = a <= b; break;
    case FormulaOp::kGreater: result = a > b; break;
    case FormulaOp::kGreaterEqual: result = a >= b; break;
    case FormulaOp::kEqual: result = a == b; break;
    case FormulaOp::kNotEqual: result = a != b; break;
    case FormulaOp::kAnd: result = a != 0 && b != 0; break;
    case FormulaOp::kOr: result = a != 0 || b != 0; break;
    case FormulaOp::kMin: result = a < b ? a : b; break;
    case FormulaOp::kMax: result = a < b ? b : a; break;
    default: break;
  }
  return overflow ? fault(FormulaFault::kOverflow) : FormulaValue<Int>{result};
}

template <class Int>
void FormulaEvaluator<Int>::Run(std::span<const Int> names) {
  const std::vector<FormulaNode>& nodes = formula_->nodes;
  for (uint32_t k = 0; k < nodes.size(); ++k) {
    const FormulaNode& node = nodes[k];
    if (node.op == FormulaOp::kLiteral) {
      values_[k] = {node.value};
    } else if (node.op == FormulaOp::kName) {
      values_[k] = {names[node.name]};
    } else if (node.op == FormulaOp::kTable) {
      values_[k] = Element(k, node);
    } else {
      values_[k] = Apply(k, node);
    }
  }
}

template <class Int>
FormulaValue<Int> FormulaEvaluator<Int>::Apply(uint32_t number, const FormulaNode& node) const {
  const FormulaValue<Int>& left = values_[node.operands[0]];
  if (!left.ok()) return left;
  const Int a = left.value;
  // These operators may have a value without their second operand.
  switch (node.op) {
    case FormulaOp::kLetName: return left;
    case FormulaOp::kConditional: return values_[node.operands[a != 0 ? 1 : 2]];
    case FormulaOp::kLet: return values_[node.operands[1]];
    case FormulaOp::kAnd:
      if (a == 0) return {0};
      break;
    case FormulaOp::kOr:
      if (a != 0) return {1};
      break;
    default: break;
  }
  FormulaValue<Int> value;
  if (OperandCount(node.op) == 1) {
    const bool is_cast = node.op == FormulaOp::kToSigned || node.op == FormulaOp::kToUnsigned;
    value = ApplyUnaryOperator(node.op, is_cast ? node.value : 64, a);
  } else {
    const FormulaValue<Int>& right = values_[node.operands[1]];
    if (!right.ok()) return right;
    value = ApplyOperator(node.op, a, right.value);
  }
  if (!value.ok()) value.node = number;
  return value;
}

template <class Int>
FormulaValue<Int> FormulaEvaluator<Int>::Element(uint32_t number, const FormulaNode& table) const {
  const std::span<const uint32_t> elements = TableElements(*formula_, table);
  for (const uint32_t element : elements) {
    if (!values_[element].ok()) return values_[element];
  }
  const FormulaValue<Int>& index = values_[table.operands[0]];
  if (!index.ok()) return index;
  if (index.value < 0 || index.value >= std::ssize(elements)) return {0, FormulaFault::kIndexOutside, number};
  return values_[elements[static_cast<size_t>(index.value)]];
}

template FormulaValue<int64_t> ApplyOperator(FormulaOp op, int64_t a, int64_t b);
template FormulaValue<Int128> ApplyOperator(FormulaOp op, Int128 a, Int128 b);
template class FormulaEvaluator<int64_t>;
template class FormulaEvaluator<Int128>;

std::string FaultText(const Formula& formula, uint32_t node, FormulaFault fault) {
  return StrCat(FormulaText(formula, node), ": ", FormulaFaultText(fault));
}

}  // namespace layoutcheck
