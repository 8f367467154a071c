// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <string_view>
#include "layoutcheck/core/base/error.h"
#include "layoutcheck/core/hlo/shape.h"

namespace layoutcheck {

// Returns the array that a text in HLO, fractal or shape:stride notation denotes, as an XLA shape with a layout that is
// the same map. The elements of a shape:stride layout are f32. Errors: those of the notation's parser, with the column;
// no array (invalid argument); a layout with a swizzle, an offset or strides that no XLA layout has (unsupported).
Expected<Shape> HloOfText(std::string_view text);

}  // namespace layoutcheck
