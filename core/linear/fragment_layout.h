// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The fragments of matrices that the lanes of a warp hold for the instructions mma and ldmatrix of PTX, by name, as
// layouts from the number of a lane's element (`register`) and the lane to the row and column of the matrix:
//
//     fragment = "mma.m" size "n" size "k" size "." type "." ( "A" | "B" | "C" | "D" )     mma.m16n8k16.f16.A
//              | "ldmatrix." ( "x1" | "x2" | "x4" ) [ ".trans" | ".addresses" ]            ldmatrix.x4.trans
//
// The type is that of the elements of A and B. Element i of a lane is what PTX calls a<i>, b<i> or c<i>. The matrices
// of ldmatrix are 8 rows of 8 elements of 16 bits each and lie below each other, so that row r is the one whose address
// lane r gives; `.addresses` goes from the lane to the first element of that row.
#pragma once

#include <string_view>
#include "layoutcheck/core/base/error.h"
#include "layoutcheck/core/linear/linear_layout.h"

namespace layoutcheck {

// Returns true if the text looks like the name of a fragment. Checks only the first characters.
bool IsFragmentName(std::string_view text);

// Returns the layout of a name. Errors (syntax): no such shape, type or operand, with the column.
Expected<LinearLayout> ParseFragmentName(std::string_view text);

}  // namespace layoutcheck
