// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/solver/rewrite/step_derivation.h"
#include <cstddef>
#include <utility>
#include <variant>

namespace layoutcheck {
namespace {

template <class Step>
const Step* StepAt(const MixedRadix<Term>& chain, size_t step) {
  return std::get_if<Step>(&chain.steps()[step]);
}

}  // namespace

StepDerivation::StepDerivation(Derivation& derivation, const MixedRadix<Term>& chain)
    : derivation_(derivation), ring_(derivation.ring()), chain_(chain) {
  for (const auto& box : chain.boxes()) {
    Point& sizes = boxes_.emplace_back();
    for (const Term& size : box) sizes.push_back(Normalize(size));
  }
  for (size_t i = 0; i < chain.steps().size(); ++i) {
    if (const auto* merge = StepAt<MergeStep<Term>>(chain, i)) {
      derivation_.Apply(LemmaId::kPositiveProduct, {boxes_[i][merge->position], boxes_[i][merge->position + 1]});
    } else if (const auto* pad = StepAt<PadStep<Term>>(chain, i)) {
      const std::vector<Term>& tile = StepAt<SplitStep<Term>>(chain, i + 1)->tile;
      for (size_t k = 0; k < tile.size(); ++k) {
        const Polynomial size = Normalize(pad->sizes[k]);
        const Polynomial divisor = Normalize(tile[k]);
        const Polynomial count = boxes_[i + 2][pad->first + 2 * k];
        derivation_.Apply(LemmaId::kCeilPositive, {size, divisor, count});
        derivation_.Apply(LemmaId::kCeilBounds, {size, divisor, count});
        derivation_.Apply(LemmaId::kPositiveProduct, {count, divisor});
      }
    }
  }
}

void StepDerivation::Divide(const Polynomial& value, const Polynomial& divisor, const Polynomial& quotient,
                            const Polynomial& remainder) {
  derivation_.Apply(LemmaId::kUniqueQuotient, {value, quotient, remainder, divisor});
  derivation_.Apply(LemmaId::kEuclid, {value, divisor});
  derivation_.Apply(LemmaId::kUniqueRemainder,
                    {value, quotient, remainder, divisor, Quotient(value, divisor), Remainder(value, divisor)});
}

Polynomial StepDerivation::Join(const Polynomial& major, const Polynomial& major_size, const Polynomial& minor,
                                const Polynomial& radix) {
  derivation_.Apply(LemmaId::kRadixLowerBound, {major, minor, radix});
  derivation_.Apply(LemmaId::kRadixUpperBound, {major, major_size, minor, radix});
  return ring_.Add(ring_.Multiply(major, radix), minor);
}

StepDerivation::Point StepDerivation::ProductsBefore(size_t box) {
  Point products = {ring_.FromConstant(1)};
  for (const Polynomial& size : boxes_[box]) products.push_back(ring_.Multiply(products.back(), size));
  return products;
}

StepDerivation::Point StepDerivation::ProductsAfter(size_t box) {
  Point products(boxes_[box].size(), ring_.FromConstant(1));
  for (size_t k = products.size(); k-- > 1;) products[k - 1] = ring_.Multiply(products[k], boxes_[box][k]);
  return products;
}

StepDerivation::Point StepDerivation::Linear(size_t box, const Point& point) {
  Point numbers;
  for (size_t k = 0; k < point.size(); ++k) {
    numbers.push_back(k == 0 ? point[0] : ring_.Add(ring_.Multiply(numbers.back(), boxes_[box][k]), point[k]));
  }
  return numbers;
}

std::vector<StepDerivation::Point> StepDerivation::Forward(const std::vector<Term>& index) {
  std::vector<Point> points(1);
  for (const Term& value : index) points[0].push_back(Normalize(value));
  for (size_t i = 0; i < chain_.steps().size(); ++i) points.push_back(ForwardOne(i, points[i]));
  return points;
}

StepDerivation::Point StepDerivation::ForwardOne(size_t step, const Point& point) {
  Point next;
  if (const auto* permute = StepAt<PermuteStep<Term>>(chain_, step)) {
    for (const size_t k : permute->source) next.push_back(point[k]);
  } else if (const auto* prepend = StepAt<PrependStep<Term>>(chain_, step)) {
    next.resize(prepend->count);
    next.insert(next.end(), point.begin(), point.end());
  } else if (const auto* merge = StepAt<MergeStep<Term>>(chain_, step)) {
    const size_t at = merge->position;
    const Point& box = boxes_[step];
    next = point;
    next[at] = Join(point[at], box[at], point[at + 1], box[at + 1]);
    next.erase(next.begin() + static_cast<std::ptrdiff_t>(at) + 1);
  } else if (StepAt<PadStep<Term>>(chain_, step) != nullptr) {
    next = point;
  } else if (const auto* split = StepAt<SplitStep<Term>>(chain_, step)) {
    next.assign(point.begin(), point.begin() + static_cast<std::ptrdiff_t>(split->first));
    for (size_t k = split->first; k < point.size(); ++k) {
      const Polynomial divisor = Normalize(split->tile[k - split->first]);
      const Polynomial count = boxes_[step + 1][next.size()];
      next.push_back(Quotient(point[k], divisor));
      next.push_back(Remainder(point[k], divisor));
      derivation_.Apply(LemmaId::kEuclid, {point[k], divisor});
      // The digit is below its size before the pad, or in the padded box below the padded one.
      derivation_.Apply(LemmaId::kSplitInBox, {point[k], boxes_[step - 1][k], divisor, count});
      derivation_.Apply(LemmaId::kOnto, {point[k], count, divisor});
    }
  } else {
    const Point products = ProductsBefore(step);
    Polynomial number = point.empty() ? Polynomial{} : point[0];
    for (size_t k = 1; k < point.size(); ++k) number = Join(number, products[k], point[k], boxes_[step][k]);
    next = {number};
  }
  return next;
}

void StepDerivation::ReturnToIndex(const std::vector<Point>& points) {
  Point point = points.back();
  for (size_t i = chain_.steps().size(); i-- > 0;) point = Back(i, point, &points[i], &points[i + 1]);
}

void StepDerivation::DivideInBox(const Polynomial& number, const Polynomial& major_size, const Polynomial& radix) {
  derivation_.Apply(LemmaId::kEuclid, {number, radix});
  derivation_.Apply(LemmaId::kOnto, {number, major_size, radix});
}

StepDerivation::Point StepDerivation::Back(size_t step, const Point& point, const Point* known,
                                           const Point* known_after) {
  const Point& box = boxes_[step];
  Point before = point;
  if (const auto* permute = StepAt<PermuteStep<Term>>(chain_, step)) {
    for (size_t k = 0; k < point.size(); ++k) before[permute->source[k]] = point[k];
  } else if (const auto* prepend = StepAt<PrependStep<Term>>(chain_, step)) {
    before.erase(before.begin(), before.begin() + static_cast<std::ptrdiff_t>(prepend->count));
  } else if (const auto* merge = StepAt<MergeStep<Term>>(chain_, step)) {
    const size_t at = merge->position;
    if (known != nullptr) {
      Divide(point[at], box[at + 1], (*known)[at], (*known)[at + 1]);
    } else {
      DivideInBox(point[at], box[at], box[at + 1]);
    }
    before[at] = Quotient(point[at], box[at + 1]);
    before.insert(before.begin() + static_cast<std::ptrdiff_t>(at) + 1, Remainder(point[at], box[at + 1]));
  } else if (const auto* split = StepAt<SplitStep<Term>>(chain_, step)) {
    before.resize(box.size());
    for (size_t k = split->first; k < before.size(); ++k) {
      const size_t at = 2 * k - split->first;
      const Polynomial divisor = Normalize(split->tile[k - split->first]);
      if (known != nullptr) {
        EquateProducts(point[at], (*known_after)[at], divisor);
        before[k] = ring_.Add(ring_.Multiply(point[at], divisor), point[at + 1]);
      } else {
        before[k] = Join(point[at], boxes_[step + 1][at], point[at + 1], divisor);
      }
    }
  } else if (StepAt<LinearizeStep<Term>>(chain_, step) != nullptr) {
    // The numbers that the first 1, 2, ... digits make, or the products of their sizes.
    const Point majors = known != nullptr ? Linear(step, *known) : ProductsBefore(step);
    Polynomial number = point[0];
    before.resize(box.size());
    for (size_t k = box.size(); k-- > 1;) {
      if (known != nullptr) {
        Divide(number, box[k], majors[k - 1], (*known)[k]);
      } else {
        DivideInBox(number, majors[k], box[k]);
      }
      before[k] = Remainder(number, box[k]);
      number = Quotient(number, box[k]);
    }
    if (!before.empty()) before[0] = number;
  }
  return before;
}

void StepDerivation::ReturnToOffset(const Term& offset) {
  const size_t steps = chain_.steps().size();
  std::vector<Point> points(steps + 1);
  points[steps] = {Normalize(offset)};
  for (size_t i = steps; i-- > 0;) points[i] = Back(i, points[i + 1]);
  Point point = points[0];
  for (size_t i = 0; i < steps; ++i) point = ForwardToKnown(i, point, points[i], points[i + 1]);
}

StepDerivation::Point StepDerivation::ForwardToKnown(size_t step, const Point& point, const Point& before,
                                                     const Point& after) {
  Point next = ForwardOne(step, point);
  if (const auto* merge = StepAt<MergeStep<Term>>(chain_, step)) {
    EquateProducts(point[merge->position], before[merge->position], boxes_[step][merge->position + 1]);
  } else if (const auto* split = StepAt<SplitStep<Term>>(chain_, step)) {
    for (size_t k = split->first; k < point.size(); ++k) {
      const size_t at = 2 * k - split->first;
      Divide(point[k], Normalize(split->tile[k - split->first]), after[at], after[at + 1]);
    }
  } else if (StepAt<LinearizeStep<Term>>(chain_, step) != nullptr) {
    const Point numbers = Linear(step, point);
    Polynomial number = after[0];
    for (size_t k = point.size(); k-- > 1;) {
      number = Quotient(number, boxes_[step][k]);
      EquateProducts(numbers[k - 1], number, boxes_[step][k]);
    }
  }
  return next;
}

void StepDerivation::EquateIndices(const std::vector<Point>& first, const std::vector<Point>& second) {
  const auto equate = [&](const Polynomial& a, const Polynomial& b, const Polynomial& c, const Polynomial& d,
                          const Polynomial& radix) {
    derivation_.Apply(LemmaId::kRadixMajor, {a, b, c, d, radix});
    derivation_.Apply(LemmaId::kRadixMinor, {a, b, c, d, radix});
  };
  for (size_t i = chain_.steps().size(); i-- > 0;) {
    const Point& a = first[i];
    const Point& b = second[i];
    if (const auto* merge = StepAt<MergeStep<Term>>(chain_, i)) {
      const size_t at = merge->position;
      equate(a[at], a[at + 1], b[at], b[at + 1], boxes_[i][at + 1]);
    } else if (const auto* split = StepAt<SplitStep<Term>>(chain_, i)) {
      for (size_t k = split->first; k < a.size(); ++k) {
        const size_t at = 2 * k - split->first;
        EquateProducts(first[i + 1][at], second[i + 1][at], Normalize(split->tile[k - split->first]));
      }
    } else if (StepAt<LinearizeStep<Term>>(chain_, i) != nullptr) {
      const Point numbers_a = Linear(i, a);
      const Point numbers_b = Linear(i, b);
      for (size_t k = a.size(); k-- > 1;) equate(numbers_a[k - 1], a[k], numbers_b[k - 1], b[k], boxes_[i][k]);
    }
  }
}

StepDerivation::Point StepDerivation::Delinearize(size_t box, const Polynomial& number, const Point& digits) {
  const Point strides = ProductsAfter(box);
  const Point numbers = Linear(box, digits);
  Point values(digits.size(), number);
  Polynomial tail;  // the number that the digits after k make
  for (size_t k = digits.size(); k-- > 0;) {
    if (k + 1 < digits.size()) {
      Divide(number, strides[k], numbers[k], tail);
      values[k] = Quotient(number, strides[k]);
    }
    if (k > 0) {
      Divide(values[k], boxes_[box][k], numbers[k - 1], digits[k]);
      values[k] = Remainder(values[k], boxes_[box][k]);
      tail = Join(digits[k], boxes_[box][k], tail, strides[k]);
    }
  }
  return values;
}

void StepDerivation::FollowReshapes(const std::vector<Point>& points) {
  Point values = points[0];  // values equal to the entries of points[i]
  const auto number_of = [&](size_t box, const Point& equal) {
    const Point strides = ProductsAfter(box);
    for (size_t k = 0; k < values.size(); ++k) EquateProducts(values[k], equal[k], strides[k]);
    return values.empty() ? Polynomial{} : Linear(box, values).back();
  };
  for (size_t i = 0; i < chain_.steps().size(); ++i) {
    if (StepAt<MergeStep<Term>>(chain_, i) != nullptr) {
      // One reshape does all merges of a tile.
      const Polynomial number = number_of(i, points[i]);
      while (StepAt<MergeStep<Term>>(chain_, i + 1) != nullptr) ++i;
      values = Delinearize(i + 1, number, points[i + 1]);
    } else if (const auto* split = StepAt<SplitStep<Term>>(chain_, i)) {
      Point digits = points[i];
      for (size_t k = split->first; k < digits.size(); ++k) {
        const size_t at = 2 * k - split->first;
        const Polynomial divisor = Normalize(split->tile[k - split->first]);
        digits[k] = ring_.Add(ring_.Multiply(points[i + 1][at], divisor), points[i + 1][at + 1]);
      }
      values = Delinearize(i + 1, number_of(i, digits), points[i + 1]);
    } else if (StepAt<LinearizeStep<Term>>(chain_, i) != nullptr) {
      number_of(i, points[i]);
    } else if (StepAt<PadStep<Term>>(chain_, i) == nullptr) {
      values = ForwardOne(i, values);  // a permutation, or zeros in front
    }
  }
}

}  // namespace layoutcheck
