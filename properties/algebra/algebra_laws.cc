// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <algorithm>
#include <iterator>
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
#include "layoutcheck/properties/sharding/sharding_laws.h"
#include "layoutcheck/properties/sharding/sharding_reference.h"

namespace layoutcheck {
namespace {

using algebra::FirstArgument;
using algebra::FunctionLaw;
using algebra::Texts;
using Arguments = AlgebraLaw::Arguments;

bool IsOfKind(FirstArgument kind, const std::string& text) {
  switch (kind) {
    case FirstArgument::kAny: return true;
    case FirstArgument::kLayout: return ParseShapeStrideLayout(text).has_value();
    case FirstArgument::kComposedLayout: return !ParseShapeStrideLayout(text) && ParseComposedLayout(text);
    case FirstArgument::kSwizzle: return ParseSwizzle(text).has_value();
  }
  return false;
}

std::string TextOf(const ApplyAnswer& answer) {
  if (answer.rejected) return StrCat("rejected: ", *answer.rejected);
  return answer.layout ? *answer.layout : StrCat(answer.value.value_or(0));
}

LawResult Judge(const FunctionLaw& law, Arguments arguments, const ApplyAnswer& expected, const ApplyAnswer& given) {
  if (law.judge != nullptr) return law.judge(algebra::ReadQuestion(arguments, law.function), given);
  if (!expected.value) return LawResult::OutsideDomain();
  if (given.value == expected.value) return LawResult::Agree();
  return LawResult::Disagree(StrCat(*expected.value), given.value ? StrCat(*given.value) : "no number");
}

LawResult CheckFunction(const FunctionLaw& law, Subject& subject, Arguments arguments) {
  if (arguments.empty() || !IsOfKind(law.first_argument, arguments[0])) return LawResult::OutsideDomain();
  const Answer<ApplyAnswer> reference = ApplyReference(law.function, arguments);
  const auto* expected = std::get_if<ApplyAnswer>(&reference);
  if (expected == nullptr) return LawResult::OutsideDomain();
  const Answer<ApplyAnswer> answer = subject.Apply(law.function, arguments);
  if (auto unanswered = Unanswered(answer)) return *std::move(unanswered);
  const auto& given = std::get<ApplyAnswer>(answer);
  if (given.rejected) return expected->rejected ? LawResult::OutsideDomain() : LawResult::Refuse(*given.rejected);
  LawResult result = Judge(law, arguments, *expected, given);
  if (result.verdict == LawResult::Verdict::kDisagree) result.reference_answer = TextOf(*expected);
  return result;
}

constexpr int64_t kMostVisitedElements = int64_t{1} << 14;  // of arrays of which every element is looked at

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

// The offset of an element is the sum of one offset per mode, which is 0 at index 0. So the first element in
// row-major order that is wrong has one index that is not 0.
std::optional<LawResult> CheckModes(const StridedLayout& expected, const StridedLayout& result,
                                    const std::vector<int64_t>& extents, const std::string& shown) {
  if (std::ranges::find(extents, 0) != extents.end()) return std::nullopt;
  const auto expected_modes = ConvertStridedLayout<CheckedInt64>(expected).modes;
  const auto result_modes = ConvertStridedLayout<CheckedInt64>(result).modes;
  CheckedInt64 elements = 1;
  for (const int64_t extent : extents) elements = elements * extent;
  for (size_t mode = extents.size(); mode-- > 0;) {
    for (const int64_t i : Probes(extents[mode], !elements.overflow && elements.value <= kMostVisitedElements)) {
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

// Checks the offsets of all elements, or of some if they are many, and how many elements are allocated.
LawResult CheckMakeLayout(Subject& subject, Arguments arguments) {
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

Texts TagAndSizes(const AlgebraCase& c) {
  return {std::string(TlaTagName(c.tag)), StrCat(c.element_bits), StrCat(c.rows), StrCat(c.columns)};
}

Texts TagAndCoordinate(const AlgebraCase& c) {
  Texts texts = TagAndSizes(c);
  const int64_t row = std::min(c.row, c.rows - 1);
  const int64_t column = std::min(c.column, c.columns - 1);
  texts.push_back(c.tag == TlaTag::kVectorLayout ? StrCat("(", column, ")") : StrCat("(", row, ",", column, ")"));
  return texts;
}

// Laws of CATLASS's layouts by tag: where an element is, and how many elements are allocated.
constexpr FunctionLaw kTagLaws[] = {
    {"tag-offset", "tag_offset", "An element is where its tag says, in arrays of any size.",
     "tags, element widths, rows, columns and a coordinate", TagAndCoordinate},
    {"tag-capacity", "tag_capacity", "The capacity is the number of elements in whole fractals or rows.",
     "tags, element widths, rows and columns", TagAndSizes},
};

Texts MakeArguments(const AlgebraCase& c) {
  Texts texts = {c.made.tag, StrCat(c.element_bits)};
  for (const int64_t size : c.made.sizes) texts.push_back(StrCat(size));
  return texts;
}

}  // namespace

std::span<const AlgebraLaw* const> AlgebraLaws() {
  static const std::vector<AlgebraLaw> owned = [] {
    std::vector<AlgebraLaw> all;
    for (const auto& table : {algebra::LayoutFunctionLaws(), algebra::TilingLaws(), algebra::RecastLaws(),
                              std::span<const FunctionLaw>(kTagLaws), algebra::LinearLaws()}) {
      for (const FunctionLaw& law : table) {
        all.push_back({law.name, law.statement, law.domain, law.function, law.arguments,
                       [&law](Subject& subject, Arguments texts) { return CheckFunction(law, subject, texts); },
                       IsLinearFunction(law.function) ? AlgebraLaw::Topic::kBits : AlgebraLaw::Topic::kLayouts});
      }
    }
    all.push_back({"make-layout",
                   "MakeLayout puts every element where its tag says, in fractals of 16 x C0 elements or of the given "
                   "size, padded to whole fractals.",
                   "tags, element widths and sizes", "", MakeArguments, CheckMakeLayout});
    std::ranges::move(ViewLaws(), std::back_inserter(all));
    std::ranges::move(AxisLaws(), std::back_inserter(all));
    for (const ShardingLaw& law : ShardingLaws()) {
      using Kind = ShardingLaw::Topic;
      const bool is_view = law.topic == Kind::kView;
      all.push_back({law.name, law.statement, law.domain, is_view ? kShardViewFunction : "",
                     [kind = law.topic](const AlgebraCase& c) {
                       return kind == Kind::kOne ? Texts{c.shards} : kind == Kind::kTwo ? c.reshard : c.shard_view;
                     },
                     law.check,
                     law.topic == Kind::kOne   ? AlgebraLaw::Topic::kShards
                     : law.topic == Kind::kTwo ? AlgebraLaw::Topic::kReshards
                                               : AlgebraLaw::Topic::kShardViews});
    }
    return all;
  }();
  static const std::vector<const AlgebraLaw*> laws = [] {
    std::vector<const AlgebraLaw*> all;
    for (const AlgebraLaw& law : owned) all.push_back(&law);
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
