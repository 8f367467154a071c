// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Parses the text of shapes and layouts by the strict grammar of HLO.
#pragma once

#include <cstdint>
#include <string_view>
#include "layoutcheck/core/base/error.h"
#include "layoutcheck/core/hlo/layout.h"
#include "layoutcheck/core/hlo/shape.h"

namespace layoutcheck {

struct ParseOptions {
  // Gives arrays without a layout in the text the default one, which is row major.
  bool fill_missing_layouts = true;
  // Checks the result with ValidateShape. Otherwise, only the grammar is enforced.
  bool validate = true;
  // The deepest accepted nesting of tuples and buffers.
  int64_t max_recursion_depth = 8192;
};

// Parses the whole text as a shape, e.g. "(f32[2,3]{1,0:T(8,128)}, token[])". Errors, with a column: kSyntax, or
// kInvalidLayout if the text is well formed but breaks a rule of validate.h.
Expected<Shape> ParseShape(std::string_view text, const ParseOptions& options = {});

// Parses the whole text as a layout, e.g. "{1,0:T(8,128)(2,1)S(1)}". Does not validate it, because that takes a shape.
Expected<Layout> ParseLayout(std::string_view text);

}  // namespace layoutcheck
