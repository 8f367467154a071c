// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/solver/paths/machine_integer.h"
#include <array>
#include "layoutcheck/core/base/str_cat.h"

namespace layoutcheck {
namespace {

template <class Int>
constexpr MachineInteger Make(std::string_view name, bool shifts_negative_numbers) {
  return {name, std::numeric_limits<Int>::min(), std::numeric_limits<Int>::max(), sizeof(Int) * 8,
          shifts_negative_numbers};
}

constexpr std::array kIntegers = {Make<int32_t>("int32", false),        Make<uint32_t>("uint32", false),
                                  Make<int64_t>("int64", false),        Make<int32_t>("int32:c++20", true),
                                  Make<uint32_t>("uint32:c++20", true), kInt64OfCpp};

// Returns the value that fits the type and is equal to `value` modulo 2^width.
Int128 Wrap(const MachineInteger& integer, Int128 value) {
  const Int128 modulus = Int128{1} << integer.width;
  const Int128 remainder = (value - integer.least) % modulus;
  return remainder + (remainder < 0 ? modulus : 0) + integer.least;
}

}  // namespace

Expected<MachineInteger> MachineIntegerOf(std::string_view name) {
  const std::string_view type = name.ends_with(":c") ? name.substr(0, name.size() - 2) : name;
  for (const MachineInteger& integer : kIntegers) {
    if (integer.name == type && (type == name || !type.contains(':'))) return integer;
  }
  return ArgumentError("expected int32, uint32 or int64, for C++20 followed by :c++20, got '", name, "'");
}

std::vector<bool> NodesThatMustFit(const Formula& formula, const MachineInteger& integer) {
  std::vector<bool> result(formula.nodes.size(), true);
  if (!integer.IsUnsigned()) return result;
  for (const FormulaNode& node : formula.nodes) {
    if (node.op != FormulaOp::kBitAnd) continue;
    for (const uint32_t operand : {node.operands[0], node.operands[1]}) {
      if (formula.nodes[operand].op == FormulaOp::kComplement) result[operand] = false;
    }
  }
  return result;
}

bool DependsOnRepresentation(FormulaOp op) {
  const bool is_division = op >= FormulaOp::kFloorDiv && op <= FormulaOp::kRemainder;
  const bool is_comparison = op >= FormulaOp::kLess && op <= FormulaOp::kNotEqual;
  return is_division || is_comparison || op == FormulaOp::kShiftRight || op == FormulaOp::kMin || op == FormulaOp::kMax;
}

std::optional<MachineFault> FaultOf(const MachineInteger& integer, FormulaOp op, Int128 a, Int128 b, Int128 value) {
  const auto because = [](std::string why) { return MachineFault{.operation = {}, .why = std::move(why)}; };
  const bool is_shift = op == FormulaOp::kShiftLeft || op == FormulaOp::kShiftRight;
  if (is_shift && b >= integer.width) {
    return because(StrCat("a shift by ", ToDecimal(b), " is undefined for ", integer.name, ", which has ",
                          integer.width, " bits"));
  }
  for (const Int128 operand : {a, b}) {
    if (!integer.IsUnsigned() || !DependsOnRepresentation(op) || operand >= 0) continue;
    return because(StrCat(ToDecimal(operand), " is ", ToDecimal(Wrap(integer, operand)), " in ", integer.name));
  }
  if (op == FormulaOp::kShiftLeft && a < 0 && !integer.shifts_negative_numbers) {
    return because(StrCat("C does not define a left shift of a negative number; C++20 does: ", integer.name, ":c++20"));
  }
  if (op == FormulaOp::kRemainder && a == integer.least && b == -1) {
    return because(
        StrCat("the remainder is undefined, because the quotient ", ToDecimal(-a), " does not fit ", integer.name));
  }
  if (value >= integer.least && value <= integer.largest) return std::nullopt;
  return MachineFault{.operation = {}, .expected = value, .actual = Wrap(integer, value)};
}

}  // namespace layoutcheck
