// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Views of layouts in any notation: "zN:f16[20,40]@[5:12,7:14]".
#pragma once

#include <memory>
#include <string_view>
#include "layoutcheck/cli/notations/notation.h"

namespace layoutcheck {

// One line of the program's help.
inline constexpr std::string_view kViewExample = "zN:f16[20,40]@[5:12,7:14]";
inline constexpr std::string_view kViewDescription = "a view: begin:end per mode, `_`, or an index";

// Returns true if the text, valid or not, is meant as a view.
bool IsViewText(std::string_view text);
// Reads a view, which may be one of a view. The canonical text names one view of the layout. Errors: as of ReadLayout
// and ParseView, with columns in the whole text.
Expected<std::unique_ptr<AnyLayout>> ReadViewLayout(std::string_view text);

}  // namespace layoutcheck
