// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/core/bridges/blocked_format.h"
#include <algorithm>
#include <string_view>
#include "layoutcheck/core/algebra/coalesce.h"
#include "layoutcheck/core/base/integer.h"
#include "layoutcheck/core/base/str_cat.h"

namespace layoutcheck {
namespace {

// A digit of the expanded layout: a block, or the part of a dimension outside all tiles (size 0).
struct BlockDigit {
  int64_t dimension = 0;
  int64_t size = 0;
  int64_t weight = 1;  // the index of the dimension is the sum of digit * weight
};

std::unexpected<Error> NoBlocking(std::string_view why) { return ArgumentError("no blocked format: ", why); }

// An integer of one of the modes of a layout.
struct Leaf {
  int64_t dimension;
  int64_t extent;
  int64_t stride;
  bool top;  // the most significant integer of its mode
};

// Appends a digit in memory order (major first). Neighboring digits of one dimension become one block.
void AppendBlock(std::vector<std::pair<int64_t, int64_t>>& inner, int64_t dimension, int64_t size) {
  if (!inner.empty() && inner.back().first == dimension) {
    inner.back().second *= size;
  } else {
    inner.emplace_back(dimension, size);
  }
}

// Returns all dimensions: those of `major` in this order, with the missing ones (outer size 1) in ascending order.
std::vector<int64_t> CompleteOrder(const std::vector<int64_t>& major, int64_t rank) {
  std::vector<int64_t> order;
  size_t next = 0;
  for (int64_t d = 0; d < rank; ++d) {
    if (std::ranges::find(major, d) != major.end()) continue;
    while (next < major.size() && major[next] < d) order.push_back(major[next++]);
    order.push_back(d);
  }
  order.insert(order.end(), major.begin() + static_cast<std::ptrdiff_t>(next), major.end());
  return order;
}

// Sets `format` to the one whose outer dimensions are the leaves before `cut` (major to minor). Returns false if a
// dimension would occur twice or be padded differently.
bool CutAt(const std::vector<Leaf>& leaves, size_t cut, std::span<const int64_t> sizes, BlockedFormat& format) {
  std::vector<int64_t> blocks(sizes.size(), 1);
  std::vector<int64_t> outer(sizes.size(), 1);
  std::vector<int64_t> major;
  for (size_t k = 0; k < cut; ++k) {
    if (!leaves[k].top) return false;
    outer[static_cast<size_t>(leaves[k].dimension)] = leaves[k].extent;
    major.push_back(leaves[k].dimension);
  }
  format.inner.clear();
  for (size_t k = cut; k < leaves.size(); ++k) {
    blocks[static_cast<size_t>(leaves[k].dimension)] *= leaves[k].extent;
    AppendBlock(format.inner, leaves[k].dimension, leaves[k].extent);
  }
  for (size_t d = 0; d < sizes.size(); ++d) {
    if (CeilDiv(sizes[d], blocks[d]) != outer[d]) return false;
  }
  format.outer_order = CompleteOrder(major, static_cast<int64_t>(sizes.size()));
  return true;
}

std::string ListText(const std::vector<int64_t>& numbers) { return StrCat("[", StrJoin(numbers, ", "), "]"); }

}  // namespace

Expected<BlockedFormat> BlockedFormatOfHlo(const Shape& shape) {
  if (!shape.IsArray() || !shape.layout) return NoBlocking("not an array with a layout");
  if (shape.HasDynamicDimension()) return NoBlocking("a dynamic dimension");
  const Layout& layout = *shape.layout;
  if (!(layout == Layout(layout.minor_to_major, layout.tiles))) return NoBlocking("an attribute besides tiles");

  BlockedFormat format;
  std::vector<BlockDigit> digits;
  for (int64_t p = 0; p < layout.rank(); ++p) {
    format.outer_order.push_back(layout.Major(p));
    digits.push_back({layout.Major(p), 0});
  }
  for (size_t t = 0; t < layout.tiles.size(); ++t) {
    const std::vector<int64_t>& sizes = layout.tiles[t].dimensions;
    if (sizes.size() > digits.size()) return NoBlocking("a tile of more dimensions than there are");
    const size_t first = digits.size() - sizes.size();
    for (size_t k = 0; k < sizes.size(); ++k) {
      const int64_t size = sizes[k];
      if (size < 1) return NoBlocking("a combined dimension");
      // A copy, because the push_back below would invalidate a reference.
      const BlockDigit digit = digits[first + k];
      if (digit.size == 0) {
        if (t > 0 && size > 1) return NoBlocking("a later tile divides an outer dimension");
      } else {
        if (digit.size % size != 0) return NoBlocking("a block divided with remainder");
        digits[first + k].size = digit.size / size;
        digits[first + k].weight = digit.weight * size;  // at most the size of the first tile
      }
      digits.push_back({digit.dimension, size, digit.weight});
    }
  }
  std::vector<int64_t> weights(layout.minor_to_major.size(),
                               0);  // per dimension: the weight of its last block, 0 if none
  for (const BlockDigit& digit : digits) {
    if (digit.size <= 1) continue;
    int64_t& weight = weights[static_cast<size_t>(digit.dimension)];
    if (weight > 0 && digit.weight > weight) return NoBlocking("a digit moved behind a less significant one");
    weight = digit.weight;
    AppendBlock(format.inner, digit.dimension, digit.size);
  }
  return format;
}

Expected<BlockedFormat> BlockedFormatOfShapeStride(const ShapeStrideLayout& layout) {
  const int64_t rank = Rank(layout);
  LAYOUTCHECK_TRY(const ShapeStrideLayout canonical, CoalesceEachMode(layout));
  LAYOUTCHECK_TRY(const std::vector<int64_t> sizes, LogicalSizes(layout));
  if (std::ranges::find(sizes, 0) != sizes.end()) return UnsupportedError(ToString(layout), " has no element");
  std::vector<Leaf> leaves;
  for (int64_t d = 0; d < rank; ++d) {
    LAYOUTCHECK_TRY(const std::vector<StridedMode> mode, FlatModes(*Mode(canonical, d)));
    const size_t first = leaves.size();
    for (const StridedMode& leaf : mode) {
      if (leaf.extent == 1) continue;
      if (leaf.stride <= 0) {
        return UnsupportedError("the stride ", leaf.stride, " of ", ToString(layout), ": expected one above 0");
      }
      if (leaves.size() > first) {
        if (leaf.stride < leaves.back().stride) {
          return UnsupportedError("mode ", d, " of ", ToString(layout), ": the stride ", leaf.stride, " of ",
                                  leaf.extent, " is below ", leaves.back().stride,
                                  ", that of a less significant integer");
        }
        leaves.back().top = false;
      }
      leaves.push_back({d, leaf.extent, leaf.stride, true});
    }
  }
  std::ranges::stable_sort(leaves, std::ranges::greater{}, &Leaf::stride);  // major to minor
  std::vector<StridedMode> modes;
  for (const Leaf& leaf : leaves) modes.push_back({leaf.extent, leaf.stride});
  LAYOUTCHECK_RETURN_IF_ERROR(RequireCompact(std::move(modes), layout));
  BlockedFormat format;
  for (size_t cut = leaves.size() + 1; cut-- > 0;) {
    if (CutAt(leaves, cut, sizes, format)) return format;
  }
  return UnsupportedError("the most significant integers of ", ToString(layout), " are not its largest strides");
}

int64_t OffsetIn(const BlockedFormat& format, std::span<const int64_t> dimensions,
                 std::span<const int64_t> coordinate) {
  std::vector<int64_t> sizes(dimensions.begin(), dimensions.end());
  std::vector<int64_t> rest(coordinate.begin(), coordinate.end());
  int64_t offset = 0;
  int64_t stride = 1;
  for (size_t k = format.inner.size(); k-- > 0;) {
    const auto [dimension, block] = format.inner[k];
    const auto d = static_cast<size_t>(dimension);
    offset += rest[d] % block * stride;
    rest[d] /= block;
    sizes[d] = CeilDiv(sizes[d], block);
    stride *= block;
  }
  for (size_t k = format.outer_order.size(); k-- > 0;) {
    const auto d = static_cast<size_t>(format.outer_order[k]);
    offset += rest[d] * stride;
    stride *= sizes[d];
  }
  return offset;
}

Expected<int64_t> PaddedElements(const BlockedFormat& format, std::span<const int64_t> dimensions) {
  std::vector<int64_t> sizes(dimensions.begin(), dimensions.end());
  CheckedInt64 elements = 1;
  for (size_t k = format.inner.size(); k-- > 0;) {
    const auto [dimension, block] = format.inner[k];
    int64_t& size = sizes[static_cast<size_t>(dimension)];
    size = CeilDiv(size, block);
    elements = elements * block;
  }
  if (std::ranges::find(sizes, 0) != sizes.end()) return 0;
  for (const int64_t size : sizes) elements = elements * size;
  return ValueOrOverflow(elements, "the padded element count");
}

Expected<std::string> OneDnnTag(const BlockedFormat& format) {
  const size_t rank = format.outer_order.size();
  if (rank < 1 || rank > 12) return UnsupportedError("oneDNN has arrays of 1 to 12 dimensions, not of ", rank);
  const auto letter = [](int64_t dimension) { return "abcdefghijkl"[dimension]; };
  std::string tag;
  for (const int64_t d : format.outer_order) {
    const bool blocked = std::ranges::any_of(format.inner, [d](const auto& block) { return block.first == d; });
    tag.push_back(blocked ? "ABCDEFGHIJKL"[d] : letter(d));
  }
  for (const auto& [dimension, block] : format.inner) StrAppend(tag, block, letter(dimension));
  return tag;
}

Expected<PackAttributes> ToPackAttributes(const BlockedFormat& format) {
  PackAttributes attributes{format.outer_order, {}, {}};
  for (const auto& [dimension, block] : format.inner) {
    if (std::ranges::find(attributes.inner_dims_pos, dimension) != attributes.inner_dims_pos.end()) {
      return UnsupportedError("dimension ", dimension, " has more than one block: tensor.pack tiles a dimension once");
    }
    attributes.inner_dims_pos.push_back(dimension);
    attributes.inner_tiles.push_back(block);
  }
  return attributes;
}

std::string ToString(const PackAttributes& attributes) {
  return StrCat("outer_dims_perm = ", ListText(attributes.outer_dims_perm),
                " inner_dims_pos = ", ListText(attributes.inner_dims_pos),
                " inner_tiles = ", ListText(attributes.inner_tiles));
}

}  // namespace layoutcheck
