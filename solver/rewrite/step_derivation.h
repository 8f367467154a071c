// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Derives the laws of a layout along the steps of its mixed-radix chain: each step has its own lemmas, so nothing is
// searched. Works for every layout, with more instances than a Rewriter needs. Not trusted: Z3 does not accept a
// derivation with a wrong or missing instance.
#pragma once

#include <vector>
#include "layoutcheck/core/tiling/mixed_radix.h"
#include "layoutcheck/solver/certificate/derivation.h"
#include "layoutcheck/solver/terms/term.h"

namespace layoutcheck {

class StepDerivation {
 public:
  using Point = std::vector<Polynomial>;

  // Derives that all sizes of the chain's boxes are at least 1, if its dimensions and tile sizes are.
  StepDerivation(Derivation& derivation, const MixedRadix<Term>& chain);

  // Returns the points of all boxes that the steps make of a logical index, which is in the first box by hypothesis or
  // in the padded one, and derives that each is in its box.
  std::vector<Point> Forward(const std::vector<Term>& index);
  // Derives that the inverse steps lead from the offset of these points, results of Forward, back to them.
  void ReturnToIndex(const std::vector<Point>& points);
  // Derives that the inverse steps lead from an offset below the last box's size to an index in the first box, provided
  // that no digit is padding, and from there forward to the offset.
  void ReturnToOffset(const Term& offset);
  // Derives that the points of two indices with the same offset are the same.
  void EquateIndices(const std::vector<Point>& first, const std::vector<Point>& second);
  // Derives that padding, reshaping and transposing (pad_reshape_transpose.h) lead to the offset of these points.
  void FollowReshapes(const std::vector<Point>& points);

 private:
  Polynomial Normalize(const Term& term) { return derivation_.Normalize(term); }
  Polynomial Quotient(const Polynomial& value, const Polynomial& divisor) {
    return ring_.Division(AtomKind::kFloorDiv, value, divisor);
  }
  Polynomial Remainder(const Polynomial& value, const Polynomial& divisor) {
    return ring_.Division(AtomKind::kMod, value, divisor);
  }
  // Derives value = quotient * divisor + remainder gives the quotient and the remainder of the value.
  void Divide(const Polynomial& value, const Polynomial& divisor, const Polynomial& quotient,
              const Polynomial& remainder);
  // Derives that major * radix + minor is in [0, major_size * radix), and returns it.
  Polynomial Join(const Polynomial& major, const Polynomial& major_size, const Polynomial& minor,
                  const Polynomial& radix);
  void EquateProducts(const Polynomial& x, const Polynomial& y, const Polynomial& factor) {
    if (x != y) derivation_.Apply(LemmaId::kEqualProducts, {x, y, factor});
  }
  // Returns the products of the first 0, 1, 2, ... sizes of a box, or of the sizes after each.
  Point ProductsBefore(size_t box);
  Point ProductsAfter(size_t box);
  // Returns the row-major numbers of the first 1, 2, ... digits of a point.
  Point Linear(size_t box, const Point& point);

  Point ForwardOne(size_t step, const Point& point);
  // Returns the point before a step, given the point after it. Derives that it equals `known`, which leads to
  // `known_after`, or without these that it is in its box.
  Point Back(size_t step, const Point& point, const Point* known = nullptr, const Point* known_after = nullptr);
  // Derives that the quotient of a number below major_size * radix is below major_size, and the remainder below radix.
  void DivideInBox(const Polynomial& number, const Polynomial& major_size, const Polynomial& radix);
  // Derives that the step leads from `point`, which equals `before` = Back(step, after), to a point that equals
  // `after`.
  Point ForwardToKnown(size_t step, const Point& point, const Point& before, const Point& after);
  // Returns the digits of `number` in the box, and derives that they equal `digits`. Requires that the derivation
  // implies that `number` is the row-major number of `digits`.
  Point Delinearize(size_t box, const Polynomial& number, const Point& digits);

  Derivation& derivation_;
  Ring& ring_;
  const MixedRadix<Term>& chain_;
  std::vector<Point> boxes_;  // normal forms of chain_.boxes()
};

}  // namespace layoutcheck
