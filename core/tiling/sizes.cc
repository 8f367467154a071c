// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/core/tiling/sizes.h"
#include <algorithm>
#include <span>
#include <vector>
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

std::optional<int64_t> TiledElements(const Shape& shape, size_t tiles) {
  const Layout& layout = *shape.layout;
  const auto used = std::span(layout.tiles).first(tiles);
  size_t most_sizes = shape.dimensions.size();
  for (const Tile& tile : used) most_sizes += 2 * tile.dimensions.size();
  constexpr size_t kInlineSizes = 64;
  int64_t few[kInlineSizes];
  std::vector<int64_t> many;
  if (most_sizes > kInlineSizes) many.resize(most_sizes);
  int64_t* const sizes = many.empty() ? few : many.data();  // major to minor

  size_t count = shape.dimensions.size();
  for (size_t p = 0; p < count; ++p) {
    sizes[p] = shape.dimensions[static_cast<size_t>(layout.Major(static_cast<int64_t>(p)))];
  }
  for (const Tile& tile : used) {
    const size_t entries = tile.dimensions.size();
    if (entries > count) {
      std::move_backward(sizes, sizes + count, sizes + entries);
      std::fill(sizes, sizes + (entries - count), 1);
      count = entries;
    }
    // Each size leaves the number of its tiles in its place. The tile's own sizes follow all of these.
    int64_t* const tiled = sizes + (count - entries);
    int64_t* quotient = tiled;
    int64_t combined = 1;
    for (size_t k = 0; k < entries; ++k) {
      if (__builtin_mul_overflow(combined, tiled[k], &combined)) return std::nullopt;
      if (tile.dimensions[k] == Tile::kCombineDimension) continue;
      *quotient++ = CeilDiv(combined, tile.dimensions[k]);
      combined = 1;
    }
    for (const int64_t size : tile.dimensions) {
      if (size != Tile::kCombineDimension) *quotient++ = size;
    }
    count = static_cast<size_t>(quotient - sizes);
  }
  const CheckedInt64 product = ProductOfSizes({sizes, count});
  return product.overflow ? std::nullopt : std::optional(product.value);
}

double Waste(const LayoutSizes& sizes) {
  if (sizes.padded_elements == 0) return 0;
  return 1 - static_cast<double>(sizes.elements) / static_cast<double>(sizes.padded_elements);
}

}  // namespace layoutcheck
