// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/core/xla_util/bitcast.h"
#include <algorithm>
#include <cstddef>
#include "layoutcheck/core/base/integer.h"
#include "layoutcheck/core/base/str_cat.h"
#include "layoutcheck/core/hlo/printer.h"
#include "layoutcheck/core/tiling/sizes.h"
#include "layoutcheck/core/tiling/tiled_index.h"
#include "layoutcheck/core/xla_util/permutation.h"
#include "layoutcheck/core/xla_util/shape_edits.h"

namespace layoutcheck {
namespace {

struct Placement {
  TiledLayout layout;
  LayoutSizes sizes;
};

Expected<Placement> PlacementOf(const Shape& shape) {
  LAYOUTCHECK_TRY(const auto sizes, SizesOf(shape));
  return Placement{*TiledLayoutOf(shape), sizes};
}

// The input and the output of a reshape or transpose.
struct Placements {
  Placement from;
  Placement to;
};

Expected<Placements> PlacementsOf(const Shape& input, const Shape& output) {
  LAYOUTCHECK_TRY(auto from, PlacementOf(input));
  LAYOUTCHECK_TRY(auto to, PlacementOf(output));
  return Placements{std::move(from), std::move(to)};
}

bool SameType(const Shape& a, const Shape& b, ElementTypes types) {
  return types == ElementTypes::kIgnored || a.element_type == b.element_type;
}

// Returns true if memory space, metadata prefix, bits per element and bytes agree: all but the positions of elements.
bool SameAllocation(const Shape& a, const Shape& b, const Placements& placed, ElementTypes types) {
  if (a.layout->memory_space != b.layout->memory_space ||
      a.layout->dynamic_shape_metadata_prefix_bytes != b.layout->dynamic_shape_metadata_prefix_bytes) {
    return false;
  }
  if (ElementSizeInBits(a) == ElementSizeInBits(b)) return placed.from.sizes.bytes == placed.to.sizes.bytes;
  return types == ElementTypes::kIgnored && placed.from.sizes.padded_elements == placed.to.sizes.padded_elements;
}

// Returns true if the arrays are the same, so that no element moves even if they are split.
bool SameArray(const Shape& a, const Shape& b) { return a.dimensions == b.dimensions && *a.layout == *b.layout; }

Expected<void> RejectSplits(const Shape& a, const Shape& b) {
  if (a.layout->split_configs.empty() && b.layout->split_configs.empty()) return {};
  return UnsupportedError("where the elements of an array with a split config (SC) lie is not defined");
}

// Returns the pairs of dimensions of a transpose, in the order of the input's dimensions.
std::vector<DimensionGroup> GroupsOfTranspose(std::span<const int64_t> permutation) {
  std::vector<DimensionGroup> groups(permutation.size());
  for (size_t i = 0; i < permutation.size(); ++i) {
    groups[static_cast<size_t>(permutation[i])] = {{permutation[i]}, {static_cast<int64_t>(i)}};
  }
  return groups;
}

// Returns an element that moves between arrays of equal element counts. Errors: as of ReshapeIsBitcast.
Expected<std::optional<ElementMove>> FindElementMove(const Shape& input_shape, const Shape& output_shape,
                                                     const Placements& placed, std::span<const DimensionGroup> groups) {
  LAYOUTCHECK_RETURN_IF_ERROR(RejectSplits(input_shape, output_shape));
  const PositionedArray input = *PositionedArrayOf(placed.from.layout);
  const PositionedArray output = *PositionedArrayOf(placed.to.layout);
  LAYOUTCHECK_TRY(auto moved, FindMovedElement(input, output, groups));
  if (!moved) return std::nullopt;
  const int64_t position = input.position(moved->a);
  const int64_t new_position = output.position(moved->b);
  return ElementMove{std::move(moved->a), std::move(moved->b), position, new_position, moved->is_first};
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

Expected<int64_t> Product(std::span<const int64_t> sizes) {
  return ValueOrOverflow(ProductOfSizes(sizes), "the number of elements");
}

}  // namespace

Expected<bool> ReshapeIsBitcast(const Shape& input, const Shape& output, ElementTypes types) {
  LAYOUTCHECK_TRY(const auto placed, PlacementsOf(input, output));
  if (!SameType(input, output, types) || placed.from.sizes.elements != placed.to.sizes.elements) return false;
  if (placed.from.sizes.elements == 0) return true;
  if (!SameAllocation(input, output, placed, types)) return false;
  if (SameArray(input, output)) return true;
  LAYOUTCHECK_RETURN_IF_ERROR(RejectSplits(input, output));
  LAYOUTCHECK_TRY(const auto groups, GroupsOfReshape(input.dimensions, output.dimensions));
  return SamePositions(placed.from.layout, placed.to.layout, groups);
}

Expected<bool> TransposeIsBitcast(const Shape& input, const Shape& output, std::span<const int64_t> permutation,
                                  ElementTypes types) {
  LAYOUTCHECK_TRY(const auto placed, PlacementsOf(input, output));
  LAYOUTCHECK_TRY(const auto permuted, Permute(input.dimensions, permutation));
  if (!SameType(input, output, types) || permuted != output.dimensions) return false;
  if (placed.from.sizes.elements == 0) return true;
  if (!SameAllocation(input, output, placed, types)) return false;
  if (SameArray(input, output) && std::ranges::is_sorted(permutation)) return true;
  LAYOUTCHECK_RETURN_IF_ERROR(RejectSplits(input, output));
  return SamePositions(placed.from.layout, placed.to.layout, GroupsOfTranspose(permutation));
}

Expected<std::optional<ElementMove>> FindElementMovedByReshape(const Shape& input, const Shape& output) {
  LAYOUTCHECK_TRY(const auto placed, PlacementsOf(input, output));
  if (placed.from.sizes.elements != placed.to.sizes.elements) {
    return ArgumentError("a reshape keeps the number of elements, found ", placed.from.sizes.elements, " and ",
                         placed.to.sizes.elements);
  }
  if (placed.from.sizes.elements == 0) return std::nullopt;
  LAYOUTCHECK_TRY(const auto groups, GroupsOfReshape(input.dimensions, output.dimensions));
  return FindElementMove(input, output, placed, groups);
}

Expected<std::optional<ElementMove>> FindElementMovedByTranspose(const Shape& input, const Shape& output,
                                                                 std::span<const int64_t> permutation) {
  LAYOUTCHECK_TRY(const auto placed, PlacementsOf(input, output));
  LAYOUTCHECK_TRY(const auto permuted, Permute(input.dimensions, permutation));
  if (permuted != output.dimensions) {
    return ArgumentError("the transpose has the dimensions ", StrJoin(permuted, ","), ", found ",
                         StrJoin(output.dimensions, ","));
  }
  if (placed.from.sizes.elements == 0) return std::nullopt;
  return FindElementMove(input, output, placed, GroupsOfTranspose(permutation));
}

Expected<std::optional<std::vector<int64_t>>> DeduceTransposeDimensionsForBitcast(const Shape& input,
                                                                                  const Shape& output) {
  LAYOUTCHECK_TRY(const auto from, TiledLayoutOf(input));
  LAYOUTCHECK_TRY(const auto to, TiledLayoutOf(output));
  if (input.rank() != output.rank()) return std::nullopt;
  std::vector<int64_t> in_memory_order =
      *ComposePermutations(from.minor_to_major, *InversePermutation(to.minor_to_major));
  LAYOUTCHECK_TRY(const auto in_order, TransposeIsBitcast(input, output, in_memory_order, ElementTypes::kIgnored));
  if (in_order) return in_memory_order;
  auto paired = PairByUnitSteps(from, *MakeTiledIndex(from), to, *MakeTiledIndex(to));
  if (!paired) return std::nullopt;
  LAYOUTCHECK_TRY(const auto is_bitcast, TransposeIsBitcast(input, output, *paired, ElementTypes::kIgnored));
  if (!is_bitcast) return std::nullopt;
  return paired;
}

bool BitcastTransposeReshapeTranspose::IsTranspose1Identity() const { return IsIdentity(transpose1); }
bool BitcastTransposeReshapeTranspose::IsTranspose2Identity() const { return IsIdentity(transpose2); }

Expected<std::optional<BitcastTransposeReshapeTranspose>> DecomposeBitcastToTrt(const Shape& input,
                                                                                const Shape& output) {
  if (!input.IsArray() || !output.IsArray()) return ArgumentError("expected two arrays");
  if (!input.layout || !output.layout) return std::nullopt;
  LAYOUTCHECK_TRY(const auto placed, PlacementsOf(input, output));
  if (placed.from.sizes.elements != placed.to.sizes.elements || ElementSizeInBits(input) != ElementSizeInBits(output)) {
    return std::nullopt;
  }
  LAYOUTCHECK_RETURN_IF_ERROR(RejectSplits(input, output));
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
  LAYOUTCHECK_TRY(const auto reshape,
                  ReshapeIsBitcast(result.transpose1_shape, result.reshape_shape, ElementTypes::kIgnored));
  if (!reshape) return std::nullopt;
  return result;
}

Expected<std::optional<BitcastDecomposition>> DecomposeBitcast(const Shape& input, const Shape& output) {
  if (!input.IsArray() || !output.IsArray()) return ArgumentError("expected two arrays");
  if (!input.layout || !output.layout) return std::nullopt;
  LAYOUTCHECK_TRY(const auto reshape, ReshapeIsBitcast(input, output, ElementTypes::kIgnored));
  if (ElementSizeInBits(input) != ElementSizeInBits(output)) return std::nullopt;
  if (reshape) return BitcastDecomposition(BitcastReshape{});
  LAYOUTCHECK_TRY(auto permutation, DeduceTransposeDimensionsForBitcast(input, output));
  if (permutation) return BitcastDecomposition(BitcastTranspose{*std::move(permutation)});
  LAYOUTCHECK_TRY(auto trt, DecomposeBitcastToTrt(input, output));
  if (!trt) return std::nullopt;
  return BitcastDecomposition(*std::move(trt));
}

std::string DecompositionText(const BitcastDecomposition& decomposition) {
  if (std::holds_alternative<BitcastReshape>(decomposition)) return "a reshape";
  const auto transpose = [](const std::vector<int64_t>& permutation) {
    return StrCat("a transpose by {", StrJoin(permutation, ","), "}");
  };
  if (const auto* only = std::get_if<BitcastTranspose>(&decomposition)) return transpose(only->permutation);
  const auto& steps = std::get<BitcastTransposeReshapeTranspose>(decomposition);
  std::string text;
  if (!steps.IsTranspose1Identity()) {
    StrAppend(text, transpose(steps.transpose1), " to ", ToString(steps.transpose1_shape), ", ");
  }
  StrAppend(text, "a reshape to ", ToString(steps.reshape_shape));
  if (!steps.IsTranspose2Identity()) StrAppend(text, ", ", transpose(steps.transpose2));
  return text;
}

Expected<std::vector<DimensionPair>> CommonFactors(std::span<const int64_t> a, std::span<const int64_t> b) {
  for (const auto sizes : {a, b}) {
    if (std::ranges::any_of(sizes, [](int64_t size) { return size < 0; })) {
      return ArgumentError("the sizes [", StrJoin(sizes, ","), "] contain a negative one");
    }
  }
  LAYOUTCHECK_TRY(const auto product_a, Product(a));
  LAYOUTCHECK_TRY(const auto product_b, Product(b));
  if (product_a != product_b) {
    return ArgumentError("[", StrJoin(a, ","), "] and [", StrJoin(b, ","), "] have ", product_a, " and ", product_b,
                         " elements, expected the same number");
  }
  const DimensionPair end{static_cast<int64_t>(a.size()), static_cast<int64_t>(b.size())};
  std::vector<DimensionPair> cuts = {{0, 0}};
  size_t i = 0;
  size_t j = 0;
  const auto cut_here = [&] { cuts.emplace_back(static_cast<int64_t>(i), static_cast<int64_t>(j)); };
  if (product_a == 0) {
    // Products of 0 say nothing, so sizes up to the last 0 are cut apart only where they are equal.
    while (i < a.size() && j < b.size() && a[i] == b[j]) {
      ++i;
      ++j;
      cut_here();
    }
    const auto rest_a = Product(a.subspan(i));
    const auto rest_b = Product(b.subspan(j));
    if (!rest_a || !rest_b || *rest_a != *rest_b) return std::vector<DimensionPair>{{0, 0}, end};
    if (*rest_a == 0) {
      if (cuts.back() != end) cuts.push_back(end);
      return cuts;
    }
  }
  // The remaining sizes are >= 1 and have equal products. The list with the smaller product so far takes its next size;
  // at equal products, the list with the smaller next size does, or both do.
  int64_t size_a = 1;
  int64_t size_b = 1;
  while (i < a.size() || j < b.size()) {
    const bool level = size_a == size_b;
    const bool take_a = level ? i < a.size() && (j == b.size() || a[i] <= b[j]) : size_a < size_b;
    const bool take_b = level ? j < b.size() && (i == a.size() || b[j] <= a[i]) : size_b < size_a;
    if (take_a) size_a *= a[i++];
    if (take_b) size_b *= b[j++];
    if (size_a == size_b) cut_here();
  }
  return cuts;
}

Expected<std::vector<DimensionGroup>> GroupsOfReshape(std::span<const int64_t> a, std::span<const int64_t> b) {
  LAYOUTCHECK_TRY(const auto cuts, CommonFactors(a, b));
  std::vector<DimensionGroup> groups;
  for (size_t k = 0; k + 1 < cuts.size(); ++k) {
    DimensionGroup& group = groups.emplace_back();
    for (int64_t d = cuts[k].first; d < cuts[k + 1].first; ++d) group.a.push_back(d);
    for (int64_t d = cuts[k].second; d < cuts[k + 1].second; ++d) group.b.push_back(d);
  }
  return groups;
}

}  // namespace layoutcheck
