// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The three definitions of a tiled layout, over polynomials: closed formula (A), pad-reshape-transpose (B) and
// mixed-radix digits (C). Written from the document of certificates, not from core/tiling: an error there is noticed
// here.
#pragma once

#include <cstddef>
#include <span>
#include <vector>
#include "layoutcheck/verify/layouts/layout.h"
#include "layoutcheck/verify/proof/statement.h"

namespace layoutcheck::verify {

struct TileSize {
  bool combine = false;
  Polynomial size;
};

// A layout whose sizes are polynomials.
struct SizedLayout {
  std::vector<Polynomial> dimensions;
  std::vector<size_t> major_to_minor;
  std::vector<std::vector<TileSize>> tiles;
};

// Returns the layout with polynomial_of(size) for each size.
template <class PolynomialOf>
SizedLayout WithSizes(const Layout& layout, PolynomialOf&& polynomial_of) {
  SizedLayout sized{{}, layout.major_to_minor, {}};
  for (const Size& size : layout.dimensions) sized.dimensions.push_back(polynomial_of(size));
  for (const std::vector<TileEntry>& tile : layout.tiles) {
    std::vector<TileSize>& entries = sized.tiles.emplace_back();
    for (const TileEntry& entry : tile) {
      entries.push_back({entry.combine, entry.combine ? Polynomial() : polynomial_of(entry.size)});
    }
  }
  return sized;
}

// Returns the layout with the dimensions of size 1 that tiles put in front as dimensions of the array.
SizedLayout WithLeadingDimensions(const SizedLayout& layout, Polynomial one);

// The place of an element.
struct Placed {
  Polynomial index;     // linear index
  Polynomial elements;  // number of places of the allocation
};
// Returns the place of the element at a point by definition A.
Placed ClosedFormula(Ring& ring, const SizedLayout& layout, std::span<const Polynomial> point);
// Returns Placed::elements, which does not depend on the point.
Polynomial ElementsOf(Ring& ring, const SizedLayout& layout);

// Returns the linear index of the element at a point by definition B.
Polynomial PadReshapeTranspose(Ring& ring, const SizedLayout& layout, std::span<const Polynomial> point);

}  // namespace layoutcheck::verify
