// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/core/linear/linear_notation.h"
#include <utility>
#include "layoutcheck/core/linear/fragment_layout.h"
#include "layoutcheck/core/linear/linear_strides.h"
#include "layoutcheck/core/linear/linear_text.h"
#include "layoutcheck/core/linear/triton_layout.h"
#include "layoutcheck/core/shape_stride/scale_factors.h"
#include "layoutcheck/core/shape_stride/text.h"

namespace layoutcheck {

namespace {

using Notation = std::variant<LinearLayout, ShapeStrideLayout>;

template <class T>
Expected<Notation> AsNotation(Expected<T> layout) {
  if (!layout) return std::unexpected(layout.error());
  return Notation(*std::move(layout));
}

}  // namespace

bool IsLinearNotation(std::string_view text) {
  return IsLinearText(text) || IsTritonText(text) || IsFragmentName(text) || IsScaleFactorText(text);
}

Expected<Notation> ReadLinearNotation(std::string_view text) {
  if (IsTritonText(text)) return ParseTritonLayout(text);
  if (IsFragmentName(text)) return ParseFragmentName(text);
  if (IsScaleFactorText(text)) return AsNotation(ParseScaleFactors(text));
  return AsNotation(ParseLinearLayout(text));
}

Expected<LinearLayout> ReadLinearLayout(std::string_view text) {
  if (IsLinearNotation(text)) {
    LAYOUTCHECK_TRY(Notation layout, ReadLinearNotation(text));
    if (auto* const linear = std::get_if<LinearLayout>(&layout)) return std::move(*linear);
    return LinearOfStrides({std::nullopt, 0, std::get<ShapeStrideLayout>(layout)});
  }
  LAYOUTCHECK_TRY(const ComposedLayout composed, ParseComposedLayout(text));
  return LinearOfStrides(composed);
}

}  // namespace layoutcheck
