// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The tuples of a shape:stride layout whose integers are formulas over names.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>
#include "layoutcheck/core/base/error.h"
#include "layoutcheck/core/formula/formula.h"
#include "layoutcheck/solver/formula_laws/strided_formula.h"

namespace layoutcheck {

// An integer of a shape or stride: a formula and its text.
struct StridedEntry {
  std::string text;
  Formula formula;
};

// A tuple, or one entry if `parts` is empty and `entry` is set.
struct StridedTuple {
  std::optional<StridedEntry> entry;
  std::vector<StridedTuple> parts;
};

// Parses the shape and the stride of a layout such as (M,N):(N,1). Errors: syntax, with the column; i0, d0 and the like
// as names.
Expected<std::pair<StridedTuple, StridedTuple>> ReadStridedTuples(std::string_view text);

// Returns the formulas of the layout. Errors: a shape and a stride that differ in structure (invalid layout); a number
// of elements that does not fit int64 (overflow).
Expected<StridedFormula> FormulaOfTuples(const StridedTuple& shape, const StridedTuple& stride);

}  // namespace layoutcheck
