// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/core/tiling/pad_reshape_transpose.h"
#include <algorithm>
#include "layoutcheck/core/base/str_cat.h"

namespace layoutcheck {
namespace {

constexpr int64_t kMaxArrayBytes = int64_t{1} << 36;

// Returns row-major strides; all 0 for an array without elements. Requires a number of elements that fits.
std::vector<int64_t> RowMajorStrides(std::span<const int64_t> sizes) {
  std::vector<int64_t> strides(sizes.size(), 0);
  if (std::ranges::find(sizes, 0) != sizes.end()) return strides;
  int64_t stride = 1;
  for (size_t d = sizes.size(); d > 0; --d) {
    strides[d - 1] = stride;
    stride *= sizes[d - 1];
  }
  return strides;
}

std::vector<int64_t> Permute(std::span<const int64_t> values, std::span<const size_t> order) {
  std::vector<int64_t> result;
  result.reserve(order.size());
  for (const size_t k : order) result.push_back(values[k]);
  return result;
}

// Returns the step from a row-major array to the row-major array whose dimension k is dimension order[k] of the first.
ArrayStep MakeTransposeStep(std::span<const int64_t> sizes, std::span<const size_t> order) {
  ArrayStep step;
  step.sizes = Permute(sizes, order);
  step.source_strides = Permute(RowMajorStrides(sizes), order);
  step.destination_strides = RowMajorStrides(step.sizes);
  step.source_elements = step.destination_elements = ProductOfSizes(sizes).value;
  return step;
}

// Returns the step from a row-major array to the row-major array of the padded sizes.
ArrayStep MakePadStep(std::span<const int64_t> sizes, std::span<const int64_t> padded) {
  ArrayStep step;
  step.sizes.assign(sizes.begin(), sizes.end());
  step.source_strides = RowMajorStrides(sizes);
  step.destination_strides = RowMajorStrides(padded);
  step.source_elements = ProductOfSizes(sizes).value;
  step.destination_elements = ProductOfSizes(padded).value;
  return step;
}

}  // namespace

Expected<void> CheckArrayBytes(int64_t elements, size_t element_bytes) {
  const CheckedInt64 bytes = CheckedInt64(elements) * static_cast<int64_t>(element_bytes);
  if (bytes.overflow || bytes.value > kMaxArrayBytes) {
    return UnsupportedError("an array of ", elements, " cells of ", element_bytes, " bytes is too large to be made");
  }
  return {};
}

Expected<PadReshapeTransposeSteps> MakePadReshapeTransposeSteps(const TiledLayout& layout) {
  LAYOUTCHECK_RETURN_IF_ERROR(ValidateTiledLayout(layout));

  PadReshapeTransposeSteps plan;
  LAYOUTCHECK_TRY(plan.elements, ValueOrOverflow(ProductOfSizes(layout.dimensions), "the element count"));

  std::vector<size_t> physical_order;
  for (int64_t p = 0; p < layout.rank(); ++p) physical_order.push_back(static_cast<size_t>(layout.Major(p)));
  plan.steps.push_back(MakeTransposeStep(layout.dimensions, physical_order));
  std::vector<int64_t> sizes = plan.steps.back().sizes;

  for (size_t t = 0; t < layout.tiles.size(); ++t) {
    const auto& tile = layout.tiles[t];
    if (tile.size() > sizes.size()) sizes.insert(sizes.begin(), tile.size() - sizes.size(), 1);
    const size_t prefix = sizes.size() - tile.size();
    const auto tiled = [prefix](std::vector<int64_t>& v, size_t k) -> int64_t& { return v[prefix + k]; };

    // Combine each `*` with the next entry. Afterwards tile entry k belongs to dimension prefix + k again.
    std::vector<int64_t> tile_sizes;
    for (size_t k = 0; k < tile.size(); ++k) {
      const size_t at = tile_sizes.size();
      if (!tile[k].combine) {
        tile_sizes.push_back(tile[k].size);
        continue;
      }
      LAYOUTCHECK_TRY(tiled(sizes, at), ValueOrOverflow(CheckedInt64(tiled(sizes, at)) * tiled(sizes, at + 1),
                                                        StrCat("a dimension combined by tile ", t)));
      sizes.erase(sizes.begin() + static_cast<std::ptrdiff_t>(prefix + at + 1));
    }

    std::vector<int64_t> padded = sizes;
    std::vector<int64_t> reshaped(sizes.begin(), sizes.begin() + static_cast<std::ptrdiff_t>(prefix));
    for (size_t k = 0; k < tile_sizes.size(); ++k) {
      const int64_t tiles = CeilDiv(tiled(sizes, k), tile_sizes[k]);
      LAYOUTCHECK_TRY(tiled(padded, k),
                      ValueOrOverflow(CheckedInt64(tiles) * tile_sizes[k], StrCat("a dimension padded by tile ", t)));
      reshaped.push_back(tiles);
      reshaped.push_back(tile_sizes[k]);
    }
    LAYOUTCHECK_RETURN_IF_ERROR(
        ValueOrOverflow(ProductOfSizes(padded), StrCat("the element count padded by tile ", t)));

    std::vector<size_t> order;
    for (size_t k = 0; k < prefix; ++k) order.push_back(k);
    for (size_t k = prefix; k < reshaped.size(); k += 2) order.push_back(k);
    for (size_t k = prefix + 1; k < reshaped.size(); k += 2) order.push_back(k);

    plan.steps.push_back(MakePadStep(sizes, padded));
    plan.steps.push_back(MakeTransposeStep(reshaped, order));
    sizes = plan.steps.back().sizes;
  }
  plan.memory_sizes = std::move(sizes);
  plan.padded_elements = plan.steps.back().destination_elements;
  return plan;
}

}  // namespace layoutcheck
