// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/properties/axis/axis_value.h"
#include <algorithm>
#include <utility>
#include "layoutcheck/core/base/index_stepper.h"
#include "layoutcheck/core/base/wide_integer.h"

namespace layoutcheck {
namespace {

// Returns the value in the range of its type, and whether it had to be wrapped.
AxisValue Fitted(int bits, Int128 exact) {
  const int64_t value = WrapTo(bits, static_cast<int64_t>(exact));
  return {value, value == exact ? AxisOutcome::kExact : AxisOutcome::kWraps};
}

uint64_t Unsigned(int bits, int64_t value) {
  return bits == 64 ? static_cast<uint64_t>(value) : static_cast<uint64_t>(value) & ((uint64_t{1} << bits) - 1);
}

AxisValue FromUnsigned(int bits, uint64_t value) { return {WrapTo(bits, static_cast<int64_t>(value))}; }

AxisValue Divide(AxisOp op, int bits, int64_t a, int64_t b) {
  if (b == 0) return {0, AxisOutcome::kUndefined};
  const uint64_t unsigned_a = Unsigned(bits, a);
  const uint64_t unsigned_b = Unsigned(bits, b);
  if (op == AxisOp::kDivUI) return FromUnsigned(bits, unsigned_a / unsigned_b);
  if (op == AxisOp::kRemUI) return FromUnsigned(bits, unsigned_a % unsigned_b);
  const int64_t least = WrapTo(bits, static_cast<int64_t>(uint64_t{1} << (bits - 1)));
  if (a == least && b == -1) return {0, AxisOutcome::kUndefined};
  return {op == AxisOp::kDivSI ? a / b : a % b};
}

AxisValue Shift(AxisOp op, int bits, int64_t a, int64_t b) {
  if (b < 0 || b >= bits) return {0, AxisOutcome::kUndefined};
  if (op == AxisOp::kShlI) return Fitted(bits, Int128{a} * (Int128{1} << b));
  return op == AxisOp::kShrSI ? AxisValue{a >> b} : FromUnsigned(bits, Unsigned(bits, a) >> b);
}

bool Compare(AxisOp op, int bits, int64_t a, int64_t b) {
  const uint64_t unsigned_a = Unsigned(bits, a);
  const uint64_t unsigned_b = Unsigned(bits, b);
  switch (op) {
    case AxisOp::kEq: return a == b;
    case AxisOp::kNe: return a != b;
    case AxisOp::kSlt: return a < b;
    case AxisOp::kSle: return a <= b;
    case AxisOp::kSgt: return a > b;
    case AxisOp::kSge: return a >= b;
    case AxisOp::kUlt: return unsigned_a < unsigned_b;
    case AxisOp::kUle: return unsigned_a <= unsigned_b;
    case AxisOp::kUgt: return unsigned_a > unsigned_b;
    default: return unsigned_a >= unsigned_b;
  }
}

// The elements of one expression in one binding of its names.
class AxisEvaluation {
 public:
  explicit AxisEvaluation(const AxisBinding& binding) : binding_(binding) {}

  AxisOutcome outcome() const { return outcome_; }

  std::vector<int64_t> Elements(const AxisExpression& e) {
    std::vector<std::vector<int64_t>> operands;
    for (const AxisExpression& operand : e.operands) operands.push_back(Elements(operand));
    std::vector<int64_t> elements(static_cast<size_t>(ProductOfSizes(e.sizes).value));
    const auto fill = [&](auto element) {
      for (size_t k = 0; k < elements.size(); ++k) elements[k] = element(k);
    };
    switch (AxisFormOf(e.op)) {
      case AxisForm::kRange: fill([&](size_t k) { return e.number + static_cast<int64_t>(k); }); break;
      case AxisForm::kConstant: fill([&](size_t) { return e.number; }); break;
      case AxisForm::kArgument: fill([&, value = binding_.at(e.name)](size_t) { return value; }); break;
      case AxisForm::kExpandDims: return std::move(operands[0]);
      case AxisForm::kBroadcast: Broadcast(e, operands[0], elements); break;
      case AxisForm::kUnary: fill([&](size_t k) { return Noted(ApplyAxisOp(e.op, e.bits, operands[0][k], 0)); }); break;
      case AxisForm::kBinary:
        fill([&, bits = e.operands[0].bits](size_t k) {
          return Noted(ApplyAxisOp(e.op, bits, operands[0][k], operands[1][k]));
        });
        break;
      case AxisForm::kSelect: fill([&](size_t k) { return operands[operands[0][k] != 0 ? 1 : 2][k]; }); break;
      case AxisForm::kNamed:
        if (e.op == AxisOp::kBranch) return std::move(operands[binding_.at(e.name) != 0 ? 0 : 1]);
        fill([&, count = binding_.at(e.name)](size_t k) {
          return Noted(Fitted(e.bits, Int128{operands[0][k]} + Int128{count} * operands[1][k]));
        });
        break;
    }
    return elements;
  }

 private:
  int64_t Noted(AxisValue result) {
    outcome_ = std::max(outcome_, result.outcome);
    return result.value;
  }

  static void Broadcast(const AxisExpression& e, const std::vector<int64_t>& from, std::vector<int64_t>& to) {
    size_t k = 0;
    ForEachIndex(e.sizes, [&](std::span<const int64_t> index) {
      int64_t number = 0;
      for (size_t d = 0; d < index.size(); ++d) {
        const int64_t size = e.operands[0].sizes[d];
        number = number * size + index[d] % size;
      }
      to[k++] = from[static_cast<size_t>(number)];
    });
  }

  const AxisBinding& binding_;
  AxisOutcome outcome_ = AxisOutcome::kExact;
};

}  // namespace

int64_t WrapTo(int bits, int64_t value) {
  if (bits == 1) return value & 1;
  return bits == 64 ? value : static_cast<int64_t>(static_cast<int32_t>(value));
}

AxisValue ApplyAxisOp(AxisOp op, int bits, int64_t a, int64_t b) {
  if (IsComparison(op)) return {Compare(op, bits, a, b) ? 1 : 0};
  const bool is_less = Compare(op == AxisOp::kMinUI || op == AxisOp::kMaxUI ? AxisOp::kUlt : AxisOp::kSlt, bits, a, b);
  switch (op) {
    case AxisOp::kExtSI: return {a};
    case AxisOp::kExtUI: return {static_cast<int64_t>(Unsigned(32, a))};
    case AxisOp::kTruncI: return Fitted(32, a);
    case AxisOp::kAddI: return Fitted(bits, Int128{a} + b);
    case AxisOp::kSubI: return Fitted(bits, Int128{a} - b);
    case AxisOp::kMulI: return Fitted(bits, Int128{a} * b);
    case AxisOp::kDivSI:
    case AxisOp::kDivUI:
    case AxisOp::kRemSI:
    case AxisOp::kRemUI: return Divide(op, bits, a, b);
    case AxisOp::kAndI: return {a & b};
    case AxisOp::kOrI: return {a | b};
    case AxisOp::kXOrI: return {a ^ b};
    case AxisOp::kShlI:
    case AxisOp::kShrSI:
    case AxisOp::kShrUI: return Shift(op, bits, a, b);
    case AxisOp::kMinSI:
    case AxisOp::kMinUI: return {is_less ? a : b};
    case AxisOp::kMaxSI:
    case AxisOp::kMaxUI: return {is_less ? b : a};
    default: return {0, AxisOutcome::kUndefined};
  }
}

AxisValues EvaluateAxes(const AxisExpression& expression, const AxisBinding& binding) {
  AxisEvaluation evaluation(binding);
  AxisValues values{evaluation.Elements(expression), AxisOutcome::kExact};
  values.outcome = evaluation.outcome();
  return values;
}

}  // namespace layoutcheck
