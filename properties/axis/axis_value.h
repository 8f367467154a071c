// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The elements of an expression, in numbers.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>
#include "layoutcheck/properties/axis/axis_expression.h"

namespace layoutcheck {

// How the elements of an expression came about, from the best to the worst.
enum class AxisOutcome {
  kExact,      // as in integers without bound
  kWraps,      // a sum, difference, product, left shift or truncation left the range of its type
  kUndefined,  // MLIR defines no result: a division by 0, that of the least number by -1, or a shift by the width
};

// One result, as a signed integer; a single bit is 0 or 1.
struct AxisValue {
  int64_t value = 0;
  AxisOutcome outcome = AxisOutcome::kExact;
};

struct AxisValues {
  std::vector<int64_t> elements;  // the last dimension fastest; unspecified if `outcome` is kUndefined
  AxisOutcome outcome = AxisOutcome::kExact;
};

// Returns the low `bits` bits as a signed integer, or as 0 or 1 if bits is 1.
int64_t WrapTo(int bits, int64_t value);

// Applies an operation of form kUnary or kBinary to elements of `bits` bits. A unary operation ignores `b`.
AxisValue ApplyAxisOp(AxisOp op, int bits, int64_t a, int64_t b);

// The values of the names of an expression: those of arguments, 0 or 1 for conditions, and numbers of iterations >= 0.
using AxisBinding = std::map<std::string, int64_t>;

// Returns the elements where the names have these values. Requires a value for each name, an argument's within 32 bits.
AxisValues EvaluateAxes(const AxisExpression& expression, const AxisBinding& binding);

}  // namespace layoutcheck
