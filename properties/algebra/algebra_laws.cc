#include <algorithm>
#include <functional>
#include <memory>
#include <set>
#include <utility>

#include "layoutcheck/core/algebra/coalesce.h"
#include "layoutcheck/core/algebra/complement.h"
#include "layoutcheck/core/algebra/inverse.h"
#include "layoutcheck/core/base/str_cat.h"
#include "layoutcheck/core/shape_stride/composed_layout.h"
#include "layoutcheck/core/shape_stride/evaluate.h"
#include "layoutcheck/core/shape_stride/text.h"
#include "layoutcheck/properties/algebra/algebra_judge.h"
#include "layoutcheck/properties/algebra/algebra_law.h"
#include "layoutcheck/properties/algebra/algebra_reference.h"

namespace layoutcheck {
namespace {

using algebra::AllBetween;
using algebra::At;
using algebra::Distinct;
using algebra::HasValues;
using algebra::kMostCoordinates;
using algebra::Layout;
using algebra::Question;
using algebra::Values;
using algebra::ValuesAt;
using algebra::Wrong;
using Texts = std::vector<std::string>;

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
  if (std::set(before->begin(), before->end()) != std::set(after->begin(), after->end())) {
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
  std::set<int64_t> sums;
  for (const int64_t x : *inside) {
    for (const int64_t y : *outside) {
      if (!sums.insert(x + y).second) return Wrong(StrCat("no two ways to ", x + y), result);
    }
  }
  if (!*exact) return LawResult::Agree();
  if (*sums.rbegin() + 1 != static_cast<int64_t>(sums.size())) return Wrong("no hole", result);
  if (*sums.rbegin() + 1 < q.numbers.at(0)) return Wrong(StrCat("all of 0 to ", q.numbers[0] - 1), result);
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
  for (size_t i = 0; i < back->size(); ++i) {
    if ((*back)[i] != static_cast<int64_t>(i)) {
      return At(LawResult::Disagree(StrCat(i), StrCat((*back)[i], " by ", ToString(result))), static_cast<int64_t>(i));
    }
  }
  return LawResult::Agree();
}

LawResult JudgeLeftInverse(const Question& q, const Layout& result) {
  const auto values = Values(q.a());
  if (!values || !AllBetween(*values, 0, kMostCoordinates)) return LawResult::OutsideDomain();
  for (size_t i = 0; i < values->size(); ++i) {
    const auto coordinate = Crd2Idx((*values)[i], result);
    const auto again = coordinate && *coordinate >= 0 ? Crd2Idx(*coordinate, q.a()) : Expected<int64_t>(-1);
    if (again && *again == (*values)[i]) continue;
    return At(LawResult::Disagree(StrCat((*values)[i]),
                                  StrCat(again ? StrCat(*again) : "no value", " by ", ToString(result))),
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

// How many of 0, 1, 2, ... A and B both have at the same coordinates; nothing where their sizes differ.
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

// Whether the reference's answer is the largest that there is: A and B are injective, and have no value below 0.
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
    for (size_t i = 0; i < values->size(); ++i) {
      if ((*values)[i] == static_cast<int64_t>(i)) continue;
      return At(LawResult::Disagree(StrCat(i), StrCat((*values)[i], " by ", ToString(result))),
                static_cast<int64_t>(i));
    }
  }
  if (static_cast<int64_t>(coordinates->size()) < *most && CommonIsExact(q)) {
    return Wrong(StrCat("size ", *most), result);
  }
  return LawResult::Agree();
}

// What the first argument is. CuTe has functions of one name for layouts, composed layouts and swizzles.
enum class First { kAny, kLayout, kComposed, kSwizzle };

bool Is(First first, const std::string& text) {
  switch (first) {
    case First::kAny: return true;
    case First::kLayout: return ParseShapeStrideLayout(text).has_value();
    case First::kComposed: return !ParseShapeStrideLayout(text) && ParseComposedLayout(text);
    case First::kSwizzle: return ParseSwizzle(text).has_value();
  }
  return false;
}

// What most laws are: the function, its arguments from a case, and how its answer is judged.
struct Spec {
  std::string_view name;
  std::string_view function;
  std::string_view statement;
  std::string_view domain;
  First first;
  Texts (*arguments)(const AlgebraCase&);
  // Null where the answer is a number, which is the reference's.
  LawResult (*judge)(const Question&, const ApplyAnswer&);
};

// The judge of an answer that is the text of a layout, a composed one or a swizzle.
template <auto Parse, auto Judge>
LawResult Read(const Question& question, const ApplyAnswer& given, std::string_view what) {
  if (!given.layout) return LawResult::Disagree(StrCat("a ", what), "none");
  const auto result = Parse(*given.layout);
  if (!result) return LawResult::Disagree(StrCat("a ", what), StrCat(*given.layout, ": ", result.error().ToString()));
  return Judge(question, *result);
}
template <auto Judge>
LawResult ALayout(const Question& question, const ApplyAnswer& given) {
  return Read<ParseShapeStrideLayout, Judge>(question, given, "layout");
}
template <auto Judge>
LawResult AComposed(const Question& question, const ApplyAnswer& given) {
  return Read<ParseComposedLayout, Judge>(question, given, "composed layout");
}
template <auto Judge>
LawResult ASwizzle(const Question& question, const ApplyAnswer& given) {
  return Read<ParseSwizzle, Judge>(question, given, "swizzle");
}
template <auto Judge>
LawResult ANumber(const Question& question, const ApplyAnswer& given) {
  return given.value ? Judge(question, *given.value) : LawResult::Disagree("a number", "none");
}

Texts OnlyA(const AlgebraCase& c) { return {ToString(c.a)}; }
Texts AAndB(const AlgebraCase& c) { return {ToString(c.a), ToString(c.b)}; }
Texts AAndNumber(const AlgebraCase& c) { return {ToString(c.a), StrCat(c.number)}; }
Texts Shapes(const AlgebraCase& c) {
  // Of the same layout in other words: its shape cut off at the top, or coalesced.
  const auto flat = Coalesce(c.a);
  const bool prefix = c.coordinate % 2 == 0;
  const IntTuple other = prefix || !flat ? IntTuple(CheckedProduct(c.a.shape).value) : flat->shape;
  return c.number % 2 == 0 ? Texts{ToString(other), ToString(c.a.shape)} : Texts{ToString(c.a.shape), ToString(other)};
}
Texts CoordinateOfA(const AlgebraCase& c) { return {StrCat(c.coordinate), ToString(c.a)}; }
// swizzle o offset o A, the offset at least what makes A's values positive.
Texts Swizzled(const AlgebraCase& c) {
  const auto range = RangeOfOffsets(c.a);
  const int64_t least = range && range->smallest < 0 ? -range->smallest : 0;
  return {ToString(ComposedLayout{c.swizzle, least + c.offset, c.a})};
}
Texts CoordinateOfSwizzled(const AlgebraCase& c) { return {StrCat(c.coordinate), Swizzled(c)[0]}; }
Texts SwizzledAndB(const AlgebraCase& c) { return {Swizzled(c)[0], ToString(c.b)}; }
Texts SwizzledAndFactor(const AlgebraCase& c) { return {Swizzled(c)[0], StrCat(c.power)}; }
Texts TwoSwizzles(const AlgebraCase& c) { return {ToString(c.swizzle), ToString(c.other_swizzle)}; }
Texts SwizzleAndFactor(const AlgebraCase& c) { return {ToString(c.swizzle), StrCat(c.power)}; }
Texts AAndTwin(const AlgebraCase& c) { return {ToString(c.a), ToString(c.twin)}; }
Texts ShapeAndNumber(const AlgebraCase& c) { return {ToString(c.a.shape), StrCat(c.number)}; }
Texts TiledShape(const AlgebraCase& c) { return {ToString(c.a), ToString(c.tiled_shape), ToString(c.order)}; }
Texts AAndWidths(const AlgebraCase& c) { return {ToString(c.a), StrCat(c.old_bits), StrCat(c.new_bits)}; }

constexpr Spec kSpecs[] = {
    {"size", "size", "The size is the product of the extents.", "layouts", First::kLayout, OnlyA, nullptr},
    {"cosize", "cosize", "The cosize is 1 + the sum of (extent - 1) * |stride|.", "layouts", First::kLayout, OnlyA,
     nullptr},
    {"crd2idx", "crd2idx", "An integral coordinate is taken apart colexicographically, the first integer fastest.",
     "coordinates within layouts", First::kAny, CoordinateOfA, nullptr},
    {"swizzle", "crd2idx", "A swizzle exclusive-ors B bits of the offset with those |S| above or below them.",
     "coordinates within composed layouts", First::kAny, CoordinateOfSwizzled, nullptr},
    {"compatible", "compatible", "Every coordinate of the one shape is a coordinate of the other.", "two shapes",
     First::kAny, Shapes, nullptr},
    {"congruent", "congruent", "Congruent shapes have the same structure.", "two shapes", First::kAny, Shapes, nullptr},
    {"weakly-congruent", "weakly_congruent", "The structure of the one shape is a prefix of the other's.", "two shapes",
     First::kAny, Shapes, nullptr},
    {"coalesce", "coalesce", "Coalescing keeps the size and every value, and leaves no nesting.", "layouts",
     First::kLayout, OnlyA, ALayout<JudgeCoalesce>},
    {"filter", "filter", "Filtering keeps the set of values, and leaves no stride 0.", "layouts", First::kLayout, OnlyA,
     ALayout<JudgeFilter>},
    {"complement", "complement",
     "The complement is increasing, and no value has two sums with the layout's; where the layout tiles, the sums are "
     "all of 0 to the codomain's size.",
     "layouts and the size of a codomain", First::kLayout, AAndNumber, ALayout<JudgeComplement>},
    {"composition", "composition", "The composition's value at c is A's at B's value, for every c of B.",
     "layouts A and B, B's values coordinates of A", First::kLayout, AAndB, ALayout<JudgeComposition>},
    {"right-inverse", "right_inverse", "The layout of its right inverse is the identity.", "layouts", First::kLayout,
     OnlyA, ALayout<JudgeRightInverse>},
    {"left-inverse", "left_inverse", "The left inverse takes every value to a coordinate that has it.",
     "layouts without negative values", First::kLayout, OnlyA, ALayout<JudgeLeftInverse>},
    {"nullspace", "nullspace", "The nullspace is the coordinates that vary along strides 0: their value is 0.",
     "layouts", First::kLayout, OnlyA, ALayout<JudgeNullspace>},
    {"logical-divide", "logical_divide", "The tile is A o T, and every element of A is in some tile.",
     "layouts A and T, T's values coordinates of A", First::kLayout, AAndB, ALayout<algebra::JudgeDivide>},
    {"zipped-divide", "zipped_divide",
     "Two modes, the tile A o T and the rest, and every element of A is in some tile.",
     "layouts A and T, T's values coordinates of A", First::kLayout, AAndB, ALayout<algebra::JudgeZippedDivide>},
    {"tiled-divide", "tiled_divide", "The tile A o T comes first, and every element of A is in some tile.",
     "layouts A and T, T's values coordinates of A", First::kLayout, AAndB, ALayout<algebra::JudgeDivide>},
    {"flat-divide", "flat_divide", "The tile A o T comes first, and every element of A is in some tile.",
     "layouts A and T, T's values coordinates of A", First::kLayout, AAndB, ALayout<algebra::JudgeDivide>},
    {"logical-product", "logical_product",
     "The product is A and its copies, which do not overlap where T is injective.", "layouts A and T", First::kLayout,
     AAndB, ALayout<algebra::JudgeProduct>},
    {"blocked-product", "blocked_product", "Mode by mode A inside T, and the copies do not overlap.", "layouts A and T",
     First::kLayout, AAndB, ALayout<algebra::JudgeBlockedProduct>},
    {"raked-product", "raked_product", "Mode by mode T inside A, and the copies do not overlap.", "layouts A and T",
     First::kLayout, AAndB, ALayout<algebra::JudgeRakedProduct>},
    {"upcast", "upcast", "An offset of the upcast is the old one divided by the factor, rounded down.",
     "layouts and a factor", First::kLayout, AAndNumber, ALayout<algebra::JudgeUpcast>},
    {"downcast", "downcast", "The parts of an element follow each other at factor * its old offset.",
     "layouts with one stride 1 and a factor", First::kLayout, AAndNumber, ALayout<algebra::JudgeDowncast>},
    {"max-common-vector", "max_common_vector",
     "As many of 0, 1, 2, ... as A and B both have at the same coordinates, where both are injective; never more.",
     "layouts A and B of one size", First::kLayout, AAndTwin, ANumber<JudgeMaxCommonVector>},
    {"max-common-layout", "max_common_layout",
     "A and B of it are both the identity, and where both are injective no value that they have in common is missing.",
     "layouts A and B of one size", First::kLayout, AAndTwin, ALayout<JudgeMaxCommonLayout>},
    {"domain-distribute", "domain_distribute",
     "The indices of a box in the shape, increasing: its extents are the common divisors with what is left of the "
     "count.",
     "shapes and a count", First::kAny, ShapeAndNumber, ALayout<algebra::JudgeDomainDistribute>},
    {"tile-to-shape", "tile_to_shape",
     "Each mode has the size of the shape's, and blocks of A follow each other in the order of the modes.",
     "layouts, shapes that they divide, and an order of the modes", First::kLayout, TiledShape,
     ALayout<algebra::JudgeTileToShape>},
    {"recast", "recast_layout",
     "Over elements of other bits, an offset is the old one times the ratio of the widths, rounded down.",
     "layouts, the old width and the new one in bits", First::kLayout, AAndWidths, ALayout<algebra::JudgeRecast>},
    {"swizzle-cosize", "cosize", "The cosize of a swizzled layout is 1 + its largest value.",
     "composed layouts without negative offsets", First::kComposed, Swizzled, nullptr},
    {"swizzle-composition", "composition", "One swizzle after the other, as one swizzle.", "two swizzles",
     First::kSwizzle, TwoSwizzles, ASwizzle<algebra::JudgeSwizzleComposition>},
    {"swizzle-upcast", "upcast", "A swizzle of wider elements moves them as it moves their first parts.",
     "swizzles and a power of two", First::kSwizzle, SwizzleAndFactor, ASwizzle<algebra::JudgeSwizzleUpcast>},
    {"swizzle-downcast", "downcast", "A swizzle of parts moves whole elements and keeps the place within them.",
     "swizzles and a power of two", First::kSwizzle, SwizzleAndFactor, ASwizzle<algebra::JudgeSwizzleDowncast>},
    {"composed-composition", "composition", "The swizzled layout's value at B's value, for every c of B.",
     "composed layouts A and layouts B, B's values coordinates of A", First::kComposed, SwizzledAndB,
     AComposed<algebra::JudgeComposedComposition>},
    {"composed-upcast", "upcast",
     "An offset of the upcast is the old swizzled one divided by the factor, rounded down.",
     "composed layouts and a power of two", First::kComposed, SwizzledAndFactor,
     AComposed<algebra::JudgeComposedUpcast>},
    {"composed-downcast", "downcast", "The parts of an element follow each other at factor * its swizzled offset.",
     "composed layouts with one stride 1 and a power of two", First::kComposed, SwizzledAndFactor,
     AComposed<algebra::JudgeComposedDowncast>},
};

class FunctionLaw final : public AlgebraLaw {
 public:
  explicit FunctionLaw(const Spec& spec) : spec_(spec) {}

  std::string_view name() const override { return spec_.name; }
  std::string_view statement() const override { return spec_.statement; }
  std::string_view domain() const override { return spec_.domain; }
  std::string_view function() const override { return spec_.function; }
  Texts ArgumentsOf(const AlgebraCase& algebra_case) const override { return spec_.arguments(algebra_case); }

  LawResult Check(Subject& subject, std::span<const std::string> arguments) const override {
    if (arguments.empty() || !Is(spec_.first, arguments[0])) return LawResult::OutsideDomain();
    const Answer<ApplyAnswer> reference = ApplyReference(spec_.function, arguments);
    const auto* expected = std::get_if<ApplyAnswer>(&reference);
    if (expected == nullptr) return LawResult::OutsideDomain();
    const Answer<ApplyAnswer> answer = subject.Apply(spec_.function, arguments);
    if (const auto* declined = std::get_if<Declined>(&answer)) return NotAnswered(*declined);
    if (const auto* failed = std::get_if<Failed>(&answer)) return NotAnswered(*failed);
    const auto& given = std::get<ApplyAnswer>(answer);
    if (given.rejected) {
      if (expected->rejected) return LawResult::OutsideDomain();
      return LawResult::Decline(StrCat("rejected: ", *given.rejected));
    }
    if (spec_.judge == nullptr) {
      if (!expected->value) return LawResult::OutsideDomain();
      if (given.value == expected->value) return LawResult::Agree();
      return LawResult::Disagree(StrCat(*expected->value), given.value ? StrCat(*given.value) : "no number");
    }
    return spec_.judge(algebra::ReadQuestion(arguments), given);
  }

 private:
  const Spec& spec_;
};

// TLA's MakeLayout: offsets of all elements, and how far they reach.
class MakeLaw final : public AlgebraLaw {
 public:
  std::string_view name() const override { return "make-layout"; }
  std::string_view statement() const override {
    return "MakeLayout puts every element where its tag says: fractals of 16 x C0, padded to whole ones.";
  }
  std::string_view domain() const override { return "tags, element widths, rows and columns"; }
  std::string_view function() const override { return {}; }
  Texts ArgumentsOf(const AlgebraCase& c) const override {
    return {std::string(TlaTagName(c.tag)), StrCat(c.element_bits), StrCat(c.rows), StrCat(c.columns)};
  }

  LawResult Check(Subject& subject, std::span<const std::string> arguments) const override {
    if (arguments.size() != 4) return LawResult::OutsideDomain();
    const std::vector<int64_t> numbers = algebra::ReadQuestion(arguments.subspan(1)).numbers;
    const auto tag = TlaTagFromName(arguments[0]);
    if (!tag || numbers.size() != 3) return LawResult::OutsideDomain();
    const auto expected = MakeTlaLayout(*tag, numbers[0], numbers[1], numbers[2]);
    if (!expected) return LawResult::OutsideDomain();
    const Answer<std::string> answer = subject.Make(arguments[0], numbers[0], numbers[1], numbers[2]);
    if (const auto* declined = std::get_if<Declined>(&answer)) return NotAnswered(*declined);
    if (const auto* failed = std::get_if<Failed>(&answer)) return NotAnswered(*failed);
    const auto result = ParseShapeStrideLayout(std::get<std::string>(answer));
    if (!result) return LawResult::Disagree("a layout", std::get<std::string>(answer));
    const std::string shown = ToString(*result);
    if (Rank(*result) != Rank(*expected)) return LawResult::Disagree(ToString(*expected), shown);
    const bool vector = Rank(*expected) == 1;
    const auto expected_modes = StridedLayoutOf(*expected);
    const auto result_modes = StridedLayoutOf(*result);
    if (!expected_modes) return LawResult::OutsideDomain();
    if (!result_modes) return LawResult::Disagree(ToString(*expected), shown);
    const auto before = ConvertStridedLayout<CheckedInt64>(*expected_modes);
    const auto after = ConvertStridedLayout<CheckedInt64>(*result_modes);
    for (int64_t i = 0; i < (vector ? 1 : numbers[1]); ++i) {
      for (int64_t j = 0; j < numbers[2]; ++j) {
        const CheckedInt64 coordinate[] = {vector ? j : i, j};
        const auto index = std::span(coordinate, vector ? 1 : 2);
        const CheckedInt64 a = StridedOffset(before, index);
        const CheckedInt64 b = StridedOffset(after, index);
        if (a.overflow || (!b.overflow && a.value == b.value)) continue;
        LawResult wrong =
            LawResult::Disagree(StrCat(a.value), StrCat(b.overflow ? "overflow" : StrCat(b.value), " in ", shown));
        wrong.coordinate = vector ? std::vector<int64_t>{j} : std::vector<int64_t>{i, j};
        return wrong;
      }
    }
    const auto cosize = Cosize(*result);
    if (!cosize || *cosize != *Cosize(*expected)) {
      return LawResult::Disagree(StrCat("an allocation of ", *Cosize(*expected)), shown);
    }
    return LawResult::Agree();
  }
};

}  // namespace

std::span<const AlgebraLaw* const> AlgebraLaws() {
  static const std::vector<std::unique_ptr<AlgebraLaw>> owned = [] {
    std::vector<std::unique_ptr<AlgebraLaw>> laws;
    for (const Spec& spec : kSpecs) laws.push_back(std::make_unique<FunctionLaw>(spec));
    laws.push_back(std::make_unique<MakeLaw>());
    return laws;
  }();
  static const std::vector<const AlgebraLaw*> laws = [] {
    std::vector<const AlgebraLaw*> all;
    for (const auto& law : owned) all.push_back(law.get());
    return all;
  }();
  return laws;
}

const AlgebraLaw* FindAlgebraLaw(std::string_view name) {
  const auto laws = AlgebraLaws();
  const auto found = std::ranges::find(laws, name, &AlgebraLaw::name);
  return found == laws.end() ? nullptr : *found;
}

std::string ArgumentsText(std::span<const std::string> arguments) { return StrJoin(arguments, "; "); }

std::vector<std::string> ReadArguments(std::string_view text) {
  std::vector<std::string> arguments;
  while (true) {
    const size_t end = text.find(';');
    std::string_view part = text.substr(0, end);
    const size_t begin = part.find_first_not_of(' ');
    part = begin == std::string_view::npos ? std::string_view()
                                           : part.substr(begin, part.find_last_not_of(' ') - begin + 1);
    arguments.emplace_back(part);
    if (end == std::string_view::npos) return arguments;
    text.remove_prefix(end + 1);
  }
}

}  // namespace layoutcheck
