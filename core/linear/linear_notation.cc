// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/core/linear/linear_notation.h"
#include <utility>
#include "layoutcheck/core/linear/linear_strides.h"
#include "layoutcheck/core/linear/linear_text.h"
#include "layoutcheck/core/linear/triton_layout.h"
#include "layoutcheck/core/shape_stride/text.h"

namespace layoutcheck {

bool IsLinearNotation(std::string_view text) { return IsLinearText(text) || IsTritonText(text); }

Expected<LinearLayout> ReadLinearLayout(std::string_view text) {
  if (IsLinearText(text)) return ParseLinearLayout(text);
  if (IsTritonText(text)) {
    Expected<TritonLayout> layout = ParseTritonLayout(text);
    if (!layout) return std::unexpected(layout.error());
    if (auto* const linear = std::get_if<LinearLayout>(&*layout)) return std::move(*linear);
    return LinearOfStrides({std::nullopt, 0, std::get<ShapeStrideLayout>(*layout)});
  }
  const Expected<ComposedLayout> composed = ParseComposedLayout(text);
  if (!composed) return std::unexpected(composed.error());
  return LinearOfStrides(*composed);
}

}  // namespace layoutcheck
