// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The fragments of matrices that lanes hold for instructions of PTX, by name, as layouts from the number of a lane's
// element (`register`), the lane and, of a warpgroup, the warp to the row and column of the matrix:
//
//     fragment = "mma.m" size "n" size "k" size "." type "." ( "A" | "B" | "C" | "D" )     mma.m16n8k16.f16.A
//              | "wgmma.m64n" size "k" size "." type "." ( "A" | "D" )                     wgmma.m64n128k16.f16.D
//              | "ldmatrix." count [ ".trans" | ".addresses" ]                             ldmatrix.x4.trans
//              | "stmatrix." count [ ".trans" | ".addresses" ]
//              | "stmatrix.m16n8." count ( ".trans" | ".addresses" )
//              | "tcgen05." ( "ld" | "st" ) "." shape "." repetitions                      tcgen05.ld.16x64b.x2
//     count    = "x1" | "x2" | "x4"
//
// The type is that of the elements of A and B. Element i of a lane is what PTX calls a<i>, b<i>, c<i> or d<i>. The
// matrices of ldmatrix and stmatrix are 8 rows of 8 elements of 16 bits each, with m16n8 of 16 elements of 8 bits, and
// lie below each other, so that row r is the one whose address lane r gives; `.addresses` goes from the lane to the
// first element of that row. Rows and columns of tcgen05 are the lanes of tensor memory, from the first one that the
// warp accesses, and its columns of 32 bits.
#pragma once

#include <string_view>
#include <variant>
#include "layoutcheck/core/base/error.h"
#include "layoutcheck/core/linear/linear_layout.h"
#include "layoutcheck/core/shape_stride/shape_stride_layout.h"

namespace layoutcheck {

// Strides stand for D of wgmma if n is no power of two, so that it is not linear over bits: they go from register, lane
// and warp to the row-major matrix.
using FragmentLayout = std::variant<LinearLayout, ShapeStrideLayout>;

// Returns true if the text looks like the name of a fragment. Checks only the first characters.
bool IsFragmentName(std::string_view text);

// Returns the layout of a name. Errors (syntax): no such shape, type or operand, with the column.
Expected<FragmentLayout> ParseFragmentName(std::string_view text);

}  // namespace layoutcheck
