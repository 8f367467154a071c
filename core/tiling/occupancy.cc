// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/core/tiling/occupancy.h"
#include <algorithm>
#include <cstddef>
#include <numeric>
#include "layoutcheck/core/base/integer.h"
#include "layoutcheck/core/tiling/address_walk.h"
#include "layoutcheck/core/tiling/mixed_radix.h"
#include "layoutcheck/core/tiling/sizes.h"
#include "layoutcheck/core/tiling/tiled_layout.h"

namespace layoutcheck {
namespace {

// Returns the number of leading digits of the address that no tile pads, merges or covers a second time, so that the
// rest of the address says by itself whether it holds an element.
size_t FreeDigits(const TiledLayout& layout) {
  std::vector<int64_t> sizes;  // of the digits before the present tile, major to minor; the free ones are at the front
  for (int64_t p = 0; p < layout.rank(); ++p) {
    sizes.push_back(layout.dimensions[static_cast<size_t>(layout.Major(p))]);
  }
  size_t free = sizes.size();
  size_t digits = sizes.size();
  for (size_t t = 0; t < layout.tiles.size(); ++t) {
    const auto& tile = layout.tiles[t];
    if (tile.size() > digits) return 0;
    const size_t covered_from = digits - tile.size();
    const auto combined =
        static_cast<size_t>(std::ranges::count_if(tile, [](const auto& entry) { return entry.combine; }));
    free = std::min(free, covered_from);
    digits = covered_from + 2 * (tile.size() - combined);
    if (t > 0 || free < covered_from) continue;
    // The quotient of a size that the first tile divides is free, too, as long as it is in front.
    for (size_t k = 0; k < tile.size() && !tile[k].combine && sizes[covered_from + k] % tile[k].size == 0; ++k) ++free;
  }
  return free;
}

// Walks over the addresses of one allocation.
class Allocation {
 public:
  static Expected<Allocation> Create(const Shape& shape) {
    LAYOUTCHECK_TRY(const auto sizes, SizesOf(shape));
    return Allocation(shape, *TiledLayoutOf(shape), sizes);
  }

  int64_t bits_per_element() const { return bits_per_element_; }
  // Length after which the pattern of elements and padding repeats, in elements; the whole allocation if it does not.
  int64_t period() const { return period_; }
  int64_t padded_elements() const { return padded_elements_; }
  bool is_full() const { return is_full_; }
  bool HoldsElement(int64_t address) {
    if (is_empty_ || address >= walk_->padded_elements()) return false;
    walk_->MoveTo(address);
    return !walk_->is_padding();
  }
  std::vector<int64_t> Coordinate() const { return {walk_->index().begin(), walk_->index().end()}; }

 private:
  Allocation(const Shape& shape, const TiledLayout& layout, const LayoutSizes& sizes)
      : bits_per_element_(ElementSizeInBits(shape)),
        padded_elements_(sizes.padded_elements),
        period_(sizes.padded_elements),
        is_empty_(sizes.elements == 0),
        is_full_(sizes.elements == sizes.padded_elements) {
    if (is_empty_) return;
    const MixedRadix<int64_t> chain(layout);
    walk_.emplace(chain);
    if (chain.padded_elements() != padded_elements_) return;  // L(n) pads the end alone
    const size_t free = FreeDigits(layout);
    for (size_t k = 0; k < free; ++k) period_ /= chain.expanded_sizes()[k];
  }

  int64_t bits_per_element_;
  int64_t padded_elements_;
  int64_t period_;
  bool is_empty_;
  bool is_full_;
  std::optional<AddressWalk> walk_;
};

}  // namespace

Expected<std::optional<OccupancyDifference>> FindOccupancyDifference(const Shape& a, const Shape& b) {
  LAYOUTCHECK_TRY(auto first, Allocation::Create(a));
  LAYOUTCHECK_TRY(auto second, Allocation::Create(b));
  if (!a.layout->split_configs.empty() || !b.layout->split_configs.empty()) {
    return ArgumentError("split configs have no order of addresses");
  }
  const auto bits_of = [](const Allocation& allocation) {
    return CheckedInt64(allocation.padded_elements()) * allocation.bits_per_element();
  };
  const CheckedInt64 bits = bits_of(first);
  if (bits.overflow) return OverflowError("the number of bits does not fit into int64");
  if (bits_of(second).overflow || bits.value != bits_of(second).value) {
    return ArgumentError("the allocations have different sizes");
  }
  const int64_t unit = std::gcd(first.bits_per_element(), second.bits_per_element());
  const int64_t per_a = first.bits_per_element() / unit;
  const int64_t per_b = second.bits_per_element() / unit;
  int64_t units = bits.value / unit;
  // Both patterns repeat after the least common multiple of their periods.
  const int64_t period_a = first.period() * per_a;
  const int64_t period_b = second.period() * per_b;
  if (period_a > 0 && period_b > 0) {
    const CheckedInt64 common = CheckedInt64(period_a / std::gcd(period_a, period_b)) * period_b;
    if (!common.overflow) units = std::min(units, common.value);
  }
  std::optional<OccupancyDifference> unseen;
  const bool is_full = first.is_full();  // then nobody reads padding
  for (int64_t u = 0; u < std::min(units, kMaxComparedPlaces) && !(is_full && unseen); ++u) {
    const bool in_a = first.HoldsElement(u / per_a);
    if (in_a == second.HoldsElement(u / per_b)) continue;
    if (!in_a) return OccupancyDifference{u * unit, false, second.Coordinate()};
    if (!unseen) unseen = OccupancyDifference{u * unit, true, first.Coordinate()};
  }
  if (units > kMaxComparedPlaces && !(is_full && unseen)) {
    return UnsupportedError("no element in the place of padding in the first ", kMaxComparedPlaces, " of ", units,
                            " places");
  }
  return unseen;
}

}  // namespace layoutcheck
