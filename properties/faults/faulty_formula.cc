// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/properties/faults/faulty_formula.h"
#include <algorithm>
#include <utility>
#include <vector>

namespace layoutcheck {
namespace {

struct Digit {
  int64_t size;
  int64_t index;
};

}  // namespace

int64_t FormulaWith(const FormulaMistakes& mistakes, const TiledLayout& layout, std::span<const int64_t> index) {
  // Keeps the buffers between calls, because a table takes many.
  thread_local std::vector<Digit> digits;
  thread_local std::vector<Digit> outer;
  thread_local std::vector<Digit> inner;
  digits.clear();
  for (int64_t p = 0; p < layout.rank(); ++p) {
    const auto d = static_cast<size_t>(layout.Major(p));
    digits.push_back({layout.dimensions[d], index[d]});
  }
  size_t previous_tile = 0;
  for (size_t number = 0; number < layout.tiles.size(); ++number) {
    auto tile = layout.tiles[number];
    while (tile.size() > digits.size()) {
      digits.insert(mistakes.missing_dimensions_minor ? digits.end() : digits.begin(), Digit{1, 0});
    }
    size_t first = mistakes.tile_on_prefix ? 0 : digits.size() - tile.size();
    if (mistakes.later_tiles_on_counts && number > 0 && first >= previous_tile) first -= previous_tile;
    for (size_t q = 0; q < tile.size();) {
      if (!tile[q].combine || first + q + 1 >= digits.size()) {
        ++q;
        continue;
      }
      Digit& major = digits[first + q];
      const Digit& minor = digits[first + q + 1];
      major.index = mistakes.combine(major.index, minor.index, major.size, minor.size);
      if (!mistakes.combined_size_forgotten) major.size *= minor.size;
      digits.erase(digits.begin() + static_cast<std::ptrdiff_t>(first + q) + 1);
      tile.erase(tile.begin() + static_cast<std::ptrdiff_t>(q));
    }
    outer.clear();
    inner.clear();
    for (size_t q = 0; q < tile.size() && first + q < digits.size(); ++q) {
      const Digit digit = digits[first + q];
      const int64_t size = tile[q].combine ? 1 : tile[q].size;
      const int64_t count =
          mistakes.strides_of_unpadded ? std::max<int64_t>(digit.size / size, 1) : mistakes.count(digit.size, size);
      outer.push_back({count, mistakes.quotient(digit.index, size)});
      const int64_t rest = digit.size % size;
      const bool partial = mistakes.partial_tile_compact && rest != 0 && digit.index / size == digit.size / size;
      inner.push_back({partial ? rest : size, mistakes.remainder(digit.index, size)});
    }
    if (mistakes.remainders_swapped && inner.size() >= 2) std::swap(inner.end()[-1].index, inner.end()[-2].index);
    if (mistakes.quotients_reversed) std::ranges::reverse(outer);
    std::copy(outer.begin(), outer.end(), digits.begin() + static_cast<std::ptrdiff_t>(first));
    digits.insert(mistakes.inner_before_outer ? digits.begin() : digits.end(), inner.begin(), inner.end());
    previous_tile = inner.size();
  }
  int64_t stride = 1;
  int64_t sum = 0;
  for (size_t k = digits.size(); k-- > 0;) {
    // Wraps like machine integers to avoid undefined behavior.
    const auto product = static_cast<int64_t>(static_cast<uint64_t>(digits[k].index) * static_cast<uint64_t>(stride));
    sum = mistakes.narrow(static_cast<int64_t>(static_cast<uint64_t>(sum) + static_cast<uint64_t>(product)));
    int64_t size = digits[k].size;
    if (mistakes.last_stride_two && k + 1 == digits.size()) size += size % 2;
    stride = mistakes.narrow(static_cast<int64_t>(static_cast<uint64_t>(stride) * static_cast<uint64_t>(size)));
  }
  return sum;
}

}  // namespace layoutcheck
