// The linear index as a formula of one layout: the integer type with which the templates of core (tiled_index.h,
// shape_stride/strided_index.h) write themselves down as an affine map or as C, with all sizes known.
#ifndef LAYOUTCHECK_CORE_TILING_INDEX_EXPRESSION_H_
#define LAYOUTCHECK_CORE_TILING_INDEX_EXPRESSION_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace layoutcheck {

// A linear combination of coordinates, quotients and remainders: sum of coefficient * part + constant. What the sizes
// decide is simplified away: i mod 8 is i, and i floordiv 8 is 0, where i < 8; a quotient and the remainder that
// belongs to it join again. Every part is >= 0.
class IndexExpression {
 public:
  // An expression of more parts than this is too large: parts() says so, and it has no other meaning. Nested `*` tiles
  // can make formulas that grow exponentially.
  static constexpr int64_t kMaxParts = 10'000;

  IndexExpression(int64_t constant = 0) : constant_(constant) {}  // NOLINT(google-explicit-constructor): is a number
  // The coordinate of dimension `dimension`, in [0, size). Always 0 where the size is 1 or less.
  static IndexExpression Coordinate(int64_t dimension, int64_t size);

  // Requires that the numbers fit int64 (the layout's sizes are checked before) and, for *, that one is a constant.
  friend IndexExpression operator+(const IndexExpression& a, const IndexExpression& b);
  friend IndexExpression operator*(const IndexExpression& a, const IndexExpression& b);
  // Require that the divisor is a constant >= 1 and that no coefficient of the dividend is below 0.
  friend IndexExpression FloorDiv(const IndexExpression& a, const IndexExpression& b);
  friend IndexExpression Mod(const IndexExpression& a, const IndexExpression& b);

  // Coordinates, quotients and remainders in the text; above kMaxParts if it is too large.
  int64_t parts() const { return parts_; }
  int64_t constant() const { return constant_; }
  // Whether the dimension's coordinate occurs.
  bool Uses(int64_t dimension) const;
  // The value for coordinates within their sizes.
  int64_t Evaluate(std::span<const int64_t> coordinates) const;
  // The same over another integer type with + - * / %, computed operator by operator as ToC() is: for a proof.
  template <class Int>
  Int EvaluateC(std::span<const Int> coordinates) const;

  // "(d0 floordiv 2) * 12 + d1 mod 2", an affine expression of MLIR.
  std::string ToAffine() const;
  // "(i0 / 2) * 12 + i1 % 2", an expression of C over int64_t. No part of it overflows where the index does not.
  std::string ToC() const;

 private:
  struct Part;  // a coordinate, a quotient or a remainder
  struct Summand {
    int64_t coefficient;
    std::shared_ptr<const Part> part;
  };

  static bool Same(const IndexExpression& a, const IndexExpression& b);
  static bool Same(const Part& a, const Part& b);
  static IndexExpression TooLarge();
  static IndexExpression OfPart(Part part);
  void Add(int64_t coefficient, const std::shared_ptr<const Part>& part);
  // Takes out two summands.
  void Remove(size_t a, size_t b);
  // The part that this is, with coefficient 1 and nothing else; nullptr if it is more.
  const Part* OnlyPart() const;
  // Joins a quotient with its remainder, or with a quotient of it, once; false if there is no such pair.
  bool Join();
  // The largest value, int64's largest where that does not fit. Requires coefficients >= 0.
  int64_t Largest() const;
  std::string Print(bool c) const;
  static std::string Print(const Part& part, bool c);
  // As they are printed: from the largest coefficient to the least.
  std::vector<Summand> InPrintedOrder() const;

  int64_t constant_ = 0;
  int64_t parts_ = 0;
  std::vector<Summand> summands_;
};

struct IndexExpression::Part {
  enum class Kind { kCoordinate, kQuotient, kRemainder };

  Kind kind = Kind::kCoordinate;
  int64_t largest = 0;      // of the values
  int64_t dimension = 0;    // of a coordinate
  IndexExpression operand;  // of a quotient or a remainder
  int64_t divisor = 1;
};

template <class Int>
Int IndexExpression::EvaluateC(std::span<const Int> coordinates) const {
  std::optional<Int> sum;
  const auto add = [&sum](int64_t coefficient, const Int& factor) {
    // What is subtracted is printed without its sign.
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

#endif  // LAYOUTCHECK_CORE_TILING_INDEX_EXPRESSION_H_
