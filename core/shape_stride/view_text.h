// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The text of views: a suffix of a layout's text, as in "zN:f16[20,40]@[5:12,7:14]".
//
//     view  = layout "@[" range { "," range } "]"      a layout may be a view itself
//     range = [ begin ] ":" [ end ]                    Python's half-open ranges: from 0, up to the extent
//           | "_"                                      the whole mode
//           | index                                    fixes the mode, which the view then does not have
//
// A range may end beyond the extent, as that of a last tile does. Blanks may stand between tokens.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include "layoutcheck/core/base/error.h"
#include "layoutcheck/core/shape_stride/view.h"

namespace layoutcheck {

// Returns the place of the '@' of the last view in the text, or npos if the text is not meant as a view.
size_t FindView(std::string_view text);
// Parses the view that begins at `at` in the text, of an array with these extents. Errors: syntax, with the column in
// the whole text; another number of ranges than extents, a range that ends before it begins, an index outside of its
// mode (invalid layout).
Expected<View> ParseView(std::string_view text, size_t at, std::span<const int64_t> extents);
// Returns the suffix, such as "@[5:12,7:14]" or "@[0:8,3]".
std::string ToString(const View& view);

}  // namespace layoutcheck
