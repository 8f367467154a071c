// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Laws of CATLASS's layouts by tag: where an element is, and how many elements are allocated.
#include <algorithm>
#include "layoutcheck/properties/algebra/function_law.h"

namespace layoutcheck::algebra {
namespace {

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

}  // namespace

std::span<const FunctionLaw> TagLaws() {
  using enum FirstArgument;
  static constexpr FunctionLaw kLaws[] = {
      {"tag-offset", "tag_offset", "An element is where its tag says, in arrays of any size.",
       "tags, element widths, rows, columns and a coordinate", kAny, TagAndCoordinate, nullptr},
      {"tag-capacity", "tag_capacity", "The capacity is the number of elements in whole fractals or rows.",
       "tags, element widths, rows and columns", kAny, TagAndSizes, nullptr},
  };
  return kLaws;
}

}  // namespace layoutcheck::algebra
