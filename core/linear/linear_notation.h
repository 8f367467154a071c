// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Texts that mean a linear layout: `ll{...} -> [...]`, attributes of Triton, and layouts that have a name.
#pragma once

#include <string_view>
#include <variant>
#include "layoutcheck/core/base/error.h"
#include "layoutcheck/core/linear/linear_layout.h"
#include "layoutcheck/core/shape_stride/shape_stride_layout.h"

namespace layoutcheck {

// Returns true if the text looks like one for ReadLinearNotation. Checks only the first characters.
bool IsLinearNotation(std::string_view text);

// Reads `ll{...} -> [...]`, an attribute of Triton with its shape, the name of a fragment or of scale factors. A padded
// attribute and scale factors are strides, of which not all are linear over bits. Errors: those of ParseLinearLayout,
// ParseTritonLayout, ParseFragmentName and ParseScaleFactors.
Expected<std::variant<LinearLayout, ShapeStrideLayout>> ReadLinearNotation(std::string_view text);

// Reads a text of ReadLinearNotation or a shape:stride layout. Errors: those of ReadLinearNotation and
// ParseComposedLayout; strides that are not linear over bits (unsupported).
Expected<LinearLayout> ReadLinearLayout(std::string_view text);

}  // namespace layoutcheck
