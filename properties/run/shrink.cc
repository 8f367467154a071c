#include "layoutcheck/properties/run/shrink.h"

#include <algorithm>
#include <array>
#include <limits>
#include <numeric>
#include <utility>
#include <vector>

#include "layoutcheck/core/hlo/validate.h"
#include "layoutcheck/core/tiling/sizes.h"

namespace layoutcheck {
namespace {

// Smaller than this a number is looked for one by one, larger by bisection: failing is seldom monotone in small sizes.
constexpr int64_t kOneByOne = 9;

uint64_t AddUpTo(uint64_t sum, int64_t number) {
  const uint64_t most = std::numeric_limits<uint64_t>::max();
  const auto added = static_cast<uint64_t>(number);
  return sum > most - added ? most : sum + added;
}

// What the order of simplicity compares, most important first. Equal keys are equal layouts but for how sizes and
// attributes are distributed.
struct Simplicity {
  std::array<uint64_t, 8> counts{};
  std::vector<int64_t> order;  // distance of each entry of minor_to_major from row major
  std::vector<int64_t> sizes;
  std::vector<Tile> tiles;

  explicit Simplicity(const Shape& shape) : sizes(shape.dimensions), tiles(shape.layout->tiles) {
    const Layout& layout = *shape.layout;
    auto& [rank, tile_count, entries, combined, attributes, size_sum, tile_sum, attribute_sum] = counts;
    rank = shape.dimensions.size();
    tile_count = tiles.size();
    for (const Tile& tile : tiles) {
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
    attributes = static_cast<uint64_t>(
        (shape.element_type != ElementType::kF32 ? 1 : 0) + (layout.element_size_in_bits != 0 ? 1 : 0) +
        (layout.tail_padding_alignment_in_elements != 1 ? 1 : 0) + (layout.memory_space != 0 ? 1 : 0) +
        (layout.dynamic_shape_metadata_prefix_bytes != 0 ? 1 : 0) + std::ranges::count(shape.dynamic_dimensions, true));
    for (const SplitConfig& split : layout.split_configs) attributes += 1 + split.split_indices.size();
    attribute_sum = static_cast<uint64_t>(layout.tail_padding_alignment_in_elements + layout.memory_space +
                                          layout.dynamic_shape_metadata_prefix_bytes + layout.element_size_in_bits);
    const auto last = static_cast<int64_t>(sizes.size()) - 1;
    for (size_t k = 0; k < sizes.size(); ++k) {
      order.push_back(last - static_cast<int64_t>(k) - layout.minor_to_major[k]);
    }
  }

  bool operator<(const Simplicity& other) const {
    if (counts != other.counts) return counts < other.counts;
    if (order != other.order) return order < other.order;
    if (sizes != other.sizes) return sizes < other.sizes;
    return std::ranges::lexicographical_compare(tiles, other.tiles, {}, &Tile::dimensions, &Tile::dimensions);
  }
};

class Shrinker {
 public:
  Shrinker(const Shape& shape, const std::function<bool(const Shape&)>& fails, int64_t max_evaluations)
      : best_(shape), simplicity_(shape), fails_(fails), budget_(max_evaluations) {}

  ShrinkResult Run() {
    Plainer([](Shape& shape) { DropAttributes(shape); });
    Plainer([](Shape& shape) { shape.layout->tiles.clear(); });
    while (DropDimensions() || DropTiles() || DropAttributesOneByOne() || LowerSizes() || LowerTiles() ||
           SimplifyOrder() || LowerAttributes() || LowerSizeWithTile()) {
    }
    return {best_, evaluations_};
  }

 private:
  static void DropAttributes(Shape& shape) {
    shape.element_type = ElementType::kF32;
    shape.dynamic_dimensions.assign(shape.dimensions.size(), false);
    *shape.layout = Layout(shape.layout->minor_to_major, shape.layout->tiles);
  }

  // Takes the candidate if it is simpler and still fails.
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

  // The same for a changed copy of the best one.
  template <class Change>
  bool Plainer(Change change) {
    Shape candidate = best_;
    change(candidate);
    return Try(candidate);
  }

  static void EraseDimension(Shape& shape, size_t d) {
    const auto at = static_cast<std::ptrdiff_t>(d);
    shape.dimensions.erase(shape.dimensions.begin() + at);
    shape.dynamic_dimensions.erase(shape.dynamic_dimensions.begin() + at);
    shape.layout->split_configs.clear();
    std::vector<int64_t>& order = shape.layout->minor_to_major;
    std::erase(order, static_cast<int64_t>(d));
    for (int64_t& entry : order) entry -= entry > static_cast<int64_t>(d) ? 1 : 0;
  }

  bool DropDimensions() {
    for (size_t d = 0; d < best_.dimensions.size(); ++d) {
      if (Plainer([&](Shape& shape) { EraseDimension(shape, d); })) return true;
      // Its elements may be what matters: they go to another dimension.
      for (size_t other = 0; other < best_.dimensions.size() && best_.dimensions[d] > 1; ++other) {
        int64_t product = 0;
        if (other == d || __builtin_mul_overflow(best_.dimensions[d], best_.dimensions[other], &product)) continue;
        if (Plainer([&](Shape& shape) {
              shape.dimensions[other] = product;
              EraseDimension(shape, d);
            })) {
          return true;
        }
      }
    }
    return false;
  }

  // It may be the size of the allocation that matters: without tiles, the minor-most dimension takes it all.
  bool ArrayAsLargeAsAllocation() {
    const auto sizes = SizesOf(best_);
    if (!sizes || sizes->elements == 0 || best_.layout->tiles.empty() || best_.dimensions.empty()) return false;
    const auto minor = static_cast<size_t>(best_.layout->minor_to_major[0]);
    const int64_t others = sizes->elements / best_.dimensions[minor];
    return Plainer([&](Shape& shape) {
      shape.layout->tiles.clear();
      shape.dimensions[minor] = sizes->padded_elements / others;
    });
  }

  bool DropTiles() {
    if (ArrayAsLargeAsAllocation()) return true;
    for (size_t t = 0; t < best_.layout->tiles.size(); ++t) {
      const auto at = static_cast<std::ptrdiff_t>(t);
      if (Plainer([&](Shape& shape) { shape.layout->tiles.erase(shape.layout->tiles.begin() + at); })) return true;
      for (size_t e = 0; e < best_.layout->tiles[t].dimensions.size(); ++e) {
        const auto erase = [&](Shape& shape) {
          std::vector<int64_t>& entries = shape.layout->tiles[t].dimensions;
          entries.erase(entries.begin() + static_cast<std::ptrdiff_t>(e));
        };
        if (best_.layout->tiles[t].dimensions.size() > 1 && Plainer(erase)) return true;
        if (best_.layout->tiles[t].dimensions[e] != Tile::kCombineDimension) continue;
        if (Plainer([&](Shape& shape) { shape.layout->tiles[t].dimensions[e] = 1; })) return true;
      }
    }
    return false;
  }

  bool DropAttributesOneByOne() {
    bool dropped = Plainer([](Shape& shape) { shape.element_type = ElementType::kF32; });
    dropped |= Plainer([](Shape& shape) { shape.layout->element_size_in_bits = 0; });
    dropped |= Plainer([](Shape& shape) { shape.layout->tail_padding_alignment_in_elements = 1; });
    dropped |= Plainer([](Shape& shape) { shape.layout->memory_space = 0; });
    dropped |= Plainer([](Shape& shape) { shape.layout->dynamic_shape_metadata_prefix_bytes = 0; });
    dropped |= Plainer([](Shape& shape) { shape.layout->split_configs.clear(); });
    for (size_t d = 0; d < best_.dynamic_dimensions.size(); ++d) {
      dropped |= Plainer([&](Shape& shape) { shape.dynamic_dimensions[d] = false; });
    }
    for (size_t k = 0; k < best_.layout->split_configs.size(); ++k) {
      while (best_.layout->split_configs[k].split_indices.size() > 1 &&
             Plainer([&](Shape& shape) { shape.layout->split_configs[k].split_indices.pop_back(); })) {
        dropped = true;
      }
    }
    return dropped;
  }

  // Lowers a number towards `least`; set(shape, number) puts it into a copy.
  template <class Set>
  bool Lower(int64_t number, int64_t least, Set set) {
    const auto try_number = [&](int64_t candidate) { return Plainer([&](Shape& shape) { set(shape, candidate); }); };
    for (int64_t small = least; small < std::min(number, least + kOneByOne); ++small) {
      if (try_number(small)) return true;
    }
    int64_t passes = least + kOneByOne - 1;
    const int64_t before = number;
    while (number - passes > 1) {
      const int64_t middle = passes + (number - passes) / 2;
      (try_number(middle) ? number : passes) = middle;
    }
    return number < before;
  }

  bool LowerSizes() {
    bool lowered = false;
    for (size_t d = 0; d < best_.dimensions.size(); ++d) {
      const auto set = [d](Shape& shape, int64_t size) { shape.dimensions[d] = size; };
      lowered |= Lower(best_.dimensions[d], 1, set) || Plainer([&](Shape& shape) { set(shape, 1); }) ||
                 Plainer([&](Shape& shape) { set(shape, 0); });
      for (size_t other = d + 1; other < best_.dimensions.size(); ++other) {
        lowered |= Plainer([&](Shape& shape) { std::swap(shape.dimensions[d], shape.dimensions[other]); });
      }
    }
    return lowered;
  }

  bool LowerTiles() {
    bool lowered = false;
    for (size_t t = 0; t < best_.layout->tiles.size(); ++t) {
      for (size_t e = 0; e < best_.layout->tiles[t].dimensions.size(); ++e) {
        const int64_t size = best_.layout->tiles[t].dimensions[e];
        if (size == Tile::kCombineDimension) continue;
        lowered |= Lower(size, 1, [&](Shape& shape, int64_t less) { shape.layout->tiles[t].dimensions[e] = less; });
      }
    }
    return lowered;
  }

  // A size and a tile that only fail together: small pairs of them, one by one.
  bool LowerSizeWithTile() {
    // Or all of them together.
    if (Plainer([](Shape& shape) {
          for (int64_t& size : shape.dimensions) size -= size > 2 ? 1 : 0;
          for (Tile& tile : shape.layout->tiles) {
            for (int64_t& size : tile.dimensions) size -= size > 2 ? 1 : 0;
          }
        })) {
      return true;
    }
    for (size_t t = 0; t < best_.layout->tiles.size(); ++t) {
      for (size_t e = 0; e < best_.layout->tiles[t].dimensions.size(); ++e) {
        if (best_.layout->tiles[t].dimensions[e] <= 2) continue;
        for (size_t d = 0; d < best_.dimensions.size(); ++d) {
          for (int64_t size = 1; size < std::min<int64_t>(best_.dimensions[d], 2 * kOneByOne); ++size) {
            for (int64_t tile = 1; tile < std::min<int64_t>(best_.layout->tiles[t].dimensions[e], 5); ++tile) {
              if (Plainer([&](Shape& shape) {
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

  bool SimplifyOrder() {
    std::vector<int64_t> order = MakeDescendingLayout(best_.rank()).minor_to_major;
    if (order == best_.layout->minor_to_major) return false;
    // The same memory with its dimensions renumbered.
    if (Plainer([&](Shape& shape) {
          shape.layout->minor_to_major = order;
          shape.layout->split_configs.clear();
          for (size_t k = 0; k < order.size(); ++k) {
            const auto from = static_cast<size_t>(best_.layout->minor_to_major[k]);
            shape.dimensions[static_cast<size_t>(order[k])] = best_.dimensions[from];
            shape.dynamic_dimensions[static_cast<size_t>(order[k])] = best_.dynamic_dimensions[from];
          }
        })) {
      return true;
    }
    constexpr int64_t kAllOrders = 4;
    if (best_.rank() > kAllOrders) {
      for (size_t k = 0; k + 1 < order.size(); ++k) {
        if (Plainer([&](Shape& shape) {
              std::swap(shape.layout->minor_to_major[k], shape.layout->minor_to_major[k + 1]);
            })) {
          return true;
        }
      }
      return false;
    }
    do {
      if (Plainer([&](Shape& shape) { shape.layout->minor_to_major = order; })) return true;
    } while (std::ranges::prev_permutation(order).found);
    return false;
  }

  bool LowerAttributes() {
    const Layout& layout = *best_.layout;
    bool lowered = Lower(layout.tail_padding_alignment_in_elements, 2,
                         [](Shape& shape, int64_t less) { shape.layout->tail_padding_alignment_in_elements = less; });
    lowered |= Lower(layout.memory_space, 1, [](Shape& shape, int64_t less) { shape.layout->memory_space = less; });
    lowered |= Lower(layout.dynamic_shape_metadata_prefix_bytes, 1,
                     [](Shape& shape, int64_t less) { shape.layout->dynamic_shape_metadata_prefix_bytes = less; });
    lowered |= Lower(layout.element_size_in_bits, 1,
                     [](Shape& shape, int64_t less) { shape.layout->element_size_in_bits = less; });
    return lowered;
  }

  Shape best_;
  Simplicity simplicity_;
  const std::function<bool(const Shape&)>& fails_;
  int64_t budget_;
  int64_t evaluations_ = 0;
};

}  // namespace

ShrinkResult ShrinkShape(const Shape& shape, const std::function<bool(const Shape&)>& fails, int64_t max_evaluations) {
  return Shrinker(shape, fails, max_evaluations).Run();
}

}  // namespace layoutcheck
