// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The fractal layouts of CATLASS, such as zN:f16[M,N]: where their elements lie, and the XLA layouts that are claimed
// to be the same. Written from docs/certificates.md, not from core: an error there is noticed here.
#pragma once

#include <expected>
#include <span>
#include <string>
#include <string_view>
#include "layoutcheck/verify/layouts/layout.h"
#include "layoutcheck/verify/layouts/tiling.h"

namespace layoutcheck::verify {

// Reads an array shape with a layout, or a fractal layout as the XLA layout that is claimed to be the same. The error
// says what was expected.
std::expected<Layout, std::string> ReadTiledOrFractal(std::string_view text);

// Returns the offset of the element at the point of a fractal layout with these sizes, and its number of places.
Placed PlaceInFractal(Ring& ring, const Fractal& fractal, std::span<const Polynomial> sizes,
                      std::span<const Polynomial> point);

}  // namespace layoutcheck::verify
