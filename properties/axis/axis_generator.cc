// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/properties/axis/axis_generator.h"
#include <iterator>
#include <limits>
#include <string>
#include <utility>
#include <vector>

namespace layoutcheck {
namespace {

constexpr AxisOp kSums[] = {AxisOp::kAddI, AxisOp::kSubI, AxisOp::kMulI};
constexpr AxisOp kQuotients[] = {AxisOp::kDivSI, AxisOp::kRemSI, AxisOp::kDivUI,
                                 AxisOp::kRemUI, AxisOp::kDivSI, AxisOp::kRemSI};
constexpr AxisOp kShifts[] = {AxisOp::kShlI, AxisOp::kShrSI, AxisOp::kShrUI};
constexpr AxisOp kExtremes[] = {AxisOp::kMinSI, AxisOp::kMaxSI, AxisOp::kMinUI, AxisOp::kMaxUI};
constexpr AxisOp kBitwise[] = {AxisOp::kAndI, AxisOp::kOrI, AxisOp::kXOrI};
constexpr AxisOp kComparisons[] = {AxisOp::kSlt, AxisOp::kSle, AxisOp::kSgt, AxisOp::kSge, AxisOp::kEq,
                                   AxisOp::kNe,  AxisOp::kUlt, AxisOp::kUle, AxisOp::kUgt, AxisOp::kUge};

template <class T, size_t N>
T OneOf(Choices& choices, const T (&list)[N]) {
  return list[choices.Choose(N)];
}

// Draws the parts of one expression. Each function returns an expression of these sizes and bits per element.
class AxisGenerator {
 public:
  explicit AxisGenerator(Choices& choices) : choices_(choices) {}

  AxisExpression Root() {
    constexpr int64_t kSizes[] = {2, 4, 8, 16, 8, 32, 4, 1};
    constexpr int kBits[] = {32, 32, 32, 32, 32, 1, 64, 1};
    std::vector<int64_t> sizes(choices_.Choose(6) == 5 ? 2 : 1);
    for (int64_t& size : sizes) size = OneOf(choices_, kSizes);
    const int bits = OneOf(choices_, kBits);
    if (bits == 32 && choices_.Choose(16) == 0) return Leaf(sizes);
    constexpr int kDepths[] = {1, 2, 1, 3};  // operations above any leaf
    return Operation(sizes, bits, OneOf(choices_, kDepths));
  }

 private:
  using Sizes = std::vector<int64_t>;
  using Operands = std::vector<AxisExpression>;

  // Completes an expression whose parts fit, as all drawn ones do.
  static AxisExpression Made(AxisExpression untyped) { return *AxisExpression::Create(std::move(untyped)); }
  static AxisExpression Of(AxisOp op, Operands operands, std::string name = "") {
    return Made({.op = op, .name = std::move(name), .operands = std::move(operands)});
  }
  static AxisExpression Constant(const Sizes& sizes, int64_t value) {
    return Made({.op = AxisOp::kConstant, .number = value, .sizes = sizes});
  }
  // Returns a 32-bit expression in this many bits.
  static AxisExpression WithBits(AxisExpression e, int bits) {
    return bits == 64 ? Of(AxisOp::kExtSI, {std::move(e)}) : e;
  }

  AxisExpression Draw(const Sizes& sizes, int bits, int depth) {
    if (bits == 32 && (depth <= 0 || choices_.Choose(2) == 0)) return Leaf(sizes);
    return Operation(sizes, bits, depth);
  }

  AxisExpression Leaf(const Sizes& sizes) { return choices_.Choose(2) == 0 ? Run(sizes) : OneNumber(sizes); }

  AxisExpression Operation(const Sizes& sizes, int bits, int depth) {
    if (bits == 1) return Condition(sizes, depth);
    if (bits == 64) return Wide(sizes, depth);
    switch (choices_.Choose(10)) {
      case 6: return Selected(sizes, bits, depth);
      case 7: return Of(AxisOp::kBranch, Pair(sizes, bits, depth), "p");
      case 8: return Of(AxisOp::kLoop, Pair(sizes, bits, depth), "n");
      case 9: return choices_.Choose(2) == 0 ? Broadcast(sizes, depth) : Of(AxisOp::kTruncI, {Wide(sizes, depth - 1)});
      default: return Arithmetic(sizes, bits, depth);
    }
  }

  // Draws 64-bit elements: 32-bit ones that are extended, and operations on such.
  AxisExpression Wide(const Sizes& sizes, int depth) {
    const uint64_t kind = choices_.Choose(depth > 1 ? 4 : 2);
    if (kind < 2) return Of(kind == 0 ? AxisOp::kExtSI : AxisOp::kExtUI, {RunOrAny(sizes, 32, depth - 1)});
    return kind == 2 ? Arithmetic(sizes, 64, depth) : Selected(sizes, 64, depth);
  }

  AxisExpression Condition(const Sizes& sizes, int depth) {
    if (depth > 1 && choices_.Choose(4) == 3) return Of(OneOf(choices_, kBitwise), Pair(sizes, 1, depth));
    const AxisOp op = OneOf(choices_, kComparisons);
    if (choices_.Choose(4) == 3) return Of(op, Pair(sizes, 32, depth));
    Operands operands = {Run(sizes)};
    operands.push_back(OneNumber(sizes));
    return Of(op, std::move(operands));
  }

  Operands Pair(const Sizes& sizes, int bits, int depth) {
    Operands pair = {Draw(sizes, bits, depth - 1)};
    pair.push_back(Draw(sizes, bits, depth - 1));
    return pair;
  }

  AxisExpression RunOrAny(const Sizes& sizes, int bits, int depth) {
    return choices_.Choose(2) == 0 ? WithBits(Run(sizes), bits) : Draw(sizes, bits, depth);
  }

  AxisExpression Selected(const Sizes& sizes, int bits, int depth) {
    Operands operands = {Condition(sizes, depth - 1)};
    operands.push_back(RunOrAny(sizes, bits, depth - 1));
    operands.push_back(RunOrAny(sizes, bits, depth - 1));
    return Of(AxisOp::kSelect, std::move(operands));
  }

  AxisExpression Arithmetic(const Sizes& sizes, int bits, int depth) {
    constexpr int kKinds[] = {0, 1, 2, 3, 4, 0};
    const int kind = OneOf(choices_, kKinds);
    AxisOp op = AxisOp::kAddI;
    Operands operands = {RunOrAny(sizes, bits, depth - 1)};
    switch (kind) {
      case 0: op = OneOf(choices_, kQuotients); break;
      case 1: op = OneOf(choices_, kSums); break;
      case 2: op = OneOf(choices_, kShifts); break;
      case 3: op = OneOf(choices_, kExtremes); break;
      default: op = OneOf(choices_, kBitwise); break;
    }
    if ((kind == 0 || kind == 2) && choices_.Choose(4) != 3) {
      operands.push_back(WithBits(kind == 0 ? Divisor(sizes) : Amount(sizes), bits));
    } else {
      operands.push_back(kind == 3 ? RunOrAny(sizes, bits, depth - 1) : Draw(sizes, bits, depth - 1));
    }
    return Of(op, std::move(operands));
  }

  AxisExpression Divisor(const Sizes& sizes) {
    constexpr int64_t kDivisors[] = {2, 4, 8, 1, 16, 4, 3, -2, -4, -1, 6, std::numeric_limits<int32_t>::min()};
    return Constant(sizes, OneOf(choices_, kDivisors));
  }

  AxisExpression Amount(const Sizes& sizes) {
    constexpr int64_t kAmounts[] = {1, 2, 3, 0, 4, 31};
    return Constant(sizes, OneOf(choices_, kAmounts));
  }

  // Draws a range, along one dimension if there are two.
  AxisExpression Range(const Sizes& sizes) {
    constexpr int64_t kStarts[] = {0, 1, 2, 4, 8, 0, 3, 16, 32, 0, 6, 64};
    const int64_t start = OneOf(choices_, kStarts);
    const size_t along = choices_.Choose(sizes.size());
    const auto range = [&](int64_t size) { return Made({.op = AxisOp::kRange, .number = start, .sizes = {size}}); };
    return sizes.size() == 1 ? range(sizes[0]) : Spread(range(sizes[along]), sizes, along);
  }

  // Draws a range, or one plus or minus a number, which is mostly an argument.
  AxisExpression Run(const Sizes& sizes) {
    const uint64_t kind = choices_.Choose(4);
    AxisExpression range = Range(sizes);
    if (kind == 0) return range;
    AxisExpression number = kind == 3 ? AnyConstant(sizes) : Argument(sizes);
    return Of(choices_.Choose(2) == 0 ? AxisOp::kAddI : AxisOp::kSubI, {std::move(range), std::move(number)});
  }

  // Draws a tensor whose elements are equal.
  AxisExpression OneNumber(const Sizes& sizes) {
    return choices_.Choose(2) == 0 ? AnyConstant(sizes) : Argument(sizes);
  }

  // Spreads a tensor of one dimension, which becomes dimension `along` of two.
  static AxisExpression Spread(AxisExpression line, const Sizes& sizes, size_t along) {
    AxisExpression matrix =
        Made({.op = AxisOp::kExpandDims, .number = along == 0 ? 1 : 0, .operands = {std::move(line)}});
    return Made({.op = AxisOp::kBroadcast, .operands = {std::move(matrix)}, .sizes = sizes});
  }

  AxisExpression Broadcast(const Sizes& sizes, int depth) {
    const size_t along = choices_.Choose(sizes.size());
    if (sizes.size() == 2) return Spread(Draw({sizes[along]}, 32, depth - 1), sizes, along);
    return Made({.op = AxisOp::kBroadcast, .operands = {Draw({1}, 32, depth - 1)}, .sizes = sizes});
  }

  AxisExpression AnyConstant(const Sizes& sizes) {
    constexpr int64_t kConstants[] = {1,
                                      0,
                                      2,
                                      4,
                                      3,
                                      8,
                                      -1,
                                      -2,
                                      -4,
                                      -8,
                                      16,
                                      64,
                                      31,
                                      256,
                                      1 << 16,
                                      std::numeric_limits<int32_t>::min(),
                                      std::numeric_limits<int32_t>::max()};
    return Constant(sizes, OneOf(choices_, kConstants));
  }

  AxisExpression Argument(const Sizes& sizes) {
    constexpr int64_t kArgumentDivisors[] = {1, 2, 4, 8, 16, 8};
    const int64_t divisor = OneOf(choices_, kArgumentDivisors);
    return Made(
        {.op = AxisOp::kArgument, .name = choices_.Choose(2) == 0 ? "a" : "b", .number = divisor, .sizes = sizes});
  }

  Choices& choices_;
};

}  // namespace

AxisExpression DrawAxisExpression(Choices& choices) { return AxisGenerator(choices).Root(); }

}  // namespace layoutcheck
