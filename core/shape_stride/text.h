// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The text of shape:stride layouts, coordinates, tilers and swizzles.
//
//     layout   = tuple ":" tuple
//     tuple    = leaf | "(" ")" | "(" tuple { "," tuple } [ "," ] ")"
//     leaf     = [ "_" ] integer { "@" position }       integer = [ "-" ] digits; `_-3` is a static -3
//     composed = [ swizzle o ] [ offset o ] layout       "Sw<" B "," M "," S ">" or "S<...>"; `o` may have blanks
//     offset   = integer | "smem_ptr[" bits "b](" text ")"   a pointer, as CuTe prints it: the swizzle is one of bytes
//     tiler    = layout | integer | "_" | "(" tiler { "," tiler } ")" | "<" tiler { (";" | ",") tiler } ">"
//
// Blanks may stand between tokens. `(4)` and `(4,)` are a tuple of one integer; `4` is the integer. A basis has its
// innermost position first (`1@1@0`). Errors have the column and what was expected. Nesting deeper than
// IntTuple::kMaxTextDepth is an error.
#pragma once

#include <string_view>
#include "layoutcheck/core/base/error.h"
#include "layoutcheck/core/shape_stride/composed_layout.h"
#include "layoutcheck/core/shape_stride/int_tuple.h"
#include "layoutcheck/core/shape_stride/shape_stride_layout.h"
#include "layoutcheck/core/shape_stride/swizzle.h"

namespace layoutcheck {

// Returns true if the text looks like a shape:stride layout, composed or not, by its first characters. After an empty
// tuple, it needs a colon before any bracket.
bool IsShapeStrideText(std::string_view text);

// Parse a whole text. Errors: syntax, with the column; for layouts also those of ValidateLayout (invalid layout).
Expected<IntTuple> ParseIntTuple(std::string_view text);
Expected<ShapeStrideLayout> ParseShapeStrideLayout(std::string_view text);
Expected<Swizzle> ParseSwizzle(std::string_view text);
Expected<ComposedLayout> ParseComposedLayout(std::string_view text);
Expected<Tiler> ParseTiler(std::string_view text);

}  // namespace layoutcheck
