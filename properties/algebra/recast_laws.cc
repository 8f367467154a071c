// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <algorithm>
#include <functional>
#include <numeric>
#include <utility>
#include "layoutcheck/core/algebra/recast.h"
#include "layoutcheck/core/shape_stride/composed_layout.h"
#include "layoutcheck/core/shape_stride/evaluate.h"
#include "layoutcheck/properties/algebra/function_law.h"

namespace layoutcheck::algebra {
namespace {

// Calls visit(digits) for every coordinate of these extents, the first digit fastest, until it returns false.
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

// The function of a composed layout on digits of its leaves. The layout must outlive this object.
class ValueAtDigits {
 public:
  explicit ValueAtDigits(const ComposedLayout& composed) : composed_(composed) {
    for (const IntTuple& stride : Leaves(composed.layout.stride)) strides_.push_back(stride.value());
  }

  // Returns the value at the digits, or nothing if it does not fit int64 or is negative before a swizzle.
  std::optional<int64_t> operator()(const std::vector<int64_t>& digits) const {
    CheckedInt64 sum = composed_.offset;
    for (size_t k = 0; k < digits.size(); ++k) sum = sum + CheckedInt64(digits[k]) * strides_[k];
    if (sum.overflow || (composed_.swizzle && sum.value < 0)) return std::nullopt;
    return composed_.swizzle ? ApplySwizzle(*composed_.swizzle, sum.value) : sum.value;
  }

 private:
  const ComposedLayout& composed_;
  std::vector<int64_t> strides_;
};

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
  const ValueAtDigits value_of_a(a);
  const ValueAtDigits value_of_result(result);
  std::vector<int64_t> shrunk(extents.size());
  ForEachDigits(extents, [&](const std::vector<int64_t>& c) {
    for (size_t k = 0; k < c.size(); ++k) shrunk[k] = c[k] / shrinks[k];
    const std::optional<int64_t> before = value_of_a(c);
    if (!before) return true;
    const int64_t expected = FloorDiv(*before, factor);
    const std::optional<int64_t> actual = value_of_result(shrunk);
    if (expected == actual) return true;
    verdict = LawResult::Disagree(StrCat(expected), Shown(actual, result)).At(c);
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
  const ValueAtDigits value_of_a(a);
  const ValueAtDigits value_of_result(result);
  std::vector<int64_t> grown;
  ForEachDigits(extents, [&](const std::vector<int64_t>& c) {
    const std::optional<int64_t> before = value_of_a(c);
    const CheckedInt64 first = CheckedInt64(before.value_or(0)) * factor;
    if (!before || (first + factor).overflow) return true;
    for (int64_t part = 0; part < factor; ++part) {
      grown = c;
      grown[at] = factor * c[at] + part;
      const int64_t expected = first.value + part;
      const std::optional<int64_t> actual = value_of_result(grown);
      if (expected == actual) continue;
      verdict = LawResult::Disagree(StrCat(expected), Shown(actual, result)).At(grown);
      return false;
    }
    return true;
  });
  return verdict;
}

std::optional<ComposedLayout> Composed(const Question& q) {
  const auto composed = ParseComposedLayout(q.texts.at(0));
  return composed ? std::optional(*composed) : std::nullopt;
}
std::optional<Swizzle> SwizzleAt(const Question& q, size_t argument) {
  const auto swizzle = ParseSwizzle(q.texts.at(argument));
  return swizzle ? std::optional(*swizzle) : std::nullopt;
}

// Swizzles distribute over exclusive-or, so two swizzles are equal if they are equal at every power of two.
constexpr int64_t kBits = 62;

template <class Values>
LawResult AtEveryBit(const Swizzle& result, const Values& expected_and_actual) {
  for (int64_t bit = 0; bit < kBits; ++bit) {
    const int64_t offset = int64_t{1} << bit;
    const auto [expected, actual] = expected_and_actual(offset);
    if (expected == actual) continue;
    return LawResult::Disagree(StrCat(expected), StrCat(actual, " by ", ToString(result))).AtOffset(offset);
  }
  return LawResult::Agree();
}

// Returns true if a swizzle can be recast by this factor: a power of two by which offsets can be multiplied.
bool IsFactor(int64_t factor) { return factor >= 1 && factor <= 4096 && (factor & (factor - 1)) == 0; }

LawResult JudgeUpcast(const Question& q, const Layout& result) {
  return UpcastOf({{}, 0, q.a()}, q.numbers.at(0), {{}, 0, result});
}

LawResult JudgeDowncast(const Question& q, const Layout& result) {
  return DowncastOf({{}, 0, q.a()}, q.numbers.at(0), {{}, 0, result});
}

// Judges a recast as an upcast by n and a downcast by d, where new_bits / old_bits = n / d in lowest terms.
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

// Writes swizzle o offset o A. The offset is large enough that no value is negative before the swizzle.
std::string SwizzledText(const AlgebraCase& c) {
  const auto range = RangeOfOffsets(c.a);
  const int64_t least = range && range->smallest < 0 ? -range->smallest : 0;
  return ToString(ComposedLayout{c.swizzle, least + c.offset, c.a});
}
Texts Swizzled(const AlgebraCase& c) { return {SwizzledText(c)}; }
Texts CoordinateOfSwizzled(const AlgebraCase& c) { return {StrCat(c.coordinate), SwizzledText(c)}; }
Texts SwizzledAndB(const AlgebraCase& c) { return {SwizzledText(c), ToString(c.b)}; }
Texts SwizzledAndFactor(const AlgebraCase& c) { return {SwizzledText(c), StrCat(c.power)}; }
Texts TwoSwizzles(const AlgebraCase& c) { return {ToString(c.swizzle), ToString(c.other_swizzle)}; }
Texts SwizzleAndFactor(const AlgebraCase& c) { return {ToString(c.swizzle), StrCat(c.power)}; }
Texts AAndWidths(const AlgebraCase& c) { return {ToString(c.a), StrCat(c.old_bits), StrCat(c.new_bits)}; }

}  // namespace

std::span<const FunctionLaw> RecastLaws() {
  using enum FirstArgument;
  static constexpr FunctionLaw kLaws[] = {
      {"upcast", "upcast", "Each offset of the upcast is the old offset divided by the factor, rounded down.",
       "layouts and a factor", AAndNumber, IsLayout<JudgeUpcast>, kLayout},
      {"downcast", "downcast", "The parts of an element follow one another from factor * its old offset on.",
       "layouts with one stride 1 and a factor", AAndNumber, IsLayout<JudgeDowncast>, kLayout},
      {"recast", "recast_layout",
       "Each offset over elements of the new width is the old offset times the ratio of the widths, rounded down.",
       "layouts, the old width and the new one in bits", AAndWidths, IsLayout<JudgeRecast>, kLayout},
      {"swizzle", "crd2idx",
       "A swizzle exclusive-ors B bits of the offset with the B bits |S| places above or below them.",
       "coordinates within composed layouts", CoordinateOfSwizzled},
      {"swizzle-cosize", "cosize", "The cosize of a swizzled layout is 1 + its largest value.",
       "composed layouts without negative offsets", Swizzled, nullptr, kComposedLayout},
      {"swizzle-composition", "composition",
       "The composition of two swizzles is the swizzle that does one after the other.", "two swizzles", TwoSwizzles,
       IsSwizzle<JudgeSwizzleComposition>, kSwizzle},
      {"swizzle-upcast", "upcast", "A swizzle of wider elements moves them as it moves their first parts.",
       "swizzles and a power of two", SwizzleAndFactor, IsSwizzle<JudgeSwizzleUpcast>, kSwizzle},
      {"swizzle-downcast", "downcast",
       "A swizzle of parts moves whole elements and keeps the place of a part in its element.",
       "swizzles and a power of two", SwizzleAndFactor, IsSwizzle<JudgeSwizzleDowncast>, kSwizzle},
      {"composed-composition", "composition",
       "The composition has the value A(B(c)) of the swizzled layout A at every coordinate c of B.",
       "composed layouts A and layouts B, where the values of B are coordinates of A", SwizzledAndB,
       IsComposedLayout<JudgeComposedComposition>, kComposedLayout},
      {"composed-upcast", "upcast",
       "Each offset of the upcast is the old swizzled offset divided by the factor, rounded down.",
       "composed layouts and a power of two", SwizzledAndFactor, IsComposedLayout<JudgeComposedUpcast>,
       kComposedLayout},
      {"composed-downcast", "downcast",
       "The parts of an element follow one another from factor * its swizzled offset on.",
       "composed layouts with one stride 1 and a power of two", SwizzledAndFactor,
       IsComposedLayout<JudgeComposedDowncast>, kComposedLayout},
  };
  return kLaws;
}

}  // namespace layoutcheck::algebra
