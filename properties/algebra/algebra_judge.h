// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the laws of the algebra are judged with: the question that was asked, and the values of layouts.
#ifndef LAYOUTCHECK_PROPERTIES_ALGEBRA_ALGEBRA_JUDGE_H_
#define LAYOUTCHECK_PROPERTIES_ALGEBRA_ALGEBRA_JUDGE_H_

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "layoutcheck/core/shape_stride/composed_layout.h"
#include "layoutcheck/core/shape_stride/shape_stride_layout.h"
#include "layoutcheck/properties/model/law.h"

namespace layoutcheck::algebra {

using Layout = ShapeStrideLayout;

// The arguments of a question, read; a function takes the layouts and numbers that it has, in order.
struct Question {
  std::vector<std::string> texts;
  std::vector<Layout> layouts;
  std::vector<int64_t> numbers;

  const Layout& a() const { return layouts.at(0); }
  // The second layout; a number n stands for n:1.
  Layout b() const;
};
Question ReadQuestion(std::span<const std::string> texts);

// The most coordinates that are looked at. Of what is drawn only products may have more, and they are not judged then.
inline constexpr int64_t kMostCoordinates = int64_t{1} << 16;
// The values of a layout at all integral coordinates; nothing where there are too many, or a value does not fit int64.
std::optional<std::vector<int64_t>> Values(const Layout& layout);
// A(c) for each c of `coordinates`; nothing where one is outside of A's domain.
std::optional<std::vector<int64_t>> ValuesAt(const Layout& a, const std::vector<int64_t>& coordinates);
bool Distinct(std::vector<int64_t> values);
bool AllBetween(const std::vector<int64_t>& values, int64_t begin, int64_t end);

// Disagreements: another result was expected, in words, or another value at an integral coordinate.
LawResult Wrong(std::string expected, const Layout& result);
LawResult At(LawResult result, int64_t coordinate);
// The result has these values at 0, 1, 2, ..., and ends there if `whole`.
LawResult HasValues(const Layout& result, const std::vector<int64_t>& expected, bool whole = true);

}  // namespace layoutcheck::algebra

#endif  // LAYOUTCHECK_PROPERTIES_ALGEBRA_ALGEBRA_JUDGE_H_
