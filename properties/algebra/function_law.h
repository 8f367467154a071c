// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Laws about one function of the algebra each, as rows of tables.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>
#include "layoutcheck/core/base/str_cat.h"
#include "layoutcheck/core/shape_stride/text.h"
#include "layoutcheck/properties/algebra/algebra_generator.h"
#include "layoutcheck/properties/algebra/algebra_judge.h"

namespace layoutcheck::algebra {

// The kind of the first argument. CuTe has functions of one name for layouts, composed layouts and swizzles.
enum class FirstArgument { kAny, kLayout, kComposedLayout, kSwizzle };

using Texts = std::vector<std::string>;

struct FunctionLaw {
  std::string_view name;
  std::string_view function;
  std::string_view statement;
  std::string_view domain;
  Texts (*arguments)(const AlgebraCase&);
  // Judges an answer that is not a rejection. Null for functions whose value must equal the reference's.
  LawResult (*judge)(const Question&, const ApplyAnswer&) = nullptr;
  FirstArgument first_argument = FirstArgument::kAny;
};

std::span<const FunctionLaw> LayoutFunctionLaws();  // values, coalescing, complements, composition and inverses
std::span<const FunctionLaw> TilingLaws();          // division, products, tiling and distribution
std::span<const FunctionLaw> RecastLaws();          // elements of another width, and swizzles
std::span<const FunctionLaw> LinearLaws();          // layouts in bits

inline Texts OnlyA(const AlgebraCase& c) { return {ToString(c.a)}; }
inline Texts AAndB(const AlgebraCase& c) { return {ToString(c.a), ToString(c.b)}; }
inline Texts AAndNumber(const AlgebraCase& c) { return {ToString(c.a), StrCat(c.number)}; }

// Parses the answer's text as a `kind` and judges the value.
template <auto Parse, auto Judge>
LawResult ParseAndJudge(const Question& question, const ApplyAnswer& given, std::string_view kind) {
  if (!given.layout) return LawResult::Disagree(StrCat("a ", kind), "none");
  const auto result = Parse(*given.layout);
  if (!result) return LawResult::Disagree(StrCat("a ", kind), StrCat(*given.layout, ": ", result.error().ToString()));
  return Judge(question, *result);
}
template <auto Judge>
LawResult IsLayout(const Question& question, const ApplyAnswer& given) {
  return ParseAndJudge<ParseShapeStrideLayout, Judge>(question, given, "layout");
}
template <auto Judge>
LawResult IsComposedLayout(const Question& question, const ApplyAnswer& given) {
  return ParseAndJudge<ParseComposedLayout, Judge>(question, given, "composed layout");
}
template <auto Judge>
LawResult IsSwizzle(const Question& question, const ApplyAnswer& given) {
  return ParseAndJudge<ParseSwizzle, Judge>(question, given, "swizzle");
}
template <auto Judge>
LawResult IsNumber(const Question& question, const ApplyAnswer& given) {
  return given.value ? Judge(question, *given.value) : LawResult::Disagree("a number", "none");
}

}  // namespace layoutcheck::algebra
