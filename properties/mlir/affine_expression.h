// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Expressions of MLIR's affine operators: what index arithmetic is written in, drawn, printed, read and evaluated.
#ifndef LAYOUTCHECK_PROPERTIES_MLIR_AFFINE_EXPRESSION_H_
#define LAYOUTCHECK_PROPERTIES_MLIR_AFFINE_EXPRESSION_H_

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "layoutcheck/core/base/error.h"
#include "layoutcheck/properties/generate/choices.h"

namespace layoutcheck {

// Values of d0, d1, ... and s0, s1, ... .
struct AffinePoint {
  std::vector<int64_t> dimensions;
  std::vector<int64_t> symbols;

  // "d0=3", "s0=8": each name once, without gaps. Error: anything else.
  static Expected<AffinePoint> Parse(std::span<const std::string> values);
  // As Parse reads them.
  std::vector<std::string> ToStrings() const;
};

struct AffineExpression {
  enum class Kind { kConstant, kDimension, kSymbol, kAdd, kMultiply, kFloorDiv, kCeilDiv, kMod };

  Kind kind = Kind::kConstant;
  int64_t value = 0;                       // of a constant; the number of a dimension or symbol
  std::vector<AffineExpression> operands;  // two for an operator, otherwise none

  // One with at most `depth` operators on the way to any leaf, over d0, d1, s0 and constants from 1 to 8. What is
  // multiplied by or divided by is a constant or s0, as MLIR asks for.
  static AffineExpression Draw(Choices& choices, int depth);

  // Parses `(-d0 + s0 * 3) floordiv 4` as an affine formula (core/formula). Error (kSyntax): the text is not in that
  // grammar.
  static Expected<AffineExpression> Parse(std::string_view text);
  // With parentheses around each operand that is an operator.
  std::string ToString() const;

  // The value over the integers; mod, floordiv and ceildiv round as in MLIR: toward minus and plus infinity, and mod is
  // never negative. Errors: a name that the point does not have, a divisor below 1, overflow.
  Expected<int64_t> Evaluate(const AffinePoint& point) const;
};

}  // namespace layoutcheck

#endif  // LAYOUTCHECK_PROPERTIES_MLIR_AFFINE_EXPRESSION_H_
