// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/properties/algebra/algebra_cases.h"
#include <array>
#include "layoutcheck/core/shape_stride/text.h"
#include "layoutcheck/properties/generate/draw_case.h"
#include "layoutcheck/properties/generate/layout_family.h"

namespace layoutcheck {
namespace {

constexpr int64_t kMostCoordinates = 1024;

// Draws a layout of the pattern, with its swizzle. The first choice of each name is 1, the simplest.
ComposedLayout DrawComposed(Choices& choices, const LayoutPattern& pattern) {
  constexpr std::array<int64_t, 8> kSizes = {1, 2, 3, 4, 5, 7, 8, 16};
  std::vector<int64_t> values;
  for (size_t n = 0; n < pattern.names().size(); ++n) values.push_back(kSizes[choices.Choose(kSizes.size())]);
  for (;;) {
    const auto composed = ParseComposedLayout(pattern.Write(values));
    const auto size = composed ? Size(composed->layout) : std::unexpected(composed.error());
    if (size && *size >= 1 && *size <= kMostCoordinates) return *composed;
    bool reduced = false;
    for (int64_t& value : values) {
      reduced = reduced || value > 1;
      value = value > 1 ? value / 2 : 1;
    }
    if (!reduced) return {};
  }
}

}  // namespace

AlgebraCaseSource::AlgebraCaseSource() {
  for (const LayoutPattern& pattern : FindFamily("cute")->patterns) patterns_.push_back(&pattern);
}

AlgebraCaseSource::AlgebraCaseSource(std::span<const LayoutPattern> patterns) : patterns_only_(true) {
  for (const LayoutPattern& pattern : patterns) {
    if (pattern.is_shape_stride()) patterns_.push_back(&pattern);
  }
}

const LayoutPattern* AlgebraCaseSource::PatternOf(uint64_t number) const {
  if (!patterns_only_ && !IsFamilyCase(number)) return nullptr;
  return patterns_[(patterns_only_ ? number : number / 3) % patterns_.size()];
}

AlgebraCase AlgebraCaseSource::Draw(Choices& choices, const LayoutPattern* pattern) {
  const auto draw_others = [&choices](AlgebraCase& drawn) {
    drawn.views = DrawViews(choices, drawn.a, drawn.tag, drawn.element_bits, drawn.rows, drawn.columns);
    drawn.linear = DrawLinear(choices);
    drawn.made = DrawTag(choices, drawn.tag, drawn.rows, drawn.columns);
  };
  if (pattern == nullptr) {
    AlgebraCase random = DrawAlgebraCase(choices);
    draw_others(random);
    return random;
  }
  ComposedLayout composed;
  AlgebraCase drawn = DrawAlgebraCaseOf(choices, [&](Choices& of_a) {
    composed = DrawComposed(of_a, *pattern);
    return composed.layout;
  });
  if (composed.swizzle) drawn.swizzle = *composed.swizzle;
  // Sizes about those of a fractal, 16 rows of 32 bytes.
  const int64_t fractal_columns = FractalColumns(drawn.element_bits).value_or(16);
  for (const auto& [size, fractal] :
       {std::pair{&drawn.rows, int64_t{16}}, std::pair{&drawn.columns, fractal_columns}}) {
    const auto off = static_cast<int64_t>(choices.Choose(4)) - 1;
    if (off < 2) *size = fractal * (1 + static_cast<int64_t>(choices.Choose(2))) + off;
  }
  draw_others(drawn);
  return drawn;
}

}  // namespace layoutcheck
