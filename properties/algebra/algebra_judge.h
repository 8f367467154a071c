// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tools for judging answers to algebra laws: parsed questions and values of layouts.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>
#include "layoutcheck/core/shape_stride/composed_layout.h"
#include "layoutcheck/core/shape_stride/shape_stride_layout.h"
#include "layoutcheck/properties/model/law.h"

namespace layoutcheck::algebra {

using Layout = ShapeStrideLayout;

// The parsed arguments of a question. Layouts and numbers are in argument order.
struct Question {
  std::vector<std::string> texts;
  std::vector<Layout> layouts;
  std::vector<int64_t> numbers;
  std::string_view function = {};

  const Layout& a() const { return layouts.at(0); }
  // Returns the second layout. A number n means n:1.
  Layout b() const;
};
Question ReadQuestion(std::span<const std::string> texts, std::string_view function = {});

// Layouts with more coordinates are not judged; only products of random cases have more.
inline constexpr int64_t kMostCoordinates = int64_t{1} << 16;
// Returns the values of a layout at all integral coordinates, or nothing if they are too many or do not fit int64.
std::optional<std::vector<int64_t>> Values(const Layout& layout);
// Returns a(c) for each coordinate c, or nothing if one is outside the domain of `a`.
std::optional<std::vector<int64_t>> ValuesAt(const Layout& a, const std::vector<int64_t>& coordinates);
bool Distinct(std::vector<int64_t> values);
// Returns the values in increasing order, each once.
std::vector<int64_t> SetOf(std::vector<int64_t> values);
bool AllBetween(const std::vector<int64_t>& values, int64_t begin, int64_t end);

// The values of a layout at integral coordinates >= 0, also at those past its size.
class IntegralValues {
 public:
  explicit IntegralValues(const Layout& layout);
  // Returns nothing where the layout has no value or the value does not fit int64.
  std::optional<int64_t> operator()(int64_t coordinate) const;

 private:
  std::optional<std::vector<BasicStridedMode<CheckedInt64>>> modes_;
};

// Returns a disagreement about the whole result. `expected` describes the right result in words.
LawResult Wrong(std::string expected, const Layout& result);
// Returns the disagreement with an integral coordinate added.
LawResult At(LawResult result, int64_t coordinate);
// Judges that the values of a layout at the coordinates in the result are 0, 1, 2, ...
LawResult CountUp(const std::vector<int64_t>& values, const Layout& result);
// Judges that the result has these values at 0, 1, 2, ..., and no others if `whole`.
LawResult HasValues(const Layout& result, const std::vector<int64_t>& expected, bool whole = true);

}  // namespace layoutcheck::algebra
