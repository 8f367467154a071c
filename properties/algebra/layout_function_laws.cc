// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <algorithm>
#include <functional>
#include <set>
#include "layoutcheck/core/algebra/coalesce.h"
#include "layoutcheck/core/algebra/complement.h"
#include "layoutcheck/core/algebra/inverse.h"
#include "layoutcheck/properties/algebra/function_law.h"

namespace layoutcheck::algebra {
namespace {

LawResult JudgeCoalesce(const Question& q, const Layout& result) {
  if (Depth(result.shape) > 1) return Wrong("a flat layout", result);
  const auto values = Values(q.a());
  return values ? HasValues(result, *values) : LawResult::OutsideDomain();
}

LawResult JudgeFilter(const Question& q, const Layout& result) {
  const auto before = Values(q.a());
  const auto after = Values(result);
  if (!before) return LawResult::OutsideDomain();
  if (!after || after->size() > before->size()) return Wrong("at most as many coordinates", result);
  if (SetOf(*before) != SetOf(*after)) {
    return Wrong("the same set of values", result);
  }
  for (const IntTuple& stride : Leaves(result.stride)) {
    if (stride.value() == 0 && after->size() > 1) return Wrong("no stride 0", result);
  }
  return LawResult::Agree();
}

LawResult JudgeComplement(const Question& q, const Layout& result) {
  const auto filtered = Filter(q.a());
  const auto exact = HasExactComplement(q.a());
  if (!filtered || !exact) return LawResult::OutsideDomain();
  const auto inside = Values(*filtered);
  const auto outside = Values(result);
  if (!inside || inside->size() > 4096) return LawResult::OutsideDomain();
  if (!outside || outside->empty() || outside->size() > 4096)
    return Wrong("a layout of no more values than the codomain", result);
  if (!std::ranges::is_sorted(*outside, std::ranges::less_equal{}) || outside->front() != 0) {
    return Wrong("strictly increasing values from 0", result);
  }
  std::vector<int64_t> sums;
  sums.reserve(inside->size() * outside->size());
  for (const int64_t x : *inside) {
    for (const int64_t y : *outside) sums.push_back(x + y);
  }
  std::ranges::sort(sums);
  if (const auto twice = std::ranges::adjacent_find(sums); twice != sums.end()) {
    return Wrong(StrCat("no two ways to ", *twice), result);
  }
  if (!*exact) return LawResult::Agree();
  if (sums.back() + 1 != std::ssize(sums)) return Wrong("no hole", result);
  if (sums.back() + 1 < q.numbers.at(0)) return Wrong(StrCat("all of 0 to ", q.numbers[0] - 1), result);
  return LawResult::Agree();
}

LawResult JudgeComposition(const Question& q, const Layout& result) {
  const auto coordinates = Values(q.b());
  if (!coordinates) return LawResult::OutsideDomain();
  const auto expected = ValuesAt(q.a(), *coordinates);
  if (!expected) return LawResult::OutsideDomain();
  const LawResult values = HasValues(result, *expected);
  if (values.verdict != LawResult::Verdict::kAgree) return values;
  if (!Compatible(q.b().shape, result.shape)) {
    return Wrong(StrCat("a shape that ", ToString(q.b().shape), " is compatible with"), result);
  }
  return LawResult::Agree();
}

LawResult JudgeRightInverse(const Question& q, const Layout& result) {
  const auto inverse = Values(result);
  if (!inverse) return Wrong("an inverse", result);
  const auto back = ValuesAt(q.a(), *inverse);
  if (!back) return Wrong("coordinates of the layout", result);
  return CountUp(*back, result);
}

LawResult JudgeLeftInverse(const Question& q, const Layout& result) {
  const auto values = Values(q.a());
  if (!values || !AllBetween(*values, 0, kMostCoordinates)) return LawResult::OutsideDomain();
  const IntegralValues value_of(q.a());
  const IntegralValues inverse(result);
  for (size_t i = 0; i < values->size(); ++i) {
    const auto coordinate = inverse((*values)[i]);
    std::string actual = "no value";
    if (coordinate && *coordinate >= 0) {
      const auto again = value_of(*coordinate);
      if (again == (*values)[i]) continue;
      if (again) actual = StrCat(*again);
    }
    return At(LawResult::Disagree(StrCat((*values)[i]), StrCat(actual, " by ", ToString(result))),
              static_cast<int64_t>(i));
  }
  return LawResult::Agree();
}

LawResult JudgeNullspace(const Question& q, const Layout& result) {
  const auto kernel = Values(result);
  if (!kernel) return Wrong("a kernel", result);
  const auto zeros = ValuesAt(q.a(), *kernel);
  if (!zeros || !AllBetween(*zeros, 0, 1)) return Wrong("coordinates of value 0 only", result);
  if (!Distinct(*kernel)) return Wrong("no coordinate twice", result);
  const auto filtered = FilterZeros(q.a());
  if (!filtered) return LawResult::OutsideDomain();
  const int64_t expected = *Size(q.a()) / *Size(*filtered);
  if (static_cast<int64_t>(kernel->size()) == expected) return LawResult::Agree();
  return Wrong(StrCat("size ", expected), result);
}

// Returns how many of 0, 1, 2, ... A and B have at the same coordinates, or nothing if their sizes differ.
std::optional<int64_t> CommonValues(const Question& q) {
  const auto a = Values(q.a());
  const auto b = Values(q.b());
  if (!a || !b || a->size() != b->size()) return std::nullopt;
  std::set<int64_t> common;
  for (size_t i = 0; i < a->size(); ++i) {
    if ((*a)[i] == (*b)[i]) common.insert((*a)[i]);
  }
  int64_t count = 0;
  while (common.contains(count)) ++count;
  return count;
}

// Returns true if the reference's answer is the largest possible: A and B are injective and have no value below 0.
bool CommonIsExact(const Question& q) {
  for (const Layout& layout : q.layouts) {
    const auto values = Values(layout);
    if (!values || !Distinct(*values) || !AllBetween(*values, 0, kMostCoordinates)) return false;
  }
  return MaxCommonVector(q.a(), q.b()).has_value();
}

LawResult JudgeMaxCommonVector(const Question& q, int64_t count) {
  const auto most = CommonValues(q);
  if (!most) return LawResult::OutsideDomain();
  if (count > *most || count < 1) return LawResult::Disagree(StrCat("1 to ", *most), StrCat(count));
  if (count < *most && CommonIsExact(q)) return LawResult::Disagree(StrCat(*most), StrCat(count));
  return LawResult::Agree();
}

LawResult JudgeMaxCommonLayout(const Question& q, const Layout& result) {
  const auto most = CommonValues(q);
  if (!most) return LawResult::OutsideDomain();
  const auto coordinates = Values(result);
  if (!coordinates || coordinates->empty()) return Wrong("a layout of common coordinates", result);
  for (const Layout& layout : q.layouts) {
    const auto values = ValuesAt(layout, *coordinates);
    if (!values) return Wrong("coordinates of both", result);
    LawResult judged = CountUp(*values, result);
    if (judged.verdict != LawResult::Verdict::kAgree) return judged;
  }
  if (static_cast<int64_t>(coordinates->size()) < *most && CommonIsExact(q)) {
    return Wrong(StrCat("size ", *most), result);
  }
  return LawResult::Agree();
}

// Pairs the shape of `a` with another shape: one integer or the coalesced shape, both of the same size; or a shape of
// mostly another size.
Texts TwoShapes(const AlgebraCase& c) {
  const auto flat = Coalesce(c.a);
  const bool integer = c.coordinate % 2 == 0;
  const IntTuple other = c.coordinate % 5 == 4 ? c.tiled_shape
                         : integer || !flat    ? IntTuple(CheckedProduct(c.a.shape).value)
                                               : flat->shape;
  return c.number % 2 == 0 ? Texts{ToString(other), ToString(c.a.shape)} : Texts{ToString(c.a.shape), ToString(other)};
}
Texts CoordinateOfA(const AlgebraCase& c) { return {StrCat(c.coordinate), ToString(c.a)}; }
Texts AAndTwin(const AlgebraCase& c) { return {ToString(c.a), ToString(c.twin)}; }

}  // namespace

std::span<const FunctionLaw> LayoutFunctionLaws() {
  using enum FirstArgument;
  static constexpr FunctionLaw kLaws[] = {
      {"size", "size", "The size is the product of the extents.", "layouts", OnlyA, nullptr, kLayout},
      {"cosize", "cosize", "The cosize is 1 + the sum of (extent - 1) * |stride|.", "layouts", OnlyA, nullptr, kLayout},
      {"crd2idx", "crd2idx",
       "An integral coordinate is split colexicographically: the first integer of the shape varies fastest.",
       "coordinates within layouts", CoordinateOfA},
      {"compatible", "compatible", "Every coordinate of the first shape is a coordinate of the second.", "two shapes",
       TwoShapes},
      {"congruent", "congruent", "Congruent shapes have the same structure.", "two shapes", TwoShapes},
      {"weakly-congruent", "weakly_congruent", "The structure of the first shape is a prefix of the second's.",
       "two shapes", TwoShapes},
      {"coalesce", "coalesce", "Coalescing keeps the size and every value, and leaves no nesting.", "layouts", OnlyA,
       IsLayout<JudgeCoalesce>, kLayout},
      {"filter", "filter", "Filtering keeps the set of values and leaves no stride 0.", "layouts", OnlyA,
       IsLayout<JudgeFilter>, kLayout},
      {"complement", "complement",
       "The complement's values increase, and no number is in two ways the sum of a value of the layout and a value of "
       "the complement; where the layout tiles, the sums are all numbers from 0 to the size of the codomain.",
       "layouts and the size of a codomain", AAndNumber, IsLayout<JudgeComplement>, kLayout},
      {"composition", "composition", "The composition has the value A(B(c)) at every coordinate c of B.",
       "layouts A and B, where the values of B are coordinates of A", AAndB, IsLayout<JudgeComposition>, kLayout},
      {"right-inverse", "right_inverse", "The layout composed with its right inverse is the identity.", "layouts",
       OnlyA, IsLayout<JudgeRightInverse>, kLayout},
      {"left-inverse", "left_inverse",
       "The left inverse maps every value of the layout to a coordinate that has this value.",
       "layouts without negative values", OnlyA, IsLayout<JudgeLeftInverse>, kLayout},
      {"nullspace", "nullspace",
       "The nullspace lists the coordinates that vary along strides 0 only: their value is 0.", "layouts", OnlyA,
       IsLayout<JudgeNullspace>, kLayout},
      {"max-common-vector", "max_common_vector",
       "The result says how many of 0, 1, 2, ... A and B both have at the same coordinates: never too many, and all of "
       "them where both are injective.",
       "layouts A and B of one size", AAndTwin, IsNumber<JudgeMaxCommonVector>, kLayout},
      {"max-common-layout", "max_common_layout",
       "A and B composed with the result are both the identity, and where both are injective no value that they have "
       "in common is missing.",
       "layouts A and B of one size", AAndTwin, IsLayout<JudgeMaxCommonLayout>, kLayout},
  };
  return kLaws;
}

}  // namespace layoutcheck::algebra
