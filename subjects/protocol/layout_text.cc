// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/subjects/protocol/layout_text.h"
#include "layoutcheck/core/base/integer.h"
#include "layoutcheck/core/bridges/hlo_to_shape_stride.h"
#include "layoutcheck/core/hlo/printer.h"

namespace layoutcheck {

std::optional<std::string> LayoutText(const Notations& notations, const Shape& shape) {
  if (notations.hlo) return ToString(shape);
  if (!notations.shape_stride) return std::nullopt;
  auto layout = ShapeStrideOfHlo(shape);
  if (!layout) return std::nullopt;
  // Without this, the padding would have coordinates like the elements.
  layout->origin_shape.reset();
  const Expected<int64_t> size = Size(*layout);
  CheckedInt64 elements = 1;
  for (const int64_t dimension : shape.dimensions) elements = elements * CheckedInt64(dimension);
  if (!size || elements.overflow || *size != elements.value) return std::nullopt;
  return ToString(*layout);
}

Declined OtherNotation() { return {"the layout has no text in a notation that the subject takes"}; }

Declined NotInHlo() { return {"does not take HLO notation"}; }

}  // namespace layoutcheck
