// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/core/tiling/sizes.h"
#include <algorithm>
#include <map>
#include <span>
#include <utility>
#include <vector>

namespace layoutcheck {
namespace {

Expected<int64_t> RoundUp(int64_t count, int64_t multiple) {
  return ValueOrOverflow(CheckedInt64(CeilDiv(count, multiple)) * multiple, "the padded element count");
}

// Finds the largest linear index of a layout. Every value of the program is used at most once: it is split, combined,
// or multiplied by a stride. A value that takes all numbers in [0, bound] and is split by t has two cases: quotient
// floor(bound / t) with a remainder in [0, bound mod t], or a smaller quotient with any remainder. Its maximum is the
// larger one of the two, recursively.
class LargestOffset {
 public:
  LargestOffset(const TiledLayout& layout, const TiledIndex& index, int64_t most_enumerated)
      : layout_(layout), index_(index), most_enumerated_(most_enumerated) {
    uses_.resize(index.program().value_count);
    for (const auto& [value, stride] : index.program().summands) uses_[value].stride = stride;
    for (size_t s = 0; s < index.program().steps.size(); ++s) {
      const auto& step = index.program().steps[s];
      uses_[step.a].step = s;
      if (step.combine) uses_[step.b].step = s;
    }
  }

  Expected<int64_t> Compute() {
    int64_t largest = 0;
    for (const std::vector<size_t>& members : GroupCombinedDimensions({&index_}, layout_.minor_to_major)) {
      LAYOUTCHECK_TRY(const int64_t part, MaxOfGroup(members));
      largest += part;
    }
    return largest;
  }

 private:
  struct Use {
    std::optional<int64_t> stride;
    std::optional<size_t> step;
  };

  int64_t SizeOfValue(size_t dimension) const { return layout_.dimensions[dimension]; }

  // Returns the largest part of the linear index that a group of dimensions contributes.
  Expected<int64_t> MaxOfGroup(const std::vector<size_t>& members) {
    // Whole dimensions that are combined in order are one value that takes every number below their product.
    size_t value = members.front();
    int64_t bound = SizeOfValue(value) - 1;
    size_t next = 1;
    while (IsCombined(value)) {
      const auto& step = index_.program().steps[*uses_[value].step];
      if (step.a != value || next == members.size() || step.b != members[next]) break;
      const int64_t size = SizeOfValue(members[next]);
      bound = bound * size + (size - 1);
      value = step.result;
      ++next;
    }
    if (next == members.size() && !CombinesBelow(value)) return Max(value, bound);
    return Enumerate(members);
  }

  // Returns true if the value is an operand of a combining step.
  bool IsCombined(size_t value) const {
    return uses_[value].step && index_.program().steps[*uses_[value].step].combine;
  }

  // Returns true if a combining step uses the value or anything computed from it.
  bool CombinesBelow(size_t value) const {
    if (!uses_[value].step) return false;
    const auto& step = index_.program().steps[*uses_[value].step];
    return step.combine || CombinesBelow(step.result) || CombinesBelow(step.result + 1);
  }

  // Returns the part of the linear index that the value contributes if it equals `number`.
  int64_t At(size_t value, int64_t number) const {
    const Use& use = uses_[value];
    if (use.stride) return number * *use.stride;
    if (!use.step) return 0;
    const auto& step = index_.program().steps[*use.step];
    return At(step.result, number / step.size) + At(step.result + 1, number % step.size);
  }

  // Returns the largest part of the linear index that the value contributes if it takes all numbers in [0, bound].
  int64_t Max(size_t value, int64_t bound) {
    const Use& use = uses_[value];
    if (use.stride) return bound * *use.stride;
    if (!use.step) return 0;
    const auto known = max_.find({value, bound});
    if (known != max_.end()) return known->second;
    const auto& step = index_.program().steps[*use.step];
    const int64_t quotient = bound / step.size;
    int64_t result = At(step.result, quotient) + Max(step.result + 1, bound % step.size);
    if (quotient > 0) result = std::max(result, Max(step.result, quotient - 1) + Max(step.result + 1, step.size - 1));
    return max_[{value, bound}] = result;
  }

  Expected<int64_t> Enumerate(const std::vector<size_t>& members) const {
    CheckedInt64 count = 1;
    for (const size_t p : members) count = count * SizeOfValue(p);
    if (count.overflow || count.value > most_enumerated_) {
      return UnsupportedError("the extent is not computed: a `*` combines parts of dimensions with more than ",
                              most_enumerated_, " indices together");
    }
    std::vector<int64_t> element(layout_.dimensions.size(), 0);
    int64_t largest = 0;
    for (int64_t n = 0; n < count.value; ++n) {
      int64_t rest = n;
      for (const size_t p : members) {
        element[p] = rest % SizeOfValue(p);
        rest /= SizeOfValue(p);
      }
      largest = std::max(largest, index_(element));
    }
    return largest;
  }

  const TiledLayout& layout_;
  const TiledIndex& index_;
  int64_t most_enumerated_;
  std::vector<Use> uses_;
  std::map<std::pair<size_t, int64_t>, int64_t> max_;
};

}  // namespace

Expected<int64_t> ElementsIn(const Shape& shape) {
  if (shape.IsBuffer() && !shape.elements.empty()) return ElementsIn(shape.elements.front());
  if (!shape.IsArray()) {
    return ArgumentError("a ", ElementTypeName(shape.element_type), " has no element count: expected an array shape");
  }
  CheckedInt64 product = 1;
  for (size_t d = 0; d < shape.dimensions.size(); ++d) {
    const int64_t size = shape.dimensions[d];
    if (size == Shape::kUnboundedSize) {
      return UnsupportedError("dimension ", d, " is unbounded (?): its size is not known");
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
  LAYOUTCHECK_TRY(const TiledIndex index, MakeTiledIndex(shape));
  return SizesOf(shape, index);
}

Expected<LayoutSizes> SizesOf(const Shape& shape, const TiledIndex& index) {
  LAYOUTCHECK_TRY(const int64_t elements, ElementsIn(shape));
  LAYOUTCHECK_TRY(const int64_t padded,
                  RoundUp(index.padded_elements(), shape.layout->tail_padding_alignment_in_elements));
  LAYOUTCHECK_TRY(const int64_t bytes, PackedBytes(padded, ElementSizeInBits(shape)));
  return LayoutSizes{elements, padded, bytes};
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

Expected<int64_t> ExtentOf(const Shape& shape, int64_t most_enumerated) {
  LAYOUTCHECK_TRY(const TiledLayout layout, TiledLayoutOf(shape));
  if (std::ranges::find(layout.dimensions, 0) != layout.dimensions.end()) return 0;
  LAYOUTCHECK_TRY(const TiledIndex index, MakeTiledIndex(layout));
  LAYOUTCHECK_TRY(const int64_t largest, LargestOffset(layout, index, most_enumerated).Compute());
  return largest + 1;
}

}  // namespace layoutcheck
