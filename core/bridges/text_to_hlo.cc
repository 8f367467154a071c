// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/core/bridges/text_to_hlo.h"
#include "layoutcheck/core/bridges/fractal_to_hlo.h"
#include "layoutcheck/core/bridges/shape_stride_to_hlo.h"
#include "layoutcheck/core/hlo/parser.h"
#include "layoutcheck/core/shape_stride/fractal_layout.h"
#include "layoutcheck/core/shape_stride/text.h"

namespace layoutcheck {

Expected<Shape> HloOfText(std::string_view text) {
  if (IsFractalText(text)) {
    const Expected<FractalLayout> fractal = ParseFractalLayout(text);
    if (!fractal) return std::unexpected(fractal.error());
    return HloOfFractal(*fractal);
  }
  if (IsShapeStrideText(text)) {
    const Expected<ComposedLayout> composed = ParseComposedLayout(text);
    if (!composed) return std::unexpected(composed.error());
    if (composed->swizzle || composed->offset != 0) {
      return MakeError(ErrorKind::kUnsupported, "no XLA layout has a swizzle or an offset");
    }
    return HloOfShapeStride(composed->layout, ElementType::kF32);
  }
  Expected<Shape> shape = ParseShape(text);
  if (shape && !shape->IsArray()) return MakeError(ErrorKind::kInvalidArgument, "expected an array");
  return shape;
}

}  // namespace layoutcheck
