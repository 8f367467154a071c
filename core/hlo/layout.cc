// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/core/hlo/layout.h"
#include <algorithm>
#include <numeric>
#include <utility>
#include "layoutcheck/core/base/hash.h"
#include "layoutcheck/core/hlo/shape.h"

namespace layoutcheck {

// Shape is incomplete in the header.
Layout::Layout() = default;
Layout::Layout(std::vector<int64_t> order) : minor_to_major(std::move(order)) {}
Layout::Layout(std::vector<int64_t> order, std::vector<Tile> tile_list)
    : minor_to_major(std::move(order)), tiles(std::move(tile_list)) {}
Layout::Layout(const Layout&) = default;
Layout::Layout(Layout&&) noexcept = default;
Layout& Layout::operator=(const Layout&) = default;
Layout& Layout::operator=(Layout&&) noexcept = default;
Layout::~Layout() = default;
bool Layout::operator==(const Layout& other) const = default;

uint64_t HashValue(const Layout& layout) {
  uint64_t hash = HashCombineRange(0, layout.minor_to_major);
  hash = HashCombine(hash, layout.tiles.size());
  for (const Tile& tile : layout.tiles) hash = HashCombineRange(hash, tile.dimensions);
  const auto type_number = [](const std::optional<ElementType>& type) { return type ? static_cast<int>(*type) : 0; };
  hash = HashCombineRange(
      hash, std::vector<int64_t>{layout.tail_padding_alignment_in_elements, type_number(layout.index_primitive_type),
                                 type_number(layout.pointer_primitive_type), layout.element_size_in_bits,
                                 layout.memory_space, layout.dynamic_shape_metadata_prefix_bytes});
  hash = HashCombine(hash, layout.split_configs.size());
  for (const SplitConfig& split : layout.split_configs) {
    hash = HashCombine(hash, static_cast<uint64_t>(split.dimension));
    hash = HashCombineRange(hash, split.split_indices);
  }
  for (const Shape& shape : layout.physical_shape) hash = HashCombine(hash, HashValue(shape));
  return hash;
}

Layout MakeDescendingLayout(int64_t rank) {
  Layout layout = MakeAscendingLayout(rank);
  std::ranges::reverse(layout.minor_to_major);
  return layout;
}

Layout MakeAscendingLayout(int64_t rank) {
  std::vector<int64_t> order(static_cast<size_t>(rank));
  std::iota(order.begin(), order.end(), 0);
  return Layout(std::move(order));
}

}  // namespace layoutcheck
