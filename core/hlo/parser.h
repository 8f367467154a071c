// Reading the text of shapes and layouts: the strict grammar of HLO.
#ifndef LAYOUTCHECK_CORE_HLO_PARSER_H_
#define LAYOUTCHECK_CORE_HLO_PARSER_H_

#include <cstdint>
#include <string_view>

#include "layoutcheck/core/base/error.h"
#include "layoutcheck/core/hlo/layout.h"
#include "layoutcheck/core/hlo/shape.h"

namespace layoutcheck {

struct ParseOptions {
  // Arrays without a layout in the text get the default one (row major).
  bool fill_missing_layouts = true;
  // Check the result with ValidateShape. Off, only the grammar is enforced.
  bool validate = true;
  // Nesting of tuples and buffers; deeper text is a syntax error.
  int64_t max_recursion_depth = 8192;
};

// The shape that the whole text says, e.g. "(f32[2,3]{1,0:T(8,128)}, token[])". Errors: kSyntax with a column, or
// kInvalidLayout where the text is well formed but breaks a validation rule.
Expected<Shape> ParseShape(std::string_view text, const ParseOptions& options = {});

// The layout that the whole text says, e.g. "{1,0:T(8,128)(2,1)S(1)}". Without a shape its values are not validated.
Expected<Layout> ParseLayout(std::string_view text);

}  // namespace layoutcheck

#endif  // LAYOUTCHECK_CORE_HLO_PARSER_H_
