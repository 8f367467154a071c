// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/properties/run/shrink.h"
#include <array>
#include <limits>
#include <utility>
#include <vector>
#include "layoutcheck/core/hlo/validate.h"
#include "layoutcheck/core/tiling/sizes.h"

namespace layoutcheck {
namespace {

// The layout attributes that are numbers, with the value that stands for "none".
struct NumberAttribute {
  int64_t Layout::* member;
  int64_t none;
};
inline constexpr NumberAttribute kNumberAttributes[] = {{&Layout::element_size_in_bits, 0},
                                                        {&Layout::tail_padding_alignment_in_elements, 1},
                                                        {&Layout::memory_space, 0},
                                                        {&Layout::dynamic_shape_metadata_prefix_bytes, 0}};

// A key that orders shapes with layouts: the smaller key is the simpler shape. Shapes with equal keys differ only in
// the distribution of sizes and attributes.
struct Simplicity {
  explicit Simplicity(const Shape& shape);
  auto operator<=>(const Simplicity&) const = default;

  // Most important first: rank, number of tiles, of tile entries, of `*` and of attributes; sums of the sizes, tile
  // sizes and attributes.
  std::array<uint64_t, 8> counts{};
  std::vector<int64_t> order;  // difference of each entry of minor_to_major from the row-major one
  std::vector<int64_t> sizes;
  std::vector<std::vector<int64_t>> tiles;
};

// Returns the sum, or the largest uint64_t if it does not fit.
uint64_t AddUpTo(uint64_t sum, int64_t number) {
  const uint64_t most = std::numeric_limits<uint64_t>::max();
  const auto added = static_cast<uint64_t>(number);
  return sum > most - added ? most : sum + added;
}

Simplicity::Simplicity(const Shape& shape) : sizes(shape.dimensions) {
  const Layout& layout = *shape.layout;
  auto& [rank, tile_count, entries, combined, attributes, size_sum, tile_sum, attribute_sum] = counts;
  rank = shape.dimensions.size();
  tile_count = layout.tiles.size();
  for (const Tile& tile : layout.tiles) {
    tiles.push_back(tile.dimensions);
    entries += tile.dimensions.size();
    for (const int64_t size : tile.dimensions) {
      if (size == Tile::kCombineDimension) {
        ++combined;
      } else {
        tile_sum = AddUpTo(tile_sum, size - 1);
      }
    }
  }
  for (const int64_t size : sizes) size_sum = AddUpTo(size_sum, size == 1 ? 0 : std::max<int64_t>(size, 1));
  attributes = (shape.element_type != ElementType::kF32 ? 1u : 0u) +
               static_cast<uint64_t>(std::ranges::count(shape.dynamic_dimensions, true));
  for (const auto& [member, none] : kNumberAttributes) {
    attributes += layout.*member != none ? 1 : 0;
    attribute_sum += static_cast<uint64_t>(layout.*member);
  }
  for (const SplitConfig& split : layout.split_configs) attributes += 1 + split.split_indices.size();
  const auto last = static_cast<int64_t>(sizes.size()) - 1;
  for (size_t k = 0; k < sizes.size(); ++k) {
    order.push_back(last - static_cast<int64_t>(k) - layout.minor_to_major[k]);
  }
}

// Sizes below twice this number are tried with small tiles.
constexpr int64_t kSmallSizes = 9;

// The simplest failing shape found so far, and the remaining budget.
class Search {
 public:
  Search(const Shape& shape, const std::function<bool(const Shape&)>& fails, int64_t max_evaluations)
      : best_(shape), simplicity_(shape), fails_(fails), budget_(max_evaluations) {}

  const Shape& best() const { return best_; }
  int64_t evaluations() const { return evaluations_; }

  // Makes the candidate the best shape if it is simpler and still fails.
  bool Try(const Shape& candidate) {
    if (evaluations_ >= budget_) return false;
    Simplicity simplicity(candidate);
    if (!(simplicity < simplicity_)) return false;
    if (!ValidateShape(candidate, MissingLayout::kRejected) || !SizesOf(candidate)) return false;
    ++evaluations_;
    if (!fails_(candidate)) return false;
    best_ = candidate;
    simplicity_ = std::move(simplicity);
    return true;
  }

  // Tries a copy of the best shape after change(copy).
  template <class Change>
  bool TryChanged(Change change) {
    Shape candidate = best_;
    change(candidate);
    return Try(candidate);
  }

  // Lowers a number of the best shape towards `least`. set(shape, number) writes it into a copy.
  template <class Set>
  bool Lower(int64_t number, int64_t least, Set set) {
    return LowerNumber(number, least,
                       [&](int64_t candidate) { return TryChanged([&](Shape& shape) { set(shape, candidate); }); });
  }

 private:
  Shape best_;
  Simplicity simplicity_;
  const std::function<bool(const Shape&)>& fails_;
  int64_t budget_;
  int64_t evaluations_ = 0;
};

void EraseDimension(Shape& shape, size_t d) {
  const auto at = static_cast<std::ptrdiff_t>(d);
  shape.dimensions.erase(shape.dimensions.begin() + at);
  shape.dynamic_dimensions.erase(shape.dynamic_dimensions.begin() + at);
  shape.layout->split_configs.clear();
  std::vector<int64_t>& order = shape.layout->minor_to_major;
  std::erase(order, static_cast<int64_t>(d));
  for (int64_t& entry : order) entry -= entry > static_cast<int64_t>(d) ? 1 : 0;
}

// The following steps of shrinking return true if they found a simpler shape.

bool DropDimensions(Search& search) {
  for (size_t d = 0; d < search.best().dimensions.size(); ++d) {
    if (search.TryChanged([&](Shape& shape) { EraseDimension(shape, d); })) return true;
    // If the number of elements matters, another dimension takes them over.
    for (size_t other = 0; other < search.best().dimensions.size() && search.best().dimensions[d] > 1; ++other) {
      int64_t product = 0;
      if (other == d || __builtin_mul_overflow(search.best().dimensions[d], search.best().dimensions[other], &product))
        continue;
      if (search.TryChanged([&](Shape& shape) {
            shape.dimensions[other] = product;
            EraseDimension(shape, d);
          })) {
        return true;
      }
    }
  }
  return false;
}

// Tries an untiled array as large as the allocation, in case only the size matters. The minor-most dimension takes all
// of the padding.
bool ArrayAsLargeAsAllocation(Search& search) {
  const auto sizes = SizesOf(search.best());
  if (!sizes || sizes->elements == 0 || search.best().layout->tiles.empty() || search.best().dimensions.empty())
    return false;
  const auto minor = static_cast<size_t>(search.best().layout->minor_to_major[0]);
  const int64_t others = sizes->elements / search.best().dimensions[minor];
  return search.TryChanged([&](Shape& shape) {
    shape.layout->tiles.clear();
    shape.dimensions[minor] = sizes->padded_elements / others;
  });
}

bool DropTiles(Search& search) {
  if (ArrayAsLargeAsAllocation(search)) return true;
  for (size_t t = 0; t < search.best().layout->tiles.size(); ++t) {
    const auto at = static_cast<std::ptrdiff_t>(t);
    if (search.TryChanged([&](Shape& shape) { shape.layout->tiles.erase(shape.layout->tiles.begin() + at); }))
      return true;
    for (size_t e = 0; e < search.best().layout->tiles[t].dimensions.size(); ++e) {
      const auto erase = [&](Shape& shape) {
        std::vector<int64_t>& entries = shape.layout->tiles[t].dimensions;
        entries.erase(entries.begin() + static_cast<std::ptrdiff_t>(e));
      };
      if (search.best().layout->tiles[t].dimensions.size() > 1 && search.TryChanged(erase)) return true;
      if (search.best().layout->tiles[t].dimensions[e] != Tile::kCombineDimension) continue;
      if (search.TryChanged([&](Shape& shape) { shape.layout->tiles[t].dimensions[e] = 1; })) return true;
    }
  }
  return false;
}

bool DropAttributesOneByOne(Search& search) {
  bool dropped = search.TryChanged([](Shape& shape) { shape.element_type = ElementType::kF32; });
  for (const auto& [member, none] : kNumberAttributes) {
    dropped |= search.TryChanged([&](Shape& shape) { (*shape.layout).*member = none; });
  }
  dropped |= search.TryChanged([](Shape& shape) { shape.layout->split_configs.clear(); });
  for (size_t d = 0; d < search.best().dynamic_dimensions.size(); ++d) {
    dropped |= search.TryChanged([&](Shape& shape) { shape.dynamic_dimensions[d] = false; });
  }
  for (size_t k = 0; k < search.best().layout->split_configs.size(); ++k) {
    while (search.best().layout->split_configs[k].split_indices.size() > 1 &&
           search.TryChanged([&](Shape& shape) { shape.layout->split_configs[k].split_indices.pop_back(); })) {
      dropped = true;
    }
  }
  return dropped;
}

bool LowerSizes(Search& search) {
  bool lowered = false;
  for (size_t d = 0; d < search.best().dimensions.size(); ++d) {
    const auto set = [d](Shape& shape, int64_t size) { shape.dimensions[d] = size; };
    lowered |= search.Lower(search.best().dimensions[d], 1, set) ||
               search.TryChanged([&](Shape& shape) { set(shape, 1); }) ||
               search.TryChanged([&](Shape& shape) { set(shape, 0); });
    for (size_t other = d + 1; other < search.best().dimensions.size(); ++other) {
      lowered |= search.TryChanged([&](Shape& shape) { std::swap(shape.dimensions[d], shape.dimensions[other]); });
    }
  }
  return lowered;
}

bool LowerTiles(Search& search) {
  bool lowered = false;
  for (size_t t = 0; t < search.best().layout->tiles.size(); ++t) {
    for (size_t e = 0; e < search.best().layout->tiles[t].dimensions.size(); ++e) {
      const int64_t size = search.best().layout->tiles[t].dimensions[e];
      if (size == Tile::kCombineDimension) continue;
      lowered |=
          search.Lower(size, 1, [&](Shape& shape, int64_t less) { shape.layout->tiles[t].dimensions[e] = less; });
    }
  }
  return lowered;
}

// Lowers all sizes and tiles together, then tries small pairs of a size and a tile, in case only a pair fails.
bool LowerSizeWithTile(Search& search) {
  if (search.TryChanged([](Shape& shape) {
        for (int64_t& size : shape.dimensions) size -= size > 2 ? 1 : 0;
        for (Tile& tile : shape.layout->tiles) {
          for (int64_t& size : tile.dimensions) size -= size > 2 ? 1 : 0;
        }
      })) {
    return true;
  }
  for (size_t t = 0; t < search.best().layout->tiles.size(); ++t) {
    for (size_t e = 0; e < search.best().layout->tiles[t].dimensions.size(); ++e) {
      if (search.best().layout->tiles[t].dimensions[e] <= 2) continue;
      for (size_t d = 0; d < search.best().dimensions.size(); ++d) {
        for (int64_t size = 1; size < std::min<int64_t>(search.best().dimensions[d], 2 * kSmallSizes); ++size) {
          for (int64_t tile = 1; tile < std::min<int64_t>(search.best().layout->tiles[t].dimensions[e], 5); ++tile) {
            if (search.TryChanged([&](Shape& shape) {
                  shape.dimensions[d] = size;
                  shape.layout->tiles[t].dimensions[e] = tile;
                })) {
              return true;
            }
          }
        }
      }
    }
  }
  return false;
}

bool SimplifyOrder(Search& search) {
  std::vector<int64_t> order = MakeDescendingLayout(search.best().rank()).minor_to_major;
  if (order == search.best().layout->minor_to_major) return false;
  // Renumbers the dimensions, which keeps the memory.
  if (search.TryChanged([&](Shape& shape) {
        shape.layout->minor_to_major = order;
        shape.layout->split_configs.clear();
        for (size_t k = 0; k < order.size(); ++k) {
          const auto from = static_cast<size_t>(search.best().layout->minor_to_major[k]);
          shape.dimensions[static_cast<size_t>(order[k])] = search.best().dimensions[from];
          shape.dynamic_dimensions[static_cast<size_t>(order[k])] = search.best().dynamic_dimensions[from];
        }
      })) {
    return true;
  }
  constexpr int64_t kAllOrders = 4;
  if (search.best().rank() > kAllOrders) {
    for (size_t k = 0; k + 1 < order.size(); ++k) {
      if (search.TryChanged(
              [&](Shape& shape) { std::swap(shape.layout->minor_to_major[k], shape.layout->minor_to_major[k + 1]); })) {
        return true;
      }
    }
    return false;
  }
  do {
    if (search.TryChanged([&](Shape& shape) { shape.layout->minor_to_major = order; })) return true;
  } while (std::ranges::prev_permutation(order).found);
  return false;
}

bool LowerAttributes(Search& search) {
  bool lowered = false;
  for (const auto& [member, none] : kNumberAttributes) {
    lowered |= search.Lower((*search.best().layout).*member, none + 1,
                            [&](Shape& shape, int64_t less) { (*shape.layout).*member = less; });
  }
  return lowered;
}

}  // namespace

ShrinkResult ShrinkShape(const Shape& shape, const std::function<bool(const Shape&)>& fails, int64_t max_evaluations) {
  Search search(shape, fails, max_evaluations);
  search.TryChanged([](Shape& changed) {
    changed.element_type = ElementType::kF32;
    changed.dynamic_dimensions.assign(changed.dimensions.size(), false);
    *changed.layout = Layout(changed.layout->minor_to_major, changed.layout->tiles);
  });
  search.TryChanged([](Shape& changed) { changed.layout->tiles.clear(); });
  while (DropDimensions(search) || DropTiles(search) || DropAttributesOneByOne(search) || LowerSizes(search) ||
         LowerTiles(search) || SimplifyOrder(search) || LowerAttributes(search) || LowerSizeWithTile(search)) {
  }
  return {search.best(), search.evaluations()};
}

}  // namespace layoutcheck
