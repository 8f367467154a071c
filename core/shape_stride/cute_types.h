// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The types of CuTe's layouts as C++ and its compilers write them.
//
//     layout   = "Layout<" tuple "," tuple ">"
//              | "ComposedLayout<" swizzle "," offset "," layout ">"
//     swizzle  = "Swizzle<" B "," M "," S ">"
//     offset   = integer | "smem_ptr_flag" | "smem_ptr_flag_bits<" bits ">"    the swizzle is then one of bytes
//     tuple    = integer | name "<" [ tuple { "," tuple } ] ">"
//     integer  = number | "_" number | "Int<" number ">" | "C<" number ">"
//
// The name of a tuple is Shape, Stride, Coord, Step, Tile or tuple.
// Each name may have "cute::" before it, and blanks and line breaks may stand between tokens. All integers but bare
// numbers are static. Errors have the column and what was expected; nesting is limited as in text.h.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include "layoutcheck/core/base/error.h"
#include "layoutcheck/core/shape_stride/composed_layout.h"
#include "layoutcheck/core/shape_stride/int_tuple.h"
#include "layoutcheck/core/shape_stride/swizzle.h"

namespace layoutcheck {

// Return true if the text looks like such a layout or tuple by its first name.
bool IsCuteLayoutType(std::string_view text);
bool IsCuteTupleType(std::string_view text);

// Parse a whole text. Errors: syntax; for layouts also those of ValidateComposedLayout (invalid layout).
Expected<ComposedLayout> ParseCuteLayoutType(std::string_view text);
Expected<IntTuple> ParseCuteTupleType(std::string_view text);

// Returns the layout of a type in the notation of text.h, and any other text unchanged. Errors: those of
// ParseCuteLayoutType.
Expected<std::string> WithoutCuteTypes(std::string_view text);

// Returns a swizzle of bytes as one of elements of so many bits, a power of two. Error (invalid argument): it moves
// bits within an element.
Expected<Swizzle> SwizzleOfElements(const Swizzle& of_bytes, int64_t bits);

}  // namespace layoutcheck
