// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The padded box of a tiled layout, the array whose elements fill the allocation, if any array does; and offsets that
// no point of it has. The box is trusted, because the law onto-padded-box is stated with it.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>
#include "layoutcheck/core/tiling/mixed_radix.h"
#include "layoutcheck/core/tiling/tiled_layout.h"
#include "layoutcheck/solver/layout_proof/symbolic_layout.h"

namespace layoutcheck {

// Returns the layout in which the dimensions of size 1 that a long tile puts before the array's are dimensions of the
// array, major to all others. The offsets of the array's elements stay the same.
template <class Int>
BasicTiledLayout<Int> WithLeadingDimensions(const BasicTiledLayout<Int>& layout, const Int& one) {
  size_t current = layout.dimensions.size();
  size_t leading = 0;
  for (const auto& tile : layout.tiles) {
    if (tile.size() > current) {
      leading += tile.size() - current;
      current = tile.size();
    }
    const auto combined =
        static_cast<size_t>(std::ranges::count_if(tile, [](const auto& entry) { return entry.combine; }));
    current += tile.size() - 2 * combined;
  }
  BasicTiledLayout<Int> result{std::vector<Int>(leading, one), {}, layout.tiles};
  result.dimensions.insert(result.dimensions.end(), layout.dimensions.begin(), layout.dimensions.end());
  const auto shift = static_cast<int64_t>(leading);
  for (const int64_t dimension : layout.minor_to_major) result.minor_to_major.push_back(dimension + shift);
  for (int64_t k = shift; k-- > 0;) result.minor_to_major.push_back(k);
  return result;
}

template <class Int>
struct PaddedBox {
  // A padded digit that is part of a dimension or combines several. Cells that its growth adds have offsets that belong
  // to no point of the box.
  struct LaterPad {
    size_t step;   // index in the chain of steps
    size_t entry;  // index in the PadStep
    Int size;
    Int padded_size;
  };

  // Size per logical dimension: the least multiple of the first tile that tiles it, or the dimension's own size if none
  // does or if it is combined with another dimension first.
  std::vector<Int> sizes;
  std::vector<LaterPad> later_pads;
};

// Returns the box of a chain. Requires that the chain has no PrependStep; see WithLeadingDimensions.
template <class Int>
PaddedBox<Int> PaddedBoxOf(const MixedRadix<Int>& chain) {
  PaddedBox<Int> box{chain.boxes()[0], {}};
  // The logical dimension of each digit that is still a whole one.
  std::vector<std::optional<size_t>> dimension(box.sizes.size());
  for (size_t d = 0; d < dimension.size(); ++d) dimension[d] = d;
  for (size_t i = 0; i < chain.steps().size(); ++i) {
    const MixedRadixStep<Int>& any = chain.steps()[i];
    if (const auto* permute = std::get_if<PermuteStep<Int>>(&any)) {
      std::vector<std::optional<size_t>> next;
      for (const size_t source : permute->source) next.push_back(dimension[source]);
      dimension = std::move(next);
    } else if (const auto* merge = std::get_if<MergeStep<Int>>(&any)) {
      dimension[merge->position] = std::nullopt;
      dimension.erase(dimension.begin() + static_cast<std::ptrdiff_t>(merge->position) + 1);
    } else if (const auto* pad = std::get_if<PadStep<Int>>(&any)) {
      for (size_t k = 0; k < pad->sizes.size(); ++k) {
        if (const auto d = dimension[pad->first + k]) {
          box.sizes[*d] = pad->padded_sizes[k];
        } else {
          box.later_pads.push_back({i, k, pad->sizes[k], pad->padded_sizes[k]});
        }
      }
    } else if (const auto* split = std::get_if<SplitStep<Int>>(&any)) {
      dimension.resize(split->first);
      dimension.resize(split->first + 2 * split->tile.size());
    }
  }
  return box;
}

// A counterexample to onto-padded-box.
struct OntoWitness {
  std::map<std::string, int64_t> names;  // value of each name of the layout
  int64_t offset = 0;
};

// Returns an offset without a point, for the smallest values of the names that have one, or nothing. Tries values that
// are 1 except for at most two, which are at most 16. Confirms in numbers that the offset has a digit one past its size
// and, for a small box, that no point has the offset.
std::optional<OntoWitness> FindOntoWitness(const SymbolicLayout& layout);

}  // namespace layoutcheck
