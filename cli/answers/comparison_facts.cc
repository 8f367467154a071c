// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/cli/answers/comparison_facts.h"
#include "layoutcheck/core/base/str_cat.h"
#include "layoutcheck/core/xla_util/bitcast_text.h"

namespace layoutcheck {
namespace {

std::string LayoutFact(const AnyLayout& layout) {
  const AllocationSizes sizes = layout.Sizes();
  std::string text = StrCat(layout.Text(), ": ", sizes.elements, " elements");
  if (sizes.bytes) StrAppend(text, ", ", *sizes.bytes, " bytes");
  const std::optional<bool> contiguous = IsContiguous(layout);
  if (contiguous == true) return text += ", contiguous";
  if (contiguous == false) StrAppend(text, ", in ", sizes.padded_elements, " places");
  return text;
}

}  // namespace

std::string RelationText(const ComparedLayouts& answered) {
  return answered.comparison ? std::string(RelationName(answered.comparison->relation)) : "undecided";
}

std::vector<Fact> ComparisonFacts(const ComparedLayouts& answered) {
  const auto& [a, b, transpose, comparison] = answered;
  std::vector<Fact> facts{{"A", LayoutFact(a)}, {"B", LayoutFact(b)}};
  if (transpose) facts.push_back({"transpose", StrJoin(*transpose, ",")});
  if (!comparison) {
    facts.push_back({"undecided", comparison.error().message});
    return facts;
  }
  if (!comparison->reason.empty()) facts.push_back({"differ in", comparison->reason});
  if (const auto& moved = comparison->moved) {
    const auto coordinate = [](const std::vector<int64_t>& index) { return StrCat("(", StrJoin(index, ","), ")"); };
    facts.push_back({moved->is_first ? "first that moves" : "moves",
                     StrCat("element ", coordinate(moved->a), " at ", a.Index(moved->a), " in A, ",
                            moved->a == moved->b ? "" : StrCat("as element ", coordinate(moved->b), " "), "at ",
                            b.Index(moved->b), " in B")});
  }
  if (const auto& slice = comparison->slice) {
    facts.push_back(
        {"slice", StrCat(slice->of_a ? "B is A" : "A is B", " from (", StrJoin(slice->start, ","), ") on")});
  }
  if (comparison->as_bitcast) facts.push_back({"A's bytes as B", DecompositionText(*comparison->as_bitcast)});
  return facts;
}

std::string ComparisonText(const ComparedLayouts& answered) {
  std::string text = RelationText(answered) + "\n\n";
  for (const auto& [name, value] : ComparisonFacts(answered)) {
    std::string line = "  " + name;
    line.resize(20, ' ');
    StrAppend(text, line, value, "\n");
  }
  return text;
}

}  // namespace layoutcheck
