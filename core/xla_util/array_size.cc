// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/core/xla_util/array_size.h"
#include "layoutcheck/core/base/integer.h"
#include "layoutcheck/core/tiling/sizes.h"
#include "layoutcheck/core/xla_util/layout_edits.h"

namespace layoutcheck {

Expected<int64_t> ByteSizeOfElements(const Shape& shape) {
  if (shape.IsBuffer() && !shape.elements.empty()) return ByteSizeOfElements(shape.elements.front());
  const Expected<int64_t> elements = ElementsIn(shape);
  if (!elements) return elements;
  return PackedBytes(*elements, ElementSizeInBits(shape));
}

Expected<int64_t> ByteSizeOfElementsRecursive(const Shape& shape) {
  if (!shape.IsTuple()) return ByteSizeOfElements(shape);
  CheckedInt64 sum = 0;
  for (const Shape& element : shape.elements) {
    const Expected<int64_t> bytes = ByteSizeOfElementsRecursive(element);
    if (!bytes) return bytes;
    sum = sum + *bytes;
  }
  return ValueOrOverflow(sum, "the byte size of the tuple");
}

Expected<int64_t> ByteSizeOf(const Shape& shape, int64_t pointer_size) {
  if (shape.IsTuple()) {
    return ValueOrOverflow(CheckedInt64(pointer_size) * static_cast<int64_t>(shape.elements.size()),
                           "the byte size of the tuple's table");
  }
  if (shape.IsToken()) return 0;
  if (shape.IsOpaque()) return pointer_size;
  return ByteSizeOfElements(shape);
}

Expected<int64_t> ArraySize(const Shape& shape) {
  Shape part = shape;
  if (shape.layout && !shape.layout->split_configs.empty() && shape.IsArray()) {
    for (int64_t d = 0; d < shape.rank(); ++d) {
      const Expected<int64_t> largest = MaxSplitSize(shape, d);
      if (!largest) return largest;
      part.dimensions[static_cast<size_t>(d)] = *largest;
    }
    part.layout->split_configs.clear();
  }
  const Expected<LayoutSizes> sizes = SizesOf(part);
  if (!sizes) return std::unexpected(sizes.error());
  return sizes->bytes;
}

Expected<int64_t> ArrayDataSize(const Shape& shape) {
  const Expected<int64_t> extent = ExtentOf(shape);
  if (!extent) return extent;
  return PackedBytes(*extent, ElementSizeInBits(shape));
}

}  // namespace layoutcheck
