// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Machine integers, and the operations on them that C or C++ does not compute as the integers do.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <vector>
#include "layoutcheck/core/base/error.h"
#include "layoutcheck/core/base/wide_integer.h"
#include "layoutcheck/core/formula/formula.h"

namespace layoutcheck {

struct MachineInteger {
  std::string_view name;  // "int32", "uint32", "int64", or one of them followed by ":c++20"
  Int128 least;
  Int128 largest;
  int width;  // in bits; a shift by `width` or more is undefined
  // C++20 defines a << b for a < 0; C does not.
  bool shifts_negative_numbers = false;

  bool IsUnsigned() const { return least == 0; }
  // Returns the number with all bits set, from which ~ subtracts.
  Int128 AllBits() const { return IsUnsigned() ? largest : -1; }
};

inline constexpr MachineInteger kInt64OfCpp = {"int64:c++20", std::numeric_limits<int64_t>::min(),
                                               std::numeric_limits<int64_t>::max(), 64, true};

// Reads the name of a type, "int32", "uint32" or "int64", with an optional language, ":c" or ":c++20"; without one it
// is C. Errors: any other text (invalid argument).
Expected<MachineInteger> MachineIntegerOf(std::string_view name);

// Returns, for each node of the formula, true if its value must fit the integer. In a & ~b, the value of ~b may be out
// of an unsigned integer's range: unbounded integers make it negative, and the result, which must fit, is the same.
std::vector<bool> NodesThatMustFit(const Formula& formula, const MachineInteger& integer);

// Returns true if the result modulo 2^width is no function of the operands modulo 2^width, so that these must fit.
bool DependsOnRepresentation(FormulaOp op);

// A part of a formula or function that a machine integer does not compute as the integers do.
struct MachineFault {
  std::string operation;  // "65536 * 65536"
  // The value over the integers, if that does not fit the type or the machine has another one.
  std::optional<Int128> expected = {};
  std::optional<Int128> actual = {};  // the machine's value; set if and only if `expected` is
  std::string why = {};               // if `expected` is not set: why there is no value, such as "division by zero"
};

// Returns the fault, without `operation`, of a op b = `value` on this type; none if the machine computes that.
std::optional<MachineFault> FaultOf(const MachineInteger& integer, FormulaOp op, Int128 a, Int128 b, Int128 value);

}  // namespace layoutcheck
