// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/properties/run/witness_class.h"
#include <algorithm>
#include <bitset>
#include <cstddef>

namespace layoutcheck {
namespace {

using Features = std::bitset<16>;

Features FeaturesOf(const Shape& shape) {
  const Layout layout = shape.layout.value_or(MakeDescendingLayout(shape.rank()));
  const auto combines = [](const Tile& tile) {
    return std::ranges::count(tile.dimensions, Tile::kCombineDimension) > 0;
  };
  Features features;
  size_t next = 0;
  const auto add = [&](bool has) { features[next++] = has; };
  add(!layout.tiles.empty());
  add(layout.tiles.size() > 1);
  add(std::ranges::any_of(layout.tiles, combines));
  add(layout.minor_to_major != MakeDescendingLayout(shape.rank()).minor_to_major);
  add(std::ranges::any_of(shape.dimensions, [](int64_t size) { return size == 0; }));
  add(std::ranges::any_of(shape.dimensions, [](int64_t size) { return size > int64_t{1} << 30; }));
  add(std::ranges::any_of(shape.dynamic_dimensions, [](bool dynamic) { return dynamic; }));
  add(shape.element_type != ElementType::kF32);
  add(layout.element_size_in_bits != 0);
  add(layout.tail_padding_alignment_in_elements != 1);
  add(layout.memory_space != 0);
  add(!layout.split_configs.empty());
  add(layout.dynamic_shape_metadata_prefix_bytes != 0);
  return features;
}

}  // namespace

bool MayHaveOneCause(const Shape& a, const Shape& b) {
  const Features of_a = FeaturesOf(a);
  const Features of_b = FeaturesOf(b);
  const Features both = of_a & of_b;
  return both == of_a || both == of_b;
}

}  // namespace layoutcheck
