// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Shrinks a failing layout that was drawn from a pattern, and tells which tilings show its failure.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include "layoutcheck/core/hlo/shape.h"
#include "layoutcheck/properties/generate/draw_case.h"

namespace layoutcheck {

struct ShrunkCase {
  Shape shape;
  std::string text;  // the layout in the notation of its pattern, or the shape in HLO notation
};

// Returns the simplest failing layout found by ShrinkShape, in the notation of its pattern if it can be written so. It
// is a layout of the pattern with the smallest values if the pattern is to be kept, or if all of the tiles of a fractal
// or shape:stride layout are needed.
ShrunkCase ShrinkCase(const DrawnCase& drawn, const std::function<bool(const Shape&)>& fails, int64_t max_evaluations);

// Tries some common tilings, and the other tags of a fractal, in place of those of a layout that was shrunk from
// `drawn`; sizes are as they are, and one past a tile. Returns "with any tile ...", "only with T(8,128)(2,1) ..." or
// "with T(8,128), ...", with the number of tilings tried, or an empty text for a layout without tiles.
std::string DescribeTilings(const ShrunkCase& shrunk, const Shape& drawn,
                            const std::function<bool(const Shape&)>& fails);

}  // namespace layoutcheck
