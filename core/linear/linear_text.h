// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The text of linear layouts: `ll{register:[1,2],lane:[4,8,16],warp:[]} -> [32]`.
//
//     layout = "ll" "{" [ input { "," input } ] "}" "->" "[" [ output { "," output } ] "]"
//     input  = name ":" "[" [ image { "," image } ] "]"      one image per bit of the input, lowest bit first
//     image  = integer | "(" [ integer { "," integer } ] ")"  one integer per output; an integer alone for one output
//     output = [ name ":" ] size                              a power of two; the names are dim0, dim1, ... otherwise
//
// Blanks may stand between tokens. The canonical text has no blanks but those around the arrow, no default names, and
// parentheses unless there is one output.
#pragma once

#include <string>
#include <string_view>
#include "layoutcheck/core/base/error.h"
#include "layoutcheck/core/linear/linear_layout.h"

namespace layoutcheck {

// Returns true if the text looks like one of a linear layout. Checks only the first characters.
bool IsLinearText(std::string_view text);

// Parses a whole text. Errors: syntax, with the column; an image outside the outputs, a name that occurs twice, or too
// many bits (invalid layout), with the column of what is wrong.
Expected<LinearLayout> ParseLinearLayout(std::string_view text);

// Returns the canonical text.
std::string ToString(const LinearLayout& layout);

}  // namespace layoutcheck
