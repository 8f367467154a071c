// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The notation of CATLASS's layouts by tag:
//
//     fractal = tag [ "<" block { "," block } ">" ] ":" element_type "[" size { "," size } "]"
//
// such as "zN:f16[20,40]", "NC1HWC0:f16[2,20,5,7]" and "PaddingRowMajor<64,128>:f16[100,200]". The sizes are those of
// the array in elements, one per dimension of the tag (kTagOrders), and the blocks those of its fractals.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>
#include "layoutcheck/core/base/error.h"
#include "layoutcheck/core/hlo/element_type.h"
#include "layoutcheck/core/shape_stride/shape_stride_layout.h"
#include "layoutcheck/core/shape_stride/tla.h"

namespace layoutcheck {

struct FractalLayout {
  TlaTag tag = TlaTag::kRowMajor;
  ElementType element_type = ElementType::kF16;
  std::vector<int64_t> sizes;   // one per dimension; VectorLayout may have a number of rows before it, which it ignores
  std::vector<int64_t> blocks;  // one per dimension that is cut, or empty for the tag's own

  bool operator==(const FractalLayout&) const = default;
};

// A tag with the sizes of its blocks, such as "zN<8,4>".
struct BlockedTag {
  TlaTag tag = TlaTag::kRowMajor;
  std::vector<int64_t> blocks;  // one per dimension that is cut, or empty for the tag's own
};

// Parses a tag, with the sizes of its blocks or without. Error: syntax.
Expected<BlockedTag> ParseBlockedTag(std::string_view text);
// Returns true if the text looks like this notation. Checks only the first characters.
bool IsFractalText(std::string_view text);
// Parses a whole text. Errors: syntax, with the column; an element type of a width without fractals, another
// number of sizes or blocks than the tag has (invalid layout).
Expected<FractalLayout> ParseFractalLayout(std::string_view text);
// Returns the text, e.g. "zN:f16[20,40]".
std::string ToString(const FractalLayout& fractal);
// Returns the bits of one stored element; pred takes a byte. Error: a width other than 4, 8, 16, 32 or 64.
Expected<int64_t> FractalElementBits(ElementType type);
// Returns the sizes that the layout depends on, one per dimension.
std::vector<int64_t> SizesOf(const FractalLayout& fractal);
Expected<ShapeStrideLayout> ShapeStrideOf(const FractalLayout& fractal);

}  // namespace layoutcheck
