// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Attributes of elements in tensor memory, of 128 rows: tensor_memory_encoding and tensor_memory_scales_encoding. The
// rows of an accumulator and the places of scale factors are in the PTX ISA, sections on tcgen05.mma.
#include <algorithm>
#include <array>
#include <utility>
#include "layoutcheck/core/base/str_cat.h"
#include "layoutcheck/core/linear/linear_algebra.h"
#include "layoutcheck/core/linear/triton_encodings.h"

namespace layoutcheck {
namespace {

constexpr size_t kRank = 2;

// Requires that the layout is one of the whole array.
Expected<LinearLayout> OfWholeArray(const Expected<LinearLayout>& layout, const TritonSizes& sizes) {
  if (!layout) return layout;
  for (size_t d = 0; d < kRank; ++d) {
    const uint64_t covered = layout->outputs()[d].size();
    if (covered != sizes[d]) {
      return LayoutError("expected a size of at least ", covered, " in dimension ", d, ", found ", sizes[d]);
    }
  }
  return layout;
}

// Returns the error of an array of other than two dimensions.
std::unexpected<Error> NoMatrix(const TritonSizes& sizes) {
  return LayoutError("expected an array of 2 dimensions in tensor memory, found ", sizes.size());
}

// Returns 64 rows of tensor memory, given the 16 of the first warp. Each of four warps has 16 of them in its first 16
// lanes. Its other lanes have the block below, or else the one beside, or else copies.
Expected<LinearLayout> OverFourWarps(const LinearLayout& quarter, const TritonSizes& part, uint64_t columns) {
  constexpr uint64_t kRowsOfBlock = 64;
  LinearOutput down = quarter.outputs()[0];
  LinearOutput right = quarter.outputs()[1];
  const bool is_below = part[0] > kRowsOfBlock;
  const bool is_beside = !is_below && part[1] > columns;
  down.bits += is_below ? 3 : 2;
  right.bits += is_beside ? 1 : 0;
  std::vector<LinearInput> inputs = quarter.inputs();
  const auto at = [&](uint64_t row, uint64_t column) { return row << right.bits | column; };
  for (LinearInput& input : inputs) {
    for (uint64_t& image : input.images) {
      const std::vector<int64_t> parts = quarter.OutputParts(image);
      image = at(static_cast<uint64_t>(parts[0]), static_cast<uint64_t>(parts[1]));
    }
  }
  const uint64_t others = is_below ? at(kRowsOfBlock, 0) : is_beside ? at(0, columns) : 0;
  inputs[0].images.insert(inputs[0].images.end(), {others, at(16, 0), at(32, 0)});
  return LinearLayout::Create(std::move(inputs), {down, right});
}

}  // namespace

Expected<LinearLayout> TensorMemoryLayout(TritonEntries& entries, const TritonSizes& sizes) {
  static constexpr std::array<uint64_t, 2> kRows = {64, 128};
  static constexpr std::array<uint64_t, 3> kStrides = {1, 2, 4};
  if (sizes.size() != kRank) return NoMatrix(sizes);
  const uint64_t rows = entries.OneOf("blockM", kRows);
  uint64_t columns = entries.PowerOfTwo("blockN");
  const uint64_t stride = entries.OneOf("colStride", kStrides);
  const bool is_pair = entries.Flag("twoCTAs");  // two blocks compute one product
  const bool is_padded = entries.Flag("fp4Padded");
  const Expected<LinearLayout> cluster = ClusterLayout(entries, kRank);
  if (entries.error() || !cluster) return cluster;
  if (is_padded && stride != 1) entries.Wrong("colStride", "expected colStride = 1 with fp4Padded");
  const std::vector<uint64_t>& blocks = cluster->images();
  if (is_pair && (blocks.empty() || cluster->OutputParts(blocks.front()) != std::vector<int64_t>{1, 0})) {
    entries.Wrong("twoCTAs", "expected [1, 0] as the first image of CGALayout with twoCTAs");
  }
  const TritonSizes part = PartSizes(*cluster, sizes);
  columns = std::min(columns, part[1]);
  if (part[0] < rows) {
    entries.Wrong("blockM", StrCat("expected at least ", rows, " rows in a block, found ", part[0]));
  }
  uint64_t gap = is_padded ? 2 * stride : stride;
  // The upper 64 rows of a pair have the right half of the columns, or of the gaps where there is one column.
  const bool has_halves = rows == 64 && is_pair;
  const bool halves_gap = has_halves && columns == 1;
  if (halves_gap && gap == 1) entries.Wrong("blockN", "expected at least 2 columns with twoCTAs, found 1");
  if (entries.error()) return std::unexpected(*entries.error());
  if (halves_gap) gap /= 2;

  Factors factors({0, 1}, "row");
  factors.MultiplyZero(gap, "col", 1);
  factors.MultiplyIdentity(rows == 64 && !has_halves ? 16 : rows, "row", 0);
  factors.MultiplyIdentity(has_halves && !halves_gap ? columns / 2 : columns, "col", 1);
  if (halves_gap) {
    factors.MultiplyZero(2, "row", 1);
  } else if (has_halves) {
    factors.MultiplyIdentity(2, "row", 1);
  }
  if (!factors.product()) return factors.product();
  if (rows == 64 && !has_halves) {
    const LinearLayout quarter = *factors.product();
    factors = Factors();
    factors.Multiply(OverFourWarps(quarter, part, columns));
  }
  if (!factors.product()) return factors.product();
  const LinearLayout tile = *factors.product();
  for (size_t d = 0; d < kRank; ++d) {
    factors.MultiplyIdentity(std::max(part[d] / tile.outputs()[d].size(), uint64_t{1}), "col", d);
  }
  factors.Multiply(cluster);
  return OfWholeArray(factors.product(), sizes);
}

Expected<LinearLayout> TensorMemoryScalesLayout(TritonEntries& entries, const TritonSizes& sizes) {
  static constexpr std::string_view kOrders[] = {"mnThenK", "kThenMn"};
  if (sizes.size() != kRank) return NoMatrix(sizes);
  const bool inner_first = entries.WordOf("blockRepOrder", kOrders) == 1;
  const Expected<LinearLayout> cluster = ClusterLayout(entries, kRank);
  if (entries.error() || !cluster) return cluster;
  const TritonSizes part = PartSizes(*cluster, sizes);
  // A block is 128 scales of four columns: 32 rows, with copies for each of four warps, and side by side in the
  // columns.
  Factors factors({0, 1}, "row");
  factors.MultiplyIdentity(32, "row", 0);
  factors.MultiplyZero(4, "row", 0);
  factors.MultiplyIdentity(4, "col", 1);
  const uint64_t of_block = part[0] < 128 ? 2 : 4;
  factors.MultiplyIdentity(of_block, "col", 0);
  const TritonSizes repeats = {std::max(part[0] / (32 * of_block), uint64_t{1}), std::max(part[1] / 4, uint64_t{1})};
  for (const size_t d : {inner_first ? size_t{1} : size_t{0}, inner_first ? size_t{0} : size_t{1}}) {
    factors.MultiplyIdentity(repeats[d], "col", d);
  }
  factors.MultiplyIdentity(1, "block", 0);
  const Expected<LinearLayout> block = factors.product();
  Factors whole;
  whole.Multiply(block ? NotLargerThan(*block, part, CutBit::kHasNoEffect) : block);
  whole.Multiply(cluster);
  return OfWholeArray(whole.product(), sizes);
}

}  // namespace layoutcheck
