// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Style sheets of pictures and pages. On screen they follow the reader's choice of light or dark; on paper they are
// light.
#pragma once

#include <string_view>

namespace layoutcheck {

// Returns the style of SVG pictures. All of its rules are for elements of class `layout`, because the style of an SVG
// in a page applies to the whole page. It uses no variables, which some SVG renderers do not know.
std::string_view SvgStyle();

// Returns the style of a page with headings, tables of facts and pictures.
std::string_view PageStyle();

}  // namespace layoutcheck
