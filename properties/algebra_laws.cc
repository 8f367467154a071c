#include <algorithm>
#include <functional>
#include <memory>
#include <set>
#include <utility>

#include "layoutcheck/core/shape_stride/coalesce.h"
#include "layoutcheck/core/shape_stride/complement.h"
#include "layoutcheck/core/shape_stride/text.h"
#include "layoutcheck/core/str_cat.h"
#include "layoutcheck/properties/algebra_law.h"
#include "layoutcheck/properties/algebra_reference.h"

namespace layoutcheck {
namespace {

using Layout = ShapeStrideLayout;
using Texts = std::vector<std::string>;

// The most coordinates of an answer that are looked at; more are wrong for every case that is drawn.
constexpr int64_t kMostCoordinates = int64_t{1} << 16;

// The arguments of a question, read; a function takes the layouts and numbers that it has, in order.
struct Question {
  Texts texts;
  std::vector<Layout> layouts;
  std::vector<int64_t> numbers;

  const Layout& a() const { return layouts.at(0); }
  const Layout& b() const { return layouts.at(1); }
};

LawResult At(LawResult result, int64_t coordinate) {
  result.coordinate = {coordinate};
  return result;
}

// The values of a layout at all integral coordinates; nothing where there are too many, or a value does not fit int64.
std::optional<std::vector<int64_t>> Values(const Layout& layout) {
  const auto table = StridedOffsetTable(layout, kMostCoordinates);
  return table ? std::optional(*table) : std::nullopt;
}

std::string SizeText(const Layout& layout) {
  const auto size = Size(layout);
  return size ? StrCat("size ", *size) : "a size past int64";
}

// The result has these values at 0, 1, 2, ..., and ends there if `whole`.
LawResult HasValues(const Layout& result, const std::vector<int64_t>& expected, bool whole = true) {
  const auto values = Values(result);
  if (!values || values->size() < expected.size() || (whole && values->size() != expected.size())) {
    return LawResult::Disagree(StrCat("size ", expected.size(), whole ? "" : " or more"),
                               StrCat(SizeText(result), ": ", ToString(result)));
  }
  for (size_t i = 0; i < expected.size(); ++i) {
    if ((*values)[i] == expected[i]) continue;
    return At(LawResult::Disagree(StrCat(expected[i]), StrCat((*values)[i], " in ", ToString(result))),
              static_cast<int64_t>(i));
  }
  return LawResult::Agree();
}

LawResult Wrong(std::string expected, const Layout& result) {
  return LawResult::Disagree(std::move(expected), ToString(result));
}

bool Distinct(std::vector<int64_t> values) {
  std::ranges::sort(values);
  return std::ranges::adjacent_find(values) == values.end();
}

bool AllBetween(const std::vector<int64_t>& values, int64_t begin, int64_t end) {
  return std::ranges::all_of(values, [&](int64_t value) { return begin <= value && value < end; });
}

// A(c) for each c of `coordinates`; nothing where one is outside of A's domain.
std::optional<std::vector<int64_t>> ValuesAt(const Layout& a, const std::vector<int64_t>& coordinates) {
  const auto values = Values(a);
  if (!values || !AllBetween(coordinates, 0, static_cast<int64_t>(values->size()))) return std::nullopt;
  std::vector<int64_t> result;
  for (const int64_t c : coordinates) result.push_back((*values)[static_cast<size_t>(c)]);
  return result;
}

using JudgeLayout = LawResult (*)(const Question&, const Layout& result);

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

// The tile is the first size(T) coordinates, in every form of division.
LawResult JudgeDivide(const Question& q, const Layout& result) {
  const auto tile = Values(q.b());
  const auto all = Values(q.a());
  if (!tile || !all) return LawResult::OutsideDomain();
  const auto expected = ValuesAt(q.a(), *tile);
  if (!expected) return LawResult::OutsideDomain();
  LawResult first = HasValues(result, *expected, /*whole=*/false);
  if (first.verdict != LawResult::Verdict::kAgree) return first;
  const auto values = Values(result);
  const std::set<int64_t> reached(values->begin(), values->end());
  for (size_t i = 0; i < all->size(); ++i) {
    if (reached.contains((*all)[i])) continue;
    return At(LawResult::Disagree("every element in some tile", StrCat("none has ", (*all)[i], ": ", ToString(result))),
              static_cast<int64_t>(i));
  }
  if (values->size() == all->size()) {
    std::vector<int64_t> before = *all;
    std::vector<int64_t> after = *values;
    std::ranges::sort(before);
    std::ranges::sort(after);
    if (before != after) return Wrong("every element once", result);
  }
  return LawResult::Agree();
}

LawResult JudgeZippedDivide(const Question& q, const Layout& result) {
  if (Rank(result) != 2) return Wrong("two modes, the tile and the rest", result);
  const auto tile = Mode(result, 0);
  if (CheckedProduct(tile->shape).value != CheckedProduct(q.b().shape).value)
    return Wrong("a first mode of the tile's size", result);
  return JudgeDivide(q, result);
}

LawResult JudgeProduct(const Question& q, const Layout& result) {
  const auto block = Values(q.a());
  const auto copies = Values(q.b());
  if (!block || !copies) return LawResult::OutsideDomain();
  const auto values = Values(result);
  if (!values || values->size() != block->size() * copies->size()) {
    return Wrong(StrCat("size ", block->size() * copies->size()), result);
  }
  if (Rank(result) != 2) return Wrong("two modes, the block and its copies", result);
  LawResult first = HasValues(result, *block, /*whole=*/false);
  if (first.verdict != LawResult::Verdict::kAgree) return first;
  if (Distinct(*block) && Distinct(*copies) && !Distinct(*values))
    return Wrong("no two elements at one offset", result);
  return LawResult::Agree();
}

// Mode k is (A_k, T_k), or (T_k, A_k) for raked: at 0 in T, the values of A.
LawResult JudgeZippedProduct(const Question& q, const Layout& result, bool block_first) {
  const auto block = Values(q.a());
  const auto copies = Values(q.b());
  const auto values = Values(result);
  if (!block || !copies) return LawResult::OutsideDomain();
  if (!values || values->size() != block->size() * copies->size()) {
    return Wrong(StrCat("size ", block->size() * copies->size()), result);
  }
  const int64_t rank = std::max(Rank(q.a()), Rank(q.b()));
  if (Rank(result) != rank) return Wrong(StrCat(rank, " modes"), result);
  for (size_t i = 0; i < block->size(); ++i) {
    auto rest = static_cast<int64_t>(i);
    std::vector<IntTuple> coordinate;
    for (int64_t d = 0; d < rank; ++d) {
      const int64_t extent = d < Rank(q.a()) ? CheckedProduct(*Get(q.a().shape, d)).value : 1;
      const IntTuple inside(rest % extent);
      rest /= extent;
      coordinate.push_back(block_first ? IntTuple::Tuple({inside, 0}) : IntTuple::Tuple({0, inside}));
    }
    const auto value = Crd2Idx(IntTuple::Tuple(std::move(coordinate)), result);
    if (value && *value == (*block)[i]) continue;
    return At(LawResult::Disagree(StrCat((*block)[i]),
                                  StrCat(value ? StrCat(*value) : value.error().message, " in ", ToString(result))),
              static_cast<int64_t>(i));
  }
  if (Distinct(*block) && Distinct(*copies) && !Distinct(*values))
    return Wrong("no two elements at one offset", result);
  return LawResult::Agree();
}
LawResult JudgeBlockedProduct(const Question& q, const Layout& result) { return JudgeZippedProduct(q, result, true); }
LawResult JudgeRakedProduct(const Question& q, const Layout& result) { return JudgeZippedProduct(q, result, false); }

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

int64_t Dot(const std::vector<int64_t>& digits, const std::vector<IntTuple>& strides) {
  int64_t sum = 0;
  for (size_t k = 0; k < digits.size(); ++k) sum += digits[k] * strides[k].value();
  return sum;
}

LawResult JudgeUpcast(const Question& q, const Layout& result) {
  const int64_t factor = q.numbers.at(0);
  const auto extents = Leaves(q.a().shape);
  const auto strides = Leaves(q.a().stride);
  const auto new_extents = Leaves(result.shape);
  const auto new_strides = Leaves(result.stride);
  if (new_extents.size() != extents.size()) return Wrong("as many integers as before", result);
  std::vector<int64_t> shrinks;
  for (size_t k = 0; k < extents.size(); ++k) {
    const int64_t d = std::abs(strides[k].value());
    shrinks.push_back(d > 0 && d < factor && factor % d == 0 ? factor / d : 1);
    const int64_t expected = CeilDiv(extents[k].value(), shrinks.back());
    if (new_extents[k].value() != expected) return Wrong(StrCat("extent ", expected, " at integer ", k), result);
  }
  LawResult verdict = LawResult::Agree();
  ForEachDigits(extents, [&](const std::vector<int64_t>& c) {
    std::vector<int64_t> shrunk;
    for (size_t k = 0; k < c.size(); ++k) shrunk.push_back(c[k] / shrinks[k]);
    const int64_t expected = FloorDiv(Dot(c, strides), factor);
    const int64_t actual = Dot(shrunk, new_strides);
    if (expected == actual) return true;
    verdict = LawResult::Disagree(StrCat(expected), StrCat(actual, " in ", ToString(result)));
    verdict.coordinate = c;
    return false;
  });
  return verdict;
}

LawResult JudgeDowncast(const Question& q, const Layout& result) {
  const int64_t factor = q.numbers.at(0);
  const auto extents = Leaves(q.a().shape);
  const auto strides = Leaves(q.a().stride);
  const auto unit = std::ranges::find_if(strides, [](const IntTuple& stride) { return stride.value() == 1; });
  const auto units =
      std::ranges::count_if(strides, [](const IntTuple& stride) { return std::abs(stride.value()) == 1; });
  if (unit == strides.end() || units != 1) return LawResult::OutsideDomain();
  const auto at = static_cast<size_t>(unit - strides.begin());
  const auto new_extents = Leaves(result.shape);
  const auto new_strides = Leaves(result.stride);
  if (new_extents.size() != extents.size() || new_extents[at].value() != extents[at].value() * factor) {
    return Wrong(StrCat("extent ", extents[at].value() * factor, " at integer ", at), result);
  }
  LawResult verdict = LawResult::Agree();
  ForEachDigits(extents, [&](const std::vector<int64_t>& c) {
    for (int64_t part = 0; part < factor; ++part) {
      std::vector<int64_t> grown = c;
      grown[at] = factor * c[at] + part;
      const int64_t expected = factor * Dot(c, strides) + part;
      const int64_t actual = Dot(grown, new_strides);
      if (expected == actual) continue;
      verdict = LawResult::Disagree(StrCat(expected), StrCat(actual, " in ", ToString(result)));
      verdict.coordinate = grown;
      return false;
    }
    return true;
  });
  return verdict;
}

// What most laws are: the function, its arguments from a case, and how its answer is judged.
struct Spec {
  std::string_view name;
  std::string_view function;
  std::string_view statement;
  std::string_view domain;
  Texts (*arguments)(const AlgebraCase&);
  JudgeLayout judge;  // null where the answer is a number, which is the reference's
};

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
Texts CoordinateOfSwizzled(const AlgebraCase& c) {
  Layout positive = c.a;
  const auto range = RangeOfOffsets(positive);
  const int64_t offset = range && range->smallest < 0 ? -range->smallest : 0;
  return {StrCat(c.coordinate), ToString(ComposedLayout{c.swizzle, offset, positive})};
}

constexpr Spec kSpecs[] = {
    {"size", "size", "The size is the product of the extents.", "layouts", OnlyA, nullptr},
    {"cosize", "cosize", "The cosize is 1 + the sum of (extent - 1) * |stride|.", "layouts", OnlyA, nullptr},
    {"crd2idx", "crd2idx", "An integral coordinate is taken apart colexicographically, the first integer fastest.",
     "coordinates within layouts", CoordinateOfA, nullptr},
    {"swizzle", "crd2idx", "A swizzle exclusive-ors B bits of the offset with those |S| above or below them.",
     "coordinates within composed layouts", CoordinateOfSwizzled, nullptr},
    {"compatible", "compatible", "Every coordinate of the one shape is a coordinate of the other.", "two shapes",
     Shapes, nullptr},
    {"congruent", "congruent", "Congruent shapes have the same structure.", "two shapes", Shapes, nullptr},
    {"coalesce", "coalesce", "Coalescing keeps the size and every value, and leaves no nesting.", "layouts", OnlyA,
     JudgeCoalesce},
    {"filter", "filter", "Filtering keeps the set of values, and leaves no stride 0.", "layouts", OnlyA, JudgeFilter},
    {"complement", "complement",
     "The complement is increasing, and no value has two sums with the layout's; where the layout tiles, the sums are "
     "all of 0 to the codomain's size.",
     "layouts and the size of a codomain", AAndNumber, JudgeComplement},
    {"composition", "composition", "The composition's value at c is A's at B's value, for every c of B.",
     "layouts A and B, B's values coordinates of A", AAndB, JudgeComposition},
    {"right-inverse", "right_inverse", "The layout of its right inverse is the identity.", "layouts", OnlyA,
     JudgeRightInverse},
    {"left-inverse", "left_inverse", "The left inverse takes every value to a coordinate that has it.",
     "layouts without negative values", OnlyA, JudgeLeftInverse},
    {"nullspace", "nullspace", "The nullspace is the coordinates that vary along strides 0: their value is 0.",
     "layouts", OnlyA, JudgeNullspace},
    {"logical-divide", "logical_divide", "The tile is A o T, and every element of A is in some tile.",
     "layouts A and T, T's values coordinates of A", AAndB, JudgeDivide},
    {"zipped-divide", "zipped_divide",
     "Two modes, the tile A o T and the rest, and every element of A is in some tile.",
     "layouts A and T, T's values coordinates of A", AAndB, JudgeZippedDivide},
    {"tiled-divide", "tiled_divide", "The tile A o T comes first, and every element of A is in some tile.",
     "layouts A and T, T's values coordinates of A", AAndB, JudgeDivide},
    {"flat-divide", "flat_divide", "The tile A o T comes first, and every element of A is in some tile.",
     "layouts A and T, T's values coordinates of A", AAndB, JudgeDivide},
    {"logical-product", "logical_product",
     "The product is A and its copies, which do not overlap where T is injective.", "layouts A and T", AAndB,
     JudgeProduct},
    {"blocked-product", "blocked_product", "Mode by mode A inside T, and the copies do not overlap.", "layouts A and T",
     AAndB, JudgeBlockedProduct},
    {"raked-product", "raked_product", "Mode by mode T inside A, and the copies do not overlap.", "layouts A and T",
     AAndB, JudgeRakedProduct},
    {"upcast", "upcast", "An offset of the upcast is the old one divided by the factor, rounded down.",
     "layouts and a factor", AAndNumber, JudgeUpcast},
    {"downcast", "downcast", "The parts of an element follow each other at factor * its old offset.",
     "layouts with one stride 1 and a factor", AAndNumber, JudgeDowncast},
};

Question ReadQuestion(std::span<const std::string> texts) {
  Question question{{texts.begin(), texts.end()}, {}, {}};
  for (const std::string& text : texts) {
    if (auto layout = ParseShapeStrideLayout(text)) {
      question.layouts.push_back(*std::move(layout));
    } else if (const auto number = ParseIntTuple(text); number && number->is_leaf()) {
      question.numbers.push_back(number->value());
    }
  }
  return question;
}

class FunctionLaw final : public AlgebraLaw {
 public:
  explicit FunctionLaw(const Spec& spec) : spec_(spec) {}

  std::string_view name() const override { return spec_.name; }
  std::string_view statement() const override { return spec_.statement; }
  std::string_view domain() const override { return spec_.domain; }
  std::string_view function() const override { return spec_.function; }
  Texts ArgumentsOf(const AlgebraCase& algebra_case) const override { return spec_.arguments(algebra_case); }

  LawResult Check(Subject& subject, std::span<const std::string> arguments) const override {
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
    if (!given.layout) return LawResult::Disagree("a layout", "none");
    const auto result = ParseShapeStrideLayout(*given.layout);
    if (!result) return LawResult::Disagree("a layout", StrCat(*given.layout, ": ", result.error().ToString()));
    return spec_.judge(ReadQuestion(arguments), *result);
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
    const std::vector<int64_t> numbers = ReadQuestion(arguments.subspan(1)).numbers;
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
    for (int64_t i = 0; i < (vector ? 1 : numbers[1]); ++i) {
      for (int64_t j = 0; j < numbers[2]; ++j) {
        const IntTuple coordinate = vector ? IntTuple::Tuple({j}) : IntTuple::Tuple({i, j});
        const auto a = Crd2Idx(coordinate, *expected);
        const auto b = Crd2Idx(coordinate, *result);
        if (a && b && *a == *b) continue;
        LawResult wrong = LawResult::Disagree(a ? StrCat(*a) : "", StrCat(b ? StrCat(*b) : "none", " in ", shown));
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
