// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/verify/layouts/tiling.h"
#include <algorithm>

namespace layoutcheck::verify {
namespace {

using Polynomials = std::vector<Polynomial>;

struct Digit {
  Polynomial index;
  Polynomial size;
};

// Applies one tile to the digits of definition A.
void ApplyTile(Ring& ring, const std::vector<TileSize>& tile, std::vector<Digit>& digits) {
  if (tile.size() > digits.size()) {
    digits.insert(digits.begin(), tile.size() - digits.size(), {ring.Constant(0), ring.Constant(1)});
  }
  const auto begin = digits.end() - static_cast<std::ptrdiff_t>(tile.size());
  const std::vector<Digit> tiled(begin, digits.end());
  digits.erase(begin, digits.end());
  std::vector<Digit> inner;
  for (size_t k = 0; k < tile.size(); ++k) {
    Digit digit = tiled[k];
    for (; tile[k].combine; ++k) {
      const Digit& next = tiled[k + 1];
      digit = {ring.Sum(ring.Product(digit.index, next.size), next.index), ring.Product(digit.size, next.size)};
    }
    const Polynomial t = tile[k].size;
    digits.push_back({ring.FloorDiv(digit.index, t), ring.CeilDiv(digit.size, t)});
    inner.push_back({ring.Mod(digit.index, t), t});
  }
  digits.insert(digits.end(), inner.begin(), inner.end());
}

// Returns ((x0*s1 + x1)*s2 + x2)..., or 0 for no digits.
Polynomial Linearize(Ring& ring, const Polynomials& sizes, const Polynomials& digits) {
  if (digits.empty()) return ring.Constant(0);
  Polynomial position = digits[0];
  for (size_t d = 1; d < digits.size(); ++d) position = ring.Sum(ring.Product(position, sizes[d]), digits[d]);
  return position;
}

// Returns the digits of a row-major position: (position floordiv product of later sizes) mod size, where the last digit
// needs no quotient and the first one no remainder.
Polynomials Delinearize(Ring& ring, const Polynomials& sizes, Polynomial position) {
  Polynomials digits(sizes.size(), position);
  Polynomial later = ring.Constant(1);
  for (size_t d = sizes.size(); d-- > 0;) {
    const bool is_last = d + 1 == sizes.size();
    if (!is_last) digits[d] = ring.FloorDiv(position, later);
    if (d > 0) digits[d] = ring.Mod(digits[d], sizes[d]);
    later = ring.Product(sizes[d], later);
  }
  return digits;
}

// The sizes that one tile of definition B works on.
struct Reshape {
  Polynomials merged;    // after each run of `*` became one dimension
  Polynomials padded;    // multiples of the tile's sizes
  Polynomials reshaped;  // padded, with count and tile size in place of each multiple
};

Reshape ReshapeOf(Ring& ring, const std::vector<TileSize>& tile, const Polynomials& sizes) {
  const auto prefix = sizes.end() - static_cast<std::ptrdiff_t>(tile.size());
  Reshape result;
  result.merged.assign(sizes.begin(), prefix);
  result.padded = result.reshaped = result.merged;
  for (size_t k = 0; k < tile.size(); ++k) {
    Polynomial size = prefix[static_cast<std::ptrdiff_t>(k)];
    for (; tile[k].combine; ++k) size = ring.Product(size, prefix[static_cast<std::ptrdiff_t>(k) + 1]);
    const Polynomial count = ring.CeilDiv(size, tile[k].size);
    result.merged.push_back(size);
    result.padded.push_back(ring.Product(count, tile[k].size));
    result.reshaped.insert(result.reshaped.end(), {count, tile[k].size});
  }
  return result;
}

// Returns the items with those at odd places behind `prefix` moved to the end.
Polynomials Transposed(const Polynomials& items, size_t prefix) {
  Polynomials result(items.begin(), items.begin() + static_cast<std::ptrdiff_t>(prefix));
  for (size_t k = prefix; k < items.size(); k += 2) result.push_back(items[k]);
  for (size_t k = prefix + 1; k < items.size(); k += 2) result.push_back(items[k]);
  return result;
}

}  // namespace

SizedLayout WithLeadingDimensions(const SizedLayout& layout, Polynomial one) {
  size_t digits = layout.dimensions.size();
  size_t leading = 0;
  for (const std::vector<TileSize>& tile : layout.tiles) {
    if (tile.size() > digits) leading += tile.size() - digits;
    const auto combined = static_cast<size_t>(std::ranges::count(tile, true, &TileSize::combine));
    digits = std::max(digits, tile.size()) + tile.size() - 2 * combined;
  }
  SizedLayout result{Polynomials(leading, one), {}, layout.tiles};
  result.dimensions.insert(result.dimensions.end(), layout.dimensions.begin(), layout.dimensions.end());
  for (size_t d = 0; d < leading; ++d) result.major_to_minor.push_back(d);
  for (const size_t d : layout.major_to_minor) result.major_to_minor.push_back(d + leading);
  return result;
}

Placed ClosedFormula(Ring& ring, const SizedLayout& layout, std::span<const Polynomial> point) {
  std::vector<Digit> digits;
  for (const size_t d : layout.major_to_minor) digits.push_back({point[d], layout.dimensions[d]});
  for (const std::vector<TileSize>& tile : layout.tiles) ApplyTile(ring, tile, digits);
  Placed placed{ring.Constant(0), ring.Constant(1)};
  for (size_t k = digits.size(); k-- > 0;) {
    placed.index = ring.Sum(placed.index, ring.Product(digits[k].index, placed.elements));
    placed.elements = ring.Product(digits[k].size, placed.elements);
  }
  return placed;
}

Polynomial ElementsOf(Ring& ring, const SizedLayout& layout) {
  const Polynomials origin(layout.dimensions.size(), ring.Constant(0));
  return ClosedFormula(ring, layout, origin).elements;
}

Polynomial PadReshapeTranspose(Ring& ring, const SizedLayout& layout, std::span<const Polynomial> point) {
  Polynomials sizes;
  Polynomials at;
  for (const size_t d : layout.major_to_minor) {
    sizes.push_back(layout.dimensions[d]);
    at.push_back(point[d]);
  }
  for (const std::vector<TileSize>& tile : layout.tiles) {
    if (tile.size() > sizes.size()) {
      const size_t missing = tile.size() - sizes.size();
      sizes.insert(sizes.begin(), missing, ring.Constant(1));
      at.insert(at.begin(), missing, ring.Constant(0));
    }
    const size_t prefix = sizes.size() - tile.size();
    const Reshape reshape = ReshapeOf(ring, tile, sizes);
    if (reshape.merged.size() != sizes.size()) at = Delinearize(ring, reshape.merged, Linearize(ring, sizes, at));
    at = Transposed(Delinearize(ring, reshape.reshaped, Linearize(ring, reshape.padded, at)), prefix);
    sizes = Transposed(reshape.reshaped, prefix);
  }
  return Linearize(ring, sizes, at);
}

}  // namespace layoutcheck::verify
