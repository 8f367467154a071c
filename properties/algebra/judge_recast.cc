// Judges of layouts and swizzles over elements of another width, and of composed layouts.
#include <algorithm>
#include <functional>
#include <numeric>
#include <utility>

#include "layoutcheck/core/algebra/recast.h"
#include "layoutcheck/core/base/str_cat.h"
#include "layoutcheck/core/shape_stride/composed_layout.h"
#include "layoutcheck/core/shape_stride/evaluate.h"
#include "layoutcheck/core/shape_stride/text.h"
#include "layoutcheck/properties/algebra/algebra_judge.h"

namespace layoutcheck::algebra {
namespace {

// Calls visit with the digits of every coordinate of these extents; false ends it.
template <class Visit>
void ForEachDigits(const std::vector<IntTuple>& extents, const Visit& visit) {
  std::vector<int64_t> digits(extents.size(), 0);
  for (;;) {
    if (!visit(digits)) return;
    size_t k = 0;
    while (k < digits.size() && ++digits[k] == extents[k].value()) digits[k++] = 0;
    if (k == digits.size()) return;
  }
}

// The value of a composed layout at digits of its leaves; nothing where it does not fit int64, or is negative under a
// swizzle.
std::optional<int64_t> ValueAt(const ComposedLayout& composed, const std::vector<int64_t>& digits) {
  CheckedInt64 sum = composed.offset;
  const std::vector<IntTuple> strides = Leaves(composed.layout.stride);
  for (size_t k = 0; k < digits.size(); ++k) sum = sum + CheckedInt64(digits[k]) * strides[k].value();
  if (sum.overflow || (composed.swizzle && sum.value < 0)) return std::nullopt;
  return composed.swizzle ? ApplySwizzle(*composed.swizzle, sum.value) : sum.value;
}

std::string Shown(const std::optional<int64_t>& value, const ComposedLayout& in) {
  return StrCat(value ? StrCat(*value) : "no value", " in ", ToString(in));
}

LawResult UpcastOf(const ComposedLayout& a, int64_t factor, const ComposedLayout& result) {
  const auto extents = Leaves(a.layout.shape);
  const auto strides = Leaves(a.layout.stride);
  const auto new_extents = Leaves(result.layout.shape);
  if (factor < 1 || !Values(a.layout)) return LawResult::OutsideDomain();
  if (new_extents.size() != extents.size()) return Wrong("as many integers as before", result.layout);
  std::vector<int64_t> shrinks;
  for (size_t k = 0; k < extents.size(); ++k) {
    const int64_t d = std::abs(strides[k].value());
    shrinks.push_back(d > 0 && d < factor && factor % d == 0 ? factor / d : 1);
    const int64_t expected = CeilDiv(extents[k].value(), shrinks.back());
    if (new_extents[k].value() != expected) return Wrong(StrCat("extent ", expected, " at integer ", k), result.layout);
  }
  LawResult verdict = LawResult::Agree();
  ForEachDigits(extents, [&](const std::vector<int64_t>& c) {
    std::vector<int64_t> shrunk;
    for (size_t k = 0; k < c.size(); ++k) shrunk.push_back(c[k] / shrinks[k]);
    const std::optional<int64_t> before = ValueAt(a, c);
    if (!before) return true;
    const int64_t expected = FloorDiv(*before, factor);
    const std::optional<int64_t> actual = ValueAt(result, shrunk);
    if (expected == actual) return true;
    verdict = LawResult::Disagree(StrCat(expected), Shown(actual, result));
    verdict.coordinate = c;
    return false;
  });
  return verdict;
}

LawResult DowncastOf(const ComposedLayout& a, int64_t factor, const ComposedLayout& result) {
  const auto extents = Leaves(a.layout.shape);
  const auto strides = Leaves(a.layout.stride);
  const auto unit = std::ranges::find_if(strides, [](const IntTuple& stride) { return stride.value() == 1; });
  const auto units =
      std::ranges::count_if(strides, [](const IntTuple& stride) { return std::abs(stride.value()) == 1; });
  if (factor < 1 || unit == strides.end() || units != 1 || !Values(a.layout)) return LawResult::OutsideDomain();
  const auto at = static_cast<size_t>(unit - strides.begin());
  const auto new_extents = Leaves(result.layout.shape);
  const CheckedInt64 grown_extent = CheckedInt64(extents[at].value()) * factor;
  if (grown_extent.overflow || grown_extent.value > kMostCoordinates) return LawResult::OutsideDomain();
  if (new_extents.size() != extents.size() || new_extents[at].value() != grown_extent.value) {
    return Wrong(StrCat("extent ", grown_extent.value, " at integer ", at), result.layout);
  }
  LawResult verdict = LawResult::Agree();
  ForEachDigits(extents, [&](const std::vector<int64_t>& c) {
    const std::optional<int64_t> before = ValueAt(a, c);
    const CheckedInt64 first = CheckedInt64(before.value_or(0)) * factor;
    if (!before || (first + factor).overflow) return true;
    for (int64_t part = 0; part < factor; ++part) {
      std::vector<int64_t> grown = c;
      grown[at] = factor * c[at] + part;
      const int64_t expected = first.value + part;
      const std::optional<int64_t> actual = ValueAt(result, grown);
      if (expected == actual) continue;
      verdict = LawResult::Disagree(StrCat(expected), Shown(actual, result));
      verdict.coordinate = grown;
      return false;
    }
    return true;
  });
  return verdict;
}

// The first argument as a composed layout, and as a swizzle.
std::optional<ComposedLayout> Composed(const Question& q) {
  const auto composed = ParseComposedLayout(q.texts.at(0));
  return composed ? std::optional(*composed) : std::nullopt;
}
std::optional<Swizzle> SwizzleAt(const Question& q, size_t argument) {
  const auto swizzle = ParseSwizzle(q.texts.at(argument));
  return swizzle ? std::optional(*swizzle) : std::nullopt;
}

// Swizzles distribute over exclusive or, so that they are equal where they are at every power of two.
constexpr int64_t kBits = 62;

template <class Values>
LawResult AtEveryBit(const Swizzle& result, const Values& expected_and_actual) {
  for (int64_t bit = 0; bit < kBits; ++bit) {
    const int64_t offset = int64_t{1} << bit;
    const auto [expected, actual] = expected_and_actual(offset);
    if (expected == actual) continue;
    LawResult wrong = LawResult::Disagree(StrCat(expected), StrCat(actual, " by ", ToString(result)));
    wrong.offset = offset;
    return wrong;
  }
  return LawResult::Agree();
}

// A factor that a swizzle can be recast by, small enough for an offset to be multiplied by it.
bool IsFactor(int64_t factor) { return factor >= 1 && factor <= 4096 && (factor & (factor - 1)) == 0; }

}  // namespace

LawResult JudgeUpcast(const Question& q, const Layout& result) {
  return UpcastOf({{}, 0, q.a()}, q.numbers.at(0), {{}, 0, result});
}

LawResult JudgeDowncast(const Question& q, const Layout& result) {
  return DowncastOf({{}, 0, q.a()}, q.numbers.at(0), {{}, 0, result});
}

// new / old = n / d in lowest terms: upcast by n, and that downcast by d.
LawResult JudgeRecast(const Question& q, const Layout& result) {
  const int64_t old_bits = q.numbers.at(0);
  const int64_t new_bits = q.numbers.at(1);
  if (old_bits < 1 || new_bits < 1) return LawResult::OutsideDomain();
  const int64_t common = std::gcd(old_bits, new_bits);
  if (old_bits == common) return UpcastOf({{}, 0, q.a()}, new_bits / common, {{}, 0, result});
  const auto wide = Upcast(q.a(), new_bits / common);
  return wide ? DowncastOf({{}, 0, *wide}, old_bits / common, {{}, 0, result}) : LawResult::OutsideDomain();
}

LawResult JudgeComposedUpcast(const Question& q, const ComposedLayout& result) {
  const auto a = Composed(q);
  return a ? UpcastOf(*a, q.numbers.at(0), result) : LawResult::OutsideDomain();
}

LawResult JudgeComposedDowncast(const Question& q, const ComposedLayout& result) {
  const auto a = Composed(q);
  return a ? DowncastOf(*a, q.numbers.at(0), result) : LawResult::OutsideDomain();
}

LawResult JudgeComposedComposition(const Question& q, const ComposedLayout& result) {
  const auto a = Composed(q);
  const Layout& b = q.layouts.back();
  const auto coordinates = Values(b);
  const auto size = a ? Size(a->layout) : Expected<int64_t>(0);
  if (!a || !coordinates || !size || !AllBetween(*coordinates, 0, *size)) return LawResult::OutsideDomain();
  if (!Compatible(b.shape, result.layout.shape)) {
    return Wrong(StrCat("a shape that ", ToString(b.shape), " is compatible with"), result.layout);
  }
  for (size_t i = 0; i < coordinates->size(); ++i) {
    const auto expected = Crd2Idx(IntTuple((*coordinates)[i]), *a);
    if (!expected) return LawResult::OutsideDomain();
    const auto actual = Crd2Idx(IntTuple(static_cast<int64_t>(i)), result);
    if (actual && *actual == *expected) continue;
    return At(LawResult::Disagree(StrCat(*expected), Shown(actual ? std::optional(*actual) : std::nullopt, result)),
              static_cast<int64_t>(i));
  }
  return LawResult::Agree();
}

LawResult JudgeSwizzleComposition(const Question& q, const Swizzle& result) {
  const auto f = SwizzleAt(q, 0);
  const auto g = SwizzleAt(q, 1);
  if (!f || !g) return LawResult::OutsideDomain();
  return AtEveryBit(
      result, [&](int64_t x) { return std::pair(ApplySwizzle(*f, ApplySwizzle(*g, x)), ApplySwizzle(result, x)); });
}

LawResult JudgeSwizzleUpcast(const Question& q, const Swizzle& result) {
  const auto f = SwizzleAt(q, 0);
  const int64_t factor = q.numbers.at(0);
  if (!f || !IsFactor(factor)) return LawResult::OutsideDomain();
  return AtEveryBit(
      result, [&](int64_t x) { return std::pair(ApplySwizzle(*f, x) / factor, ApplySwizzle(result, x / factor)); });
}

LawResult JudgeSwizzleDowncast(const Question& q, const Swizzle& result) {
  const auto f = SwizzleAt(q, 0);
  const int64_t factor = q.numbers.at(0);
  if (!f || !IsFactor(factor)) return LawResult::OutsideDomain();
  return AtEveryBit(result, [&](int64_t x) {
    const int64_t part = x % factor;
    return std::pair(ApplySwizzle(*f, x / factor) * factor + part, ApplySwizzle(result, x));
  });
}

}  // namespace layoutcheck::algebra
