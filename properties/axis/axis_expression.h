// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Expressions whose values are tensors of integers, as Triton's IR computes offsets and masks.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>
#include "layoutcheck/core/base/error.h"

namespace layoutcheck {

// An operation of an expression. docs/protocol.md has its text and says what it computes.
enum class AxisOp {
  kRange,
  kConstant,
  kArgument,
  kExpandDims,
  kBroadcast,
  kExtSI,
  kExtUI,
  kTruncI,
  kAddI,
  kSubI,
  kMulI,
  kDivSI,
  kDivUI,
  kRemSI,
  kRemUI,
  kAndI,
  kOrI,
  kXOrI,
  kShlI,
  kShrSI,
  kShrUI,
  kMinSI,
  kMaxSI,
  kMinUI,
  kMaxUI,
  kEq,
  kNe,
  kSlt,
  kSle,
  kSgt,
  kSge,
  kUlt,
  kUle,
  kUgt,
  kUge,
  kSelect,
  kBranch,
  kLoop,
};

// The form in which the operands of an operation are written.
enum class AxisForm { kRange, kConstant, kArgument, kExpandDims, kBroadcast, kUnary, kBinary, kSelect, kNamed };

// Returns the name of an operation in texts, such as "addi" (MLIR's arith dialect without its prefix, and the
// predicates of cmpi as operations), and its form.
std::string_view AxisOpName(AxisOp op);
AxisForm AxisFormOf(AxisOp op);
// Returns true for the operations that compare, whose elements are single bits.
bool IsComparison(AxisOp op);

// An expression with its type. Elements have 1, 32 or 64 bits: leaves 32, results of comparisons 1, those of extsi and
// extui 64. Sizes are powers of two, as Triton requires, with at most kMostElements elements.
struct AxisExpression {
  static constexpr int64_t kMostElements = int64_t{1} << 12;

  AxisOp op = AxisOp::kRange;
  std::string name = {};  // of an argument, of the condition of a branch, or of the number of iterations of a loop
  int64_t number = 0;     // start of a range, value of a constant, divisor of an argument, or place of a new dimension
  std::vector<AxisExpression> operands = {};
  std::vector<int64_t> sizes = {};  // of the result
  int bits = 32;                    // per element of the result

  // Returns the expression with its type. `untyped` has sizes only if it is a range, a constant, an argument or a
  // broadcast. Error (kInvalidArgument): the operands do not fit, a number is outside the range of 32-bit integers, a
  // divisor is no power of two up to 2^30, or sizes are no powers of two or too many.
  static Expected<AxisExpression> Create(AxisExpression untyped);

  // Parses a text such as "divsi(range(0,8),constant(4,[8]))". Errors: kSyntax, and those of Create and AxisNames, each
  // with its column.
  static Expected<AxisExpression> Parse(std::string_view text);
  // Returns the text that Parse reads, without blanks.
  std::string ToString() const;
};

// Returns true if the text begins like that of an expression: with the name of an operation and "(".
bool IsAxisExpressionText(std::string_view text);

// A name of an expression: that of an argument, a condition, or a number of iterations.
struct AxisName {
  AxisOp op = AxisOp::kArgument;  // kArgument, kBranch or kLoop
  int64_t divisor = 1;            // of an argument, the largest one that is written behind the name
};

// Returns the names of an expression. Error (kInvalidArgument): a name stands for two kinds of things.
Expected<std::map<std::string, AxisName>> AxisNames(const AxisExpression& expression);

}  // namespace layoutcheck
