// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Index formulas as text: an integer type with which the templates of core (tiled_index.h,
// shape_stride/strided_index.h) write themselves as an affine map or as C. All sizes are known.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace layoutcheck {

// A sum of coefficient * part, plus a constant. A part is a coordinate, a quotient or a remainder, and is >= 0.
// Operations simplify: if i < 8, i mod 8 is i and i floordiv 8 is 0; a quotient joins its remainder again.
class IndexExpression {
 public:
  // Largest number of parts of a usable expression, because nested `*` tiles can make expressions grow exponentially.
  static constexpr int64_t kMaxParts = 10'000;

  // NOLINTNEXTLINE(google-explicit-constructor): formulas mix it with literals
  IndexExpression(int64_t constant = 0) : constant_(constant) {}
  // Returns the coordinate of a dimension, which is in [0, size); returns 0 if the size is 1 or less.
  static IndexExpression Coordinate(int64_t dimension, int64_t size);

  // Require that all numbers fit int64; callers check the sizes first. `*` requires that one operand is a constant.
  friend IndexExpression operator+(const IndexExpression& a, const IndexExpression& b);
  friend IndexExpression operator*(const IndexExpression& a, const IndexExpression& b);
  // Require that the divisor is a constant >= 1 and that the dividend has no negative coefficient.
  friend IndexExpression FloorDiv(const IndexExpression& a, const IndexExpression& b);
  friend IndexExpression Mod(const IndexExpression& a, const IndexExpression& b);

  // Returns the number of coordinates, quotients and remainders, or more than kMaxParts if the expression is too large.
  int64_t parts() const { return parts_; }
  int64_t constant() const { return constant_; }
  // Returns true if the coordinate of the dimension occurs.
  bool Uses(int64_t dimension) const;
  // Returns the value for coordinates within their sizes.
  int64_t Evaluate(std::span<const int64_t> coordinates) const;
  // Returns the value over another integer type with + - * / %, for a proof. Computes operator by operator as in ToC().
  template <class Int>
  Int EvaluateC(std::span<const Int> coordinates) const;

  // Returns the expression in MLIR's affine syntax: "(d0 floordiv 2) * 12 + d1 mod 2".
  std::string ToAffine() const;
  // Returns the expression in C over int64_t: "(i0 / 2) * 12 + i1 % 2". Nothing in it overflows if the index does not.
  std::string ToC() const;

 private:
  struct Part;  // a coordinate, a quotient or a remainder
  struct Summand {
    int64_t coefficient;
    std::shared_ptr<const Part> part;
  };

  // Returns true if both have the same parts in the same order.
  static bool Same(const IndexExpression& a, const IndexExpression& b);
  static bool Same(const Part& a, const Part& b);
  static IndexExpression TooLarge();
  static IndexExpression OfPart(Part part);
  // Adds a summand, and joins it with a summand of the same part.
  void Add(int64_t coefficient, const std::shared_ptr<const Part>& part);
  void Remove(size_t a, size_t b);
  // Returns the part if the expression is one part with coefficient 1 and no constant, otherwise nullptr.
  const Part* OnlyPart() const;
  // Joins one quotient with its remainder or with a quotient of its remainder. Returns false if there is no such pair.
  bool Join();
  // Returns the largest value, or the maximum of int64 if it does not fit. Requires coefficients >= 0.
  int64_t Largest() const;
  std::string Print(bool c) const;
  static std::string Print(const Part& part, bool c);
  // Returns the summands in printed order, by decreasing coefficient.
  std::vector<Summand> InPrintedOrder() const;

  int64_t constant_ = 0;
  int64_t parts_ = 0;
  std::vector<Summand> summands_;
};

struct IndexExpression::Part {
  enum class Kind { kCoordinate, kQuotient, kRemainder };

  Kind kind = Kind::kCoordinate;
  int64_t largest = 0;      // upper bound of the value
  int64_t dimension = 0;    // kCoordinate only
  IndexExpression operand;  // kQuotient and kRemainder
  int64_t divisor = 1;
};

template <class Int>
Int IndexExpression::EvaluateC(std::span<const Int> coordinates) const {
  std::optional<Int> sum;
  const auto add = [&sum](int64_t coefficient, const Int& factor) {
    // ToC() prints a subtracted coefficient without its sign.
    const bool minus = coefficient < 0 && sum;
    const int64_t shown = minus ? -coefficient : coefficient;
    const Int product = shown == 1 ? factor : factor * Int(shown);
    sum = !sum ? product : minus ? *sum - product : *sum + product;
  };
  for (const auto& [coefficient, part] : InPrintedOrder()) {
    if (part->kind == Part::Kind::kCoordinate) {
      add(coefficient, coordinates[static_cast<size_t>(part->dimension)]);
      continue;
    }
    const Int operand = part->operand.EvaluateC(coordinates);
    const bool quotient = part->kind == Part::Kind::kQuotient;
    add(coefficient, quotient ? operand / Int(part->divisor) : operand % Int(part->divisor));
  }
  if (!sum) return Int(constant_);
  if (constant_ != 0) sum = constant_ < 0 ? *sum - Int(-constant_) : *sum + Int(constant_);
  return *sum;
}

}  // namespace layoutcheck
