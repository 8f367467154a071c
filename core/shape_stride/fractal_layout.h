// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The notation of CATLASS TLA's fractal layouts, as in "zN:f16[20,40]".
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include "layoutcheck/core/base/error.h"
#include "layoutcheck/core/hlo/element_type.h"
#include "layoutcheck/core/shape_stride/shape_stride_layout.h"
#include "layoutcheck/core/shape_stride/tla.h"

namespace layoutcheck {

// A tag, an element type, and the sizes of the matrix in elements.
struct FractalLayout {
  TlaTag tag = TlaTag::kRowMajor;
  ElementType element_type = ElementType::kF16;
  int64_t rows = 0;
  int64_t columns = 0;

  bool operator==(const FractalLayout&) const = default;
};

// Returns true if the text looks like this notation. Checks only the first characters.
bool IsFractalText(std::string_view text);
// Parses a whole text. Errors: syntax, with the column; an element type of a width without fractals (invalid layout).
Expected<FractalLayout> ParseFractalLayout(std::string_view text);
// Returns the text, e.g. "zN:f16[20,40]".
std::string ToString(const FractalLayout& fractal);
// Returns the bits of one stored element; pred takes a byte. Error: a width other than 4, 8, 16, 32 or 64.
Expected<int64_t> FractalElementBits(ElementType type);
Expected<ShapeStrideLayout> ShapeStrideOf(const FractalLayout& fractal);

}  // namespace layoutcheck
