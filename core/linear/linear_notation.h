// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Texts that mean a linear layout.
#pragma once

#include <string_view>
#include "layoutcheck/core/base/error.h"
#include "layoutcheck/core/linear/linear_layout.h"

namespace layoutcheck {

// Returns true if the text looks like `ll{...}` or an attribute of Triton. Checks only the first characters.
bool IsLinearNotation(std::string_view text);

// Reads `ll{...} -> [...]`, an attribute of Triton with its shape, or a shape:stride layout. Errors: those of
// ParseLinearLayout, ParseTritonLayout and ParseComposedLayout; strides that are not linear over bits (unsupported).
Expected<LinearLayout> ReadLinearLayout(std::string_view text);

}  // namespace layoutcheck
