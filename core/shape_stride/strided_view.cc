// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/core/shape_stride/strided_view.h"
#include <algorithm>
#include <span>
#include <utility>
#include "layoutcheck/core/base/str_cat.h"
#include "layoutcheck/core/shape_stride/evaluate.h"

namespace layoutcheck {
namespace {

using Leaf = BasicStridedMode<CheckedInt64>;

// Returns the leaves without those of extent 1, and with neighbors merged whose strides go on evenly: no carry from
// one to the other changes the offset. The last leaf is unbounded, so its extent is kept as it is.
std::vector<Leaf> MergedLeaves(const ShapeStrideLayout& mode) {
  const std::vector<IntTuple> extents = Leaves(mode.shape);
  const std::vector<IntTuple> strides = Leaves(mode.stride);
  std::vector<Leaf> merged;
  for (size_t i = 0; i < extents.size(); ++i) {
    const Leaf leaf{extents[i].value(), strides[i].value()};
    const bool is_last = i + 1 == extents.size();
    if (leaf.extent.value == 1 && !is_last) continue;
    if (!merged.empty()) {
      const CheckedInt64 even = merged.back().extent * merged.back().stride;
      const CheckedInt64 extent = merged.back().extent * leaf.extent;
      if (!even.overflow && even.value == leaf.stride.value && !extent.overflow) {
        merged.back().extent = extent;
        continue;
      }
    }
    merged.push_back(leaf);
  }
  return merged;
}

// Returns the first coordinate c < valid of the mode with f(begin + c) != f(begin) + f(c), where f is the offset in the
// mode, or nothing.
//
// Adding begin and c in the mixed radix of the leaves, a carry out of leaf i changes the sum by stride(i+1) - extent(i)
// * stride(i), which is not 0 after merging. Let i be the lowest leaf with a remainder r = begin mod P != 0, where P is
// the product of the extents up to it. The first carry of all is at c = P - r, out of leaf i, and perhaps on through
// the leaves above it. If these changes cancel, they no longer do at c = P, where leaf i has no carry and the ones
// above still do.
std::optional<int64_t> FirstWrong(const ShapeStrideLayout& mode, int64_t begin, int64_t valid) {
  const std::vector<Leaf> leaves = MergedLeaves(mode);
  const auto offset = [&](CheckedInt64 c) { return IntegralOffset<CheckedInt64>(leaves, c); };
  CheckedInt64 block = 1;
  for (size_t i = 0; i + 1 < leaves.size(); ++i) {
    block = block * leaves[i].extent;
    if (block.overflow || block.value < 1) return std::nullopt;  // no coordinate reaches the end of the block
    const int64_t inside = begin % block.value;
    if (inside == 0) continue;
    for (const int64_t c : {block.value - inside, block.value}) {
      if (c >= valid) return std::nullopt;
      const CheckedInt64 exact = offset(CheckedInt64(begin) + c);
      const CheckedInt64 strided = offset(begin) + offset(c);
      if (exact.overflow || strided.overflow || exact.value != strided.value) return c;
    }
    return std::nullopt;
  }
  return std::nullopt;
}

// Returns the shape of a mode that holds `tile` coordinates: the inner extents, and as many blocks as needed.
IntTuple TileShape(const IntTuple& shape, int64_t tile) {
  std::vector<IntTuple> extents = Leaves(shape);
  if (extents.empty()) return shape;
  CheckedInt64 block = 1;
  for (size_t i = 0; i + 1 < extents.size(); ++i) block = block * extents[i].value();
  const bool has_block = !block.overflow && block.value > 0;
  extents.back() = extents.back().WithValue(has_block ? CeilDiv(tile, block.value) : std::min<int64_t>(tile, 1));
  return Unflatten(shape, extents);
}

IntTuple CoordinateOf(const ShapeStrideLayout& layout, const std::vector<int64_t>& numbers) {
  if (layout.shape.is_leaf()) return numbers.front();
  return IntTuple::Tuple(std::vector<IntTuple>(numbers.begin(), numbers.end()));
}

}  // namespace

Expected<int64_t> OffsetInView(const ComposedLayout& whole, const View& view, std::span<const int64_t> coordinate) {
  return Crd2Idx(CoordinateOf(whole.layout, CoordinateInWhole(view, coordinate)), whole);
}

Expected<StridedView> StridedViewOf(const ComposedLayout& whole, const View& view) {
  if (auto valid = ValidateComposedLayout(whole); !valid) return std::unexpected(valid.error());
  if (auto ordinary = RequireOrdinaryStrides(whole.layout); !ordinary) return std::unexpected(ordinary.error());
  const std::vector<ShapeStrideLayout> modes = Modes(whole.layout);
  if (modes.size() != view.ranges.size()) {
    return MakeError(ErrorKind::kInvalidArgument, StrCat("a view of ", view.ranges.size(), " modes: expected ",
                                                         modes.size(), " as in ", ToString(whole)));
  }
  const bool is_empty = IsEmpty(view);
  const std::vector<int64_t> valid = ValidExtents(view);
  StridedView result{{whole.swizzle, whole.offset, {}}, std::nullopt};
  std::vector<ShapeStrideLayout> kept;
  std::vector<int64_t> origin;
  std::optional<std::pair<size_t, int64_t>> first_wrong;  // kept mode and coordinate
  for (size_t d = 0; d < modes.size(); ++d) {
    const ViewRange& range = view.ranges[d];
    origin.push_back(is_empty ? 0 : range.begin);
    if (!range.is_kept) continue;
    if (!is_empty && !first_wrong) {
      const auto wrong = FirstWrong(modes[d], range.begin, valid[kept.size()]);
      if (wrong) first_wrong = {kept.size(), *wrong};
    }
    kept.push_back({TileShape(modes[d].shape, range.tile), modes[d].stride});
  }
  const bool one_mode = whole.layout.shape.is_leaf() && kept.size() == 1;
  result.layout.layout = one_mode ? kept[0] : ConcatenateModes(kept);
  const std::vector<IntTuple> sizes(valid.begin(), valid.end());
  result.layout.layout.origin_shape = one_mode ? sizes[0] : IntTuple::Tuple(sizes);
  if (!is_empty) {
    const Expected<int64_t> first = Crd2Idx(CoordinateOf(whole.layout, origin), whole.layout);
    if (!first) return std::unexpected(first.error());
    const Expected<int64_t> offset = ValueOrOverflow(CheckedInt64(*first) + whole.offset, "the offset of the view");
    if (!offset) return std::unexpected(offset.error());
    result.layout.offset = *offset;
  }
  if (!first_wrong) return result;
  WrongElement wrong{std::vector<int64_t>(kept.size(), 0), 0, 0};
  wrong.coordinate[first_wrong->first] = first_wrong->second;
  const Expected<int64_t> exact = OffsetInView(whole, view, wrong.coordinate);
  if (!exact) return std::unexpected(exact.error());
  const Expected<int64_t> strided = Crd2Idx(CoordinateOf(result.layout.layout, wrong.coordinate), result.layout);
  if (!strided) return std::unexpected(strided.error());
  wrong.offset = *exact;
  wrong.strided_offset = *strided;
  result.first_wrong = std::move(wrong);
  return result;
}

std::string ToString(const WrongElement& wrong) {
  return StrCat("element (", StrJoin(wrong.coordinate, ","), ") has offset ", wrong.offset, ", its strides give ",
                wrong.strided_offset);
}

}  // namespace layoutcheck
