// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/core/tiling/sizes.h"
#include <algorithm>
#include "layoutcheck/core/base/str_cat.h"

namespace layoutcheck {
namespace {

Expected<int64_t> RoundUp(int64_t count, int64_t multiple) {
  return ValueOrOverflow(CheckedInt64(CeilDiv(count, multiple)) * multiple, "the padded element count");
}

}  // namespace

Expected<int64_t> ElementsIn(const Shape& shape) {
  if (shape.IsBuffer() && !shape.elements.empty()) return ElementsIn(shape.elements.front());
  if (!shape.IsArray()) {
    return MakeError(ErrorKind::kInvalidArgument, StrCat("a ", ElementTypeName(shape.element_type),
                                                         " has no element count: expected an array shape"));
  }
  CheckedInt64 product = 1;
  for (size_t d = 0; d < shape.dimensions.size(); ++d) {
    const int64_t size = shape.dimensions[d];
    if (size == Shape::kUnboundedSize) {
      return MakeError(ErrorKind::kUnsupported, StrCat("dimension ", d, " is unbounded (?): its size is not known"));
    }
    if (size == 0) return 0;
    product = product * size;
  }
  return ValueOrOverflow(product, "the element count");
}

int64_t ElementSizeInBits(const Shape& shape) {
  const int64_t custom = shape.layout ? shape.layout->element_size_in_bits : 0;
  return custom != 0 ? custom : 8 * ByteWidth(shape.element_type);
}

Expected<int64_t> PackedBytes(int64_t count, int64_t bits) {
  // Whole groups of 8 elements are counted apart, because count * bits may overflow although the bytes fit.
  return ValueOrOverflow(CheckedInt64(count / 8) * bits + CeilDiv((CheckedInt64(count % 8) * bits), 8),
                         "the byte size");
}

Expected<LayoutSizes> SizesOf(const Shape& shape) {
  const Expected<TiledIndex> index = MakeTiledIndex(shape);
  if (!index) return std::unexpected(index.error());
  return SizesOf(shape, *index);
}

Expected<LayoutSizes> SizesOf(const Shape& shape, const TiledIndex& index) {
  const Expected<int64_t> elements = ElementsIn(shape);
  if (!elements) return std::unexpected(elements.error());
  const Expected<int64_t> padded = RoundUp(index.padded_elements(), shape.layout->tail_padding_alignment_in_elements);
  if (!padded) return std::unexpected(padded.error());
  const Expected<int64_t> bytes = PackedBytes(*padded, ElementSizeInBits(shape));
  if (!bytes) return std::unexpected(bytes.error());
  return LayoutSizes{*elements, *padded, *bytes};
}

double Waste(const LayoutSizes& sizes) {
  if (sizes.padded_elements == 0) return 0;
  return 1 - static_cast<double>(sizes.elements) / static_cast<double>(sizes.padded_elements);
}

}  // namespace layoutcheck
