// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <algorithm>
#include <iterator>
#include <memory>
#include <optional>
#include <utility>
#include "layoutcheck/core/base/str_cat.h"
#include "layoutcheck/core/shape_stride/composed_layout.h"
#include "layoutcheck/core/shape_stride/evaluate.h"
#include "layoutcheck/core/shape_stride/text.h"
#include "layoutcheck/properties/algebra/algebra_judge.h"
#include "layoutcheck/properties/algebra/algebra_law.h"
#include "layoutcheck/properties/algebra/algebra_reference.h"
#include "layoutcheck/properties/algebra/function_law.h"
#include "layoutcheck/properties/algebra/view_laws.h"

namespace layoutcheck {
namespace {

using algebra::FirstArgument;
using algebra::FunctionLaw;
using algebra::Texts;

bool IsOfKind(FirstArgument kind, const std::string& text) {
  switch (kind) {
    case FirstArgument::kAny: return true;
    case FirstArgument::kLayout: return ParseShapeStrideLayout(text).has_value();
    case FirstArgument::kComposedLayout: return !ParseShapeStrideLayout(text) && ParseComposedLayout(text);
    case FirstArgument::kSwizzle: return ParseSwizzle(text).has_value();
  }
  return false;
}

// A row of a table of laws, as a law.
class TabulatedLaw final : public AlgebraLaw {
 public:
  explicit TabulatedLaw(const FunctionLaw& row) : row_(row) {}

  std::string_view name() const override { return row_.name; }
  std::string_view statement() const override { return row_.statement; }
  std::string_view domain() const override { return row_.domain; }
  std::string_view function() const override { return row_.function; }
  Texts ArgumentsOf(const AlgebraCase& algebra_case) const override { return row_.arguments(algebra_case); }

  LawResult Check(Subject& subject, std::span<const std::string> arguments) const override {
    if (arguments.empty() || !IsOfKind(row_.first_argument, arguments[0])) return LawResult::OutsideDomain();
    const Answer<ApplyAnswer> reference = ApplyReference(row_.function, arguments);
    const auto* expected = std::get_if<ApplyAnswer>(&reference);
    if (expected == nullptr) return LawResult::OutsideDomain();
    const Answer<ApplyAnswer> answer = subject.Apply(row_.function, arguments);
    if (auto unanswered = Unanswered(answer)) return *std::move(unanswered);
    const auto& given = std::get<ApplyAnswer>(answer);
    if (given.rejected) {
      if (expected->rejected) return LawResult::OutsideDomain();
      return LawResult::Refuse(*given.rejected);
    }
    LawResult result = Judge(arguments, *expected, given);
    if (result.verdict == LawResult::Verdict::kDisagree) result.reference_answer = TextOf(*expected);
    return result;
  }

 private:
  LawResult Judge(std::span<const std::string> arguments, const ApplyAnswer& expected, const ApplyAnswer& given) const {
    if (row_.judge != nullptr) return row_.judge(algebra::ReadQuestion(arguments), given);
    if (!expected.value) return LawResult::OutsideDomain();
    if (given.value == expected.value) return LawResult::Agree();
    return LawResult::Disagree(StrCat(*expected.value), given.value ? StrCat(*given.value) : "no number");
  }

  static std::string TextOf(const ApplyAnswer& answer) {
    if (answer.rejected) return StrCat("rejected: ", *answer.rejected);
    return answer.layout ? *answer.layout : StrCat(answer.value.value_or(0));
  }

  const FunctionLaw& row_;
};

constexpr int64_t kMostElements = int64_t{1} << 14;  // of arrays of which every element is looked at

// Returns all indices of a dimension if they are to be few, and otherwise those around powers of two, and the last.
std::vector<int64_t> Probes(int64_t size, bool all) {
  std::vector<int64_t> indices;
  if (all) {
    for (int64_t i = 0; i < size; ++i) indices.push_back(i);
    return indices;
  }
  for (int64_t power = 1; power < size; power *= 2) {
    if (power > 2) indices.push_back(power - 1);
    indices.push_back(power);
  }
  indices.insert(indices.begin(), 0);
  if (indices.back() < size - 1) indices.push_back(size - 1);
  return indices;
}

// The law of TLA's MakeLayout: the offsets of all elements, or of some if they are many, and how many elements are
// allocated.
class MakeLaw final : public AlgebraLaw {
 public:
  std::string_view name() const override { return "make-layout"; }
  std::string_view statement() const override {
    return "MakeLayout puts every element where its tag says, in fractals of 16 x C0 elements or of the given size, "
           "padded to whole fractals.";
  }
  std::string_view domain() const override { return "tags, element widths and sizes"; }
  std::string_view function() const override { return {}; }
  Texts ArgumentsOf(const AlgebraCase& c) const override {
    Texts texts = {c.made.tag, StrCat(c.element_bits)};
    for (const int64_t size : c.made.sizes) texts.push_back(StrCat(size));
    return texts;
  }

  LawResult Check(Subject& subject, std::span<const std::string> arguments) const override {
    if (arguments.size() < 3) return LawResult::OutsideDomain();
    const std::vector<int64_t> numbers = algebra::ReadQuestion(arguments.subspan(1)).numbers;
    if (numbers.size() != arguments.size() - 1) return LawResult::OutsideDomain();
    const auto sizes = std::span(numbers).subspan(1);
    const auto expected = MakeLayoutByTag(arguments[0], numbers[0], sizes);
    if (!expected) return LawResult::OutsideDomain();
    const Answer<std::string> answer = subject.Make(arguments[0], numbers[0], sizes);
    if (auto unanswered = Unanswered(answer)) return *std::move(unanswered);
    const auto result = ParseShapeStrideLayout(std::get<std::string>(answer));
    if (!result) return LawResult::Disagree("a layout", std::get<std::string>(answer));
    const std::string shown = ToString(*result);
    if (Rank(*result) != Rank(*expected)) return LawResult::Disagree(ToString(*expected), shown);
    const auto expected_modes = StridedLayoutOf(*expected);
    const auto result_modes = StridedLayoutOf(*result);
    const auto extents = LogicalSizes(*expected);
    if (!expected_modes || !extents) return LawResult::OutsideDomain();
    if (!result_modes) return LawResult::Disagree(ToString(*expected), shown);
    if (auto wrong = CheckModes(*expected_modes, *result_modes, *extents, shown)) return *std::move(wrong);
    const auto expected_cosize = Cosize(*expected);
    if (!expected_cosize) return LawResult::OutsideDomain();
    const auto cosize = Cosize(*result);
    if (!cosize || *cosize != *expected_cosize) {
      return LawResult::Disagree(StrCat("an allocation of ", *expected_cosize), shown);
    }
    return LawResult::Agree();
  }

 private:
  // The offset of an element is the sum of one offset per mode, which is 0 at index 0. So the first element in
  // row-major order that is wrong has one index that is not 0.
  static std::optional<LawResult> CheckModes(const StridedLayout& expected, const StridedLayout& result,
                                             const std::vector<int64_t>& extents, const std::string& shown) {
    if (std::ranges::find(extents, 0) != extents.end()) return std::nullopt;
    const auto expected_modes = ConvertStridedLayout<CheckedInt64>(expected).modes;
    const auto result_modes = ConvertStridedLayout<CheckedInt64>(result).modes;
    CheckedInt64 elements = 1;
    for (const int64_t extent : extents) elements = elements * extent;
    for (size_t mode = extents.size(); mode-- > 0;) {
      for (const int64_t i : Probes(extents[mode], !elements.overflow && elements.value <= kMostElements)) {
        const CheckedInt64 a = IntegralOffset<CheckedInt64>(expected_modes[mode], i);
        const CheckedInt64 b = IntegralOffset<CheckedInt64>(result_modes[mode], i);
        if (a.overflow || (!b.overflow && a.value == b.value)) continue;
        LawResult wrong =
            LawResult::Disagree(StrCat(a.value), StrCat(b.overflow ? "overflow" : StrCat(b.value), " in ", shown));
        wrong.coordinate.emplace(extents.size())[mode] = i;
        return wrong;
      }
    }
    return std::nullopt;
  }
};

}  // namespace

std::span<const AlgebraLaw* const> AlgebraLaws() {
  static const std::vector<const AlgebraLaw*> laws = [] {
    static std::vector<std::unique_ptr<AlgebraLaw>> owned;
    for (const auto& table : {algebra::LayoutFunctionLaws(), algebra::TilingLaws(), algebra::RecastLaws(),
                              algebra::TagLaws(), algebra::LinearLaws()}) {
      for (const FunctionLaw& row : table) owned.push_back(std::make_unique<TabulatedLaw>(row));
    }
    owned.push_back(std::make_unique<MakeLaw>());
    std::ranges::move(ViewLaws(), std::back_inserter(owned));
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
