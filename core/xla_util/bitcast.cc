// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/core/xla_util/bitcast.h"
#include <algorithm>
#include <cstddef>
#include <utility>
#include "layoutcheck/core/base/str_cat.h"
#include "layoutcheck/core/tiling/same_positions.h"
#include "layoutcheck/core/tiling/sizes.h"
#include "layoutcheck/core/tiling/tiled_index.h"
#include "layoutcheck/core/xla_util/permutation.h"
#include "layoutcheck/core/xla_util/reshape_factors.h"
#include "layoutcheck/core/xla_util/shape_edits.h"

namespace layoutcheck {
namespace {

struct Placement {
  TiledLayout layout;
  LayoutSizes sizes;
};

Expected<Placement> PlacementOf(const Shape& shape) {
  auto layout = TiledLayoutOf(shape);
  if (!layout) return std::unexpected(std::move(layout).error());
  auto sizes = SizesOf(shape);
  if (!sizes) return std::unexpected(std::move(sizes).error());
  return Placement{*std::move(layout), *sizes};
}

bool SameType(const Shape& a, const Shape& b, ElementTypes types) {
  return types == ElementTypes::kIgnored || a.element_type == b.element_type;
}

// Returns true if memory space, metadata prefix, bits per element and bytes agree: all but the positions of elements.
bool SameAllocation(const Shape& a, const Placement& placement_a, const Shape& b, const Placement& placement_b,
                    ElementTypes types) {
  if (a.layout->memory_space != b.layout->memory_space ||
      a.layout->dynamic_shape_metadata_prefix_bytes != b.layout->dynamic_shape_metadata_prefix_bytes) {
    return false;
  }
  if (ElementSizeInBits(a) == ElementSizeInBits(b)) return placement_a.sizes.bytes == placement_b.sizes.bytes;
  return types == ElementTypes::kIgnored && placement_a.sizes.padded_elements == placement_b.sizes.padded_elements;
}

// Returns true if the arrays are the same, so that no element moves even if they are split.
bool SameArray(const Shape& a, const Shape& b) { return a.dimensions == b.dimensions && *a.layout == *b.layout; }

Expected<void> RejectSplits(const Shape& a, const Shape& b) {
  if (a.layout->split_configs.empty() && b.layout->split_configs.empty()) return {};
  return MakeError(ErrorKind::kUnsupported,
                   "where the elements of an array with a split config (SC) lie is not defined");
}

std::vector<int64_t> MajorToMinor(const Shape& shape) {
  return {shape.layout->minor_to_major.rbegin(), shape.layout->minor_to_major.rend()};
}

bool IsIdentity(const std::vector<int64_t>& permutation) { return std::ranges::is_sorted(permutation); }

// Returns the permutation that pairs each dimension of `output` of more than one element with the dimension of `input`
// with the same unit step in memory, and the others (in an empty array, all) in ascending order, or nothing. Apart from
// size-1 dimensions, no other permutation is a bitcast, because elements have different linear indices.
std::optional<std::vector<int64_t>> PairByUnitSteps(const TiledLayout& input, const TiledIndex& input_index,
                                                    const TiledLayout& output, const TiledIndex& output_index) {
  const bool empty = std::ranges::find(input.dimensions, 0) != input.dimensions.end();
  const auto unit_step = [empty](const TiledLayout& layout, const TiledIndex& index, size_t d) {
    if (empty || layout.dimensions[d] == 1) return int64_t{-1};
    std::vector<int64_t> unit(layout.dimensions.size(), 0);
    unit[d] = 1;
    return index(unit);
  };
  std::vector<bool> used(input.dimensions.size(), false);
  std::vector<int64_t> permutation;
  for (size_t i = 0; i < output.dimensions.size(); ++i) {
    const int64_t step = unit_step(output, output_index, i);
    size_t d = 0;
    while (d < used.size() &&
           (used[d] || input.dimensions[d] != output.dimensions[i] || unit_step(input, input_index, d) != step)) {
      ++d;
    }
    if (d == used.size()) return std::nullopt;
    used[d] = true;
    permutation.push_back(static_cast<int64_t>(d));
  }
  return permutation;
}

}  // namespace

Expected<bool> ReshapeIsBitcast(const Shape& input, const Shape& output, ElementTypes types) {
  const auto from = PlacementOf(input);
  if (!from) return std::unexpected(from.error());
  const auto to = PlacementOf(output);
  if (!to) return std::unexpected(to.error());
  if (!SameType(input, output, types) || from->sizes.elements != to->sizes.elements) return false;
  if (from->sizes.elements == 0) return true;
  if (!SameAllocation(input, *from, output, *to, types)) return false;
  if (SameArray(input, output)) return true;
  if (auto unsplit = RejectSplits(input, output); !unsplit) return std::unexpected(std::move(unsplit).error());
  const auto cuts = CommonFactors(input.dimensions, output.dimensions);
  if (!cuts) return std::unexpected(cuts.error());
  std::vector<DimensionGroup> groups;
  for (size_t k = 0; k + 1 < cuts->size(); ++k) {
    DimensionGroup& group = groups.emplace_back();
    for (int64_t d = (*cuts)[k].first; d < (*cuts)[k + 1].first; ++d) group.a.push_back(d);
    for (int64_t d = (*cuts)[k].second; d < (*cuts)[k + 1].second; ++d) group.b.push_back(d);
  }
  return SamePositions(from->layout, to->layout, groups);
}

Expected<bool> TransposeIsBitcast(const Shape& input, const Shape& output, std::span<const int64_t> permutation,
                                  ElementTypes types) {
  const auto from = PlacementOf(input);
  if (!from) return std::unexpected(from.error());
  const auto to = PlacementOf(output);
  if (!to) return std::unexpected(to.error());
  const auto permuted = Permute(input.dimensions, permutation);
  if (!permuted) return std::unexpected(permuted.error());
  if (!SameType(input, output, types) || *permuted != output.dimensions) return false;
  if (from->sizes.elements == 0) return true;
  if (!SameAllocation(input, *from, output, *to, types)) return false;
  if (SameArray(input, output) && std::ranges::is_sorted(permutation)) return true;
  if (auto unsplit = RejectSplits(input, output); !unsplit) return std::unexpected(std::move(unsplit).error());
  std::vector<DimensionGroup> groups;
  for (size_t i = 0; i < permutation.size(); ++i) {
    groups.push_back(DimensionGroup{{permutation[i]}, {static_cast<int64_t>(i)}});
  }
  return SamePositions(from->layout, to->layout, groups);
}

Expected<std::optional<std::vector<int64_t>>> DeduceTransposeDimensionsForBitcast(const Shape& input,
                                                                                  const Shape& output) {
  const auto from = TiledLayoutOf(input);
  if (!from) return std::unexpected(from.error());
  const auto to = TiledLayoutOf(output);
  if (!to) return std::unexpected(to.error());
  if (input.rank() != output.rank()) return std::nullopt;
  std::vector<int64_t> in_memory_order =
      *ComposePermutations(from->minor_to_major, *InversePermutation(to->minor_to_major));
  const auto in_order = TransposeIsBitcast(input, output, in_memory_order, ElementTypes::kIgnored);
  if (!in_order) return std::unexpected(in_order.error());
  if (*in_order) return in_memory_order;
  const auto from_index = MakeTiledIndex(*from);
  if (!from_index) return std::unexpected(from_index.error());
  const auto to_index = MakeTiledIndex(*to);
  if (!to_index) return std::unexpected(to_index.error());
  auto paired = PairByUnitSteps(*from, *from_index, *to, *to_index);
  if (!paired) return std::nullopt;
  const auto is_bitcast = TransposeIsBitcast(input, output, *paired, ElementTypes::kIgnored);
  if (!is_bitcast) return std::unexpected(is_bitcast.error());
  if (!*is_bitcast) return std::nullopt;
  return paired;
}

bool BitcastTransposeReshapeTranspose::IsTranspose1Identity() const { return IsIdentity(transpose1); }
bool BitcastTransposeReshapeTranspose::IsTranspose2Identity() const { return IsIdentity(transpose2); }

Expected<std::optional<BitcastTransposeReshapeTranspose>> DecomposeBitcastToTrt(const Shape& input,
                                                                                const Shape& output) {
  if (!input.IsArray() || !output.IsArray()) return MakeError(ErrorKind::kInvalidArgument, "expected two arrays");
  if (!input.layout || !output.layout) return std::nullopt;
  const auto from = PlacementOf(input);
  if (!from) return std::unexpected(from.error());
  const auto to = PlacementOf(output);
  if (!to) return std::unexpected(to.error());
  if (from->sizes.elements != to->sizes.elements || ElementSizeInBits(input) != ElementSizeInBits(output)) {
    return std::nullopt;
  }
  if (auto unsplit = RejectSplits(input, output); !unsplit) return std::unexpected(std::move(unsplit).error());
  // The intermediate arrays are in row-major order and tiled as input and output are, so the transposes are bitcasts,
  // and only the reshape must be checked. M(n) is put back, because dropping it would move the data.
  BitcastTransposeReshapeTranspose result;
  result.transpose1 = MajorToMinor(input);
  result.transpose1_shape = *MakeShapeWithDescendingLayoutAndSamePhysicalLayout(input);
  result.transpose1_shape.layout->dynamic_shape_metadata_prefix_bytes =
      input.layout->dynamic_shape_metadata_prefix_bytes;
  result.reshape_shape = *MakeShapeWithDescendingLayoutAndSamePhysicalLayout(output);
  result.reshape_shape.layout->dynamic_shape_metadata_prefix_bytes = output.layout->dynamic_shape_metadata_prefix_bytes;
  result.transpose2 = *InversePermutation(MajorToMinor(output));
  const auto reshape = ReshapeIsBitcast(result.transpose1_shape, result.reshape_shape, ElementTypes::kIgnored);
  if (!reshape) return std::unexpected(reshape.error());
  if (!*reshape) return std::nullopt;
  return result;
}

Expected<std::optional<BitcastDecomposition>> DecomposeBitcast(const Shape& input, const Shape& output) {
  if (!input.IsArray() || !output.IsArray()) return MakeError(ErrorKind::kInvalidArgument, "expected two arrays");
  if (!input.layout || !output.layout) return std::nullopt;
  const auto reshape = ReshapeIsBitcast(input, output, ElementTypes::kIgnored);
  if (!reshape) return std::unexpected(reshape.error());
  if (ElementSizeInBits(input) != ElementSizeInBits(output)) return std::nullopt;
  if (*reshape) return BitcastDecomposition(BitcastReshape{});
  auto permutation = DeduceTransposeDimensionsForBitcast(input, output);
  if (!permutation) return std::unexpected(std::move(permutation).error());
  if (*permutation) return BitcastDecomposition(BitcastTranspose{**std::move(permutation)});
  auto trt = DecomposeBitcastToTrt(input, output);
  if (!trt) return std::unexpected(std::move(trt).error());
  if (!*trt) return std::nullopt;
  return BitcastDecomposition(**std::move(trt));
}

}  // namespace layoutcheck
