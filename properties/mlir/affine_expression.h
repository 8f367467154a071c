// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Expressions of MLIR's affine operators, in which index arithmetic is written.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>
#include "layoutcheck/core/base/error.h"
#include "layoutcheck/properties/generate/choices.h"

namespace layoutcheck {

// The values of the dimensions d0, d1, ... and the symbols s0, s1, ... .
struct AffinePoint {
  std::vector<int64_t> dimensions;
  std::vector<int64_t> symbols;

  // Parses texts such as "d0=3" and "s0=8". Error (kInvalidArgument): a name is missing, repeated or out of order, or
  // has no value.
  static Expected<AffinePoint> Parse(std::span<const std::string> values);
  // Returns the texts that Parse reads.
  std::vector<std::string> ToStrings() const;
};

struct AffineExpression {
  enum class Kind { kConstant, kDimension, kSymbol, kAdd, kMultiply, kFloorDiv, kCeilDiv, kMod };

  Kind kind = Kind::kConstant;
  int64_t value = 0;                       // of a constant; number of a dimension or symbol
  std::vector<AffineExpression> operands;  // two for an operator, otherwise none

  // Draws an expression over d0, d1, s0 and constants from 1 to 8 with at most `depth` operators above any leaf. Right
  // operands of products and divisions are a constant or s0, as MLIR requires.
  static AffineExpression Draw(Choices& choices, int depth);

  // Parses an affine formula (core/formula) such as `(-d0 + s0 * 3) floordiv 4`. Error: kSyntax.
  static Expected<AffineExpression> Parse(std::string_view text);
  // Returns the text with parentheses around each operand that is an operator.
  std::string ToString() const;

  // Returns the value at a point. floordiv rounds toward minus infinity, ceildiv toward plus infinity, and mod is never
  // negative. Errors: a name without value or a divisor below 1 (kInvalidArgument), a value outside int64 (kOverflow).
  Expected<int64_t> Evaluate(const AffinePoint& point) const;
};

}  // namespace layoutcheck
