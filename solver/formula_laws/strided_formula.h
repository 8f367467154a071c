// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Layouts as formulas over bounded indices: shape:stride layouts whose sizes and strides may be names, (M,N):(N,1),
// also behind a swizzle and an offset, Sw<3,3,3> o 0 o (8,64):(64,1), and layouts in bits, `ll{...} -> [...]`.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>
#include "layoutcheck/core/base/error.h"
#include "layoutcheck/core/formula/formula.h"
#include "layoutcheck/solver/certificate/proof_result.h"
#include "layoutcheck/solver/formula_proof/formula_question.h"

namespace layoutcheck {

// A shape:stride layout as formulas, with one index per mode; a nested mode splits it, first integer fastest.
struct StridedFormula {
  std::string over;                  // bounds of the indices, "i0 < M, i1 < 4 * N"
  std::string offset;                // "i0 * N + i1 mod 4 + i1 floordiv 4 * K"
  std::string size;                  // number of elements
  std::string extent;                // 1 + the largest offset less the smallest one
  std::vector<std::string> extents;  // number of elements per mode
  std::vector<std::string> names;    // names without repetition, in the order of the text
  // Names of sizes that are at most the extent, because their strides are at least 1 where there is an element.
  std::vector<std::string> names_within_extent;
};

// Parses a size or stride in the text of a layout, at this column. Errors: syntax, with the column; the names i0 (of an
// index), d0 (of a dimension), j0 (of the second index of injective) and the like.
Expected<Formula> ParseEntryFormula(std::string_view text, int64_t column);

// Returns true if the text looks like a shape:stride layout without a swizzle or offset: a tuple or integer, then a
// colon.
bool IsStridedText(std::string_view text);

// Returns true if it is one with a name, and not only numbers.
bool IsNamedStridedText(std::string_view text);

// Parses a layout whose integers are formulas over names. All names are >= 0 but `signed_names`. Errors: syntax, with
// the column; shape and stride that differ in structure (invalid layout); i0, d0 and the like as names.
Expected<StridedFormula> ReadStridedFormula(std::string_view text, const std::vector<std::string>& signed_names = {});

// Proves or refutes the laws injective, in-bounds (no offset is below 0), onto and inverse with these names, or all,
// for all values of the layout's names. Inverse holds where injective does. Onto is proved from injective, where no
// offset is as large as the number of elements, and refuted at small values of the names. Errors: those of
// ReadStridedFormula; an unknown law (invalid argument).
Expected<std::vector<ProofResult>> ProveStridedFormula(std::string_view text, const std::vector<std::string>& laws,
                                                       const ProveOptions& options = {});

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

// Parses the shape and the stride of a layout such as (M,N):(N,1). Errors: syntax, with the column; i0 or d0 as a name.
Expected<std::pair<StridedTuple, StridedTuple>> ReadStridedTuples(std::string_view text);

// Returns the formulas of the layout. All names are >= 0 but `signed_names`. Errors: a shape and a stride that differ
// in structure (invalid layout); a number of elements that does not fit int64 (overflow).
Expected<StridedFormula> FormulaOfTuples(const StridedTuple& shape, const StridedTuple& stride,
                                         const std::vector<std::string>& signed_names = {});

// Returns true if the text looks like a shape:stride layout, also behind a swizzle or offset, or like one in bits.
bool IsOffsetText(std::string_view text);

// Parses a layout. All names in shape and stride are >= 0 but `signed_names`; swizzle and offset are numbers. The
// indices of a layout in bits are its inputs, in their order; its offset is the linear index of the output, or, if
// there is more than one component, "(F0, F1)" with one formula per output. Behind a swizzle or an offset, the extent
// begins at 0. It ends at the first offset of the last block in which the swizzle exchanges bits. Errors: those of
// ReadStridedFormula, ParseComposedLayout and ReadLinearNotation; another number of components (invalid argument).
Expected<StridedFormula> ReadOffsetFormula(std::string_view text, size_t components = 1,
                                           const std::vector<std::string>& signed_names = {});

// Returns the request with the bounds in `over` and, unless they are given, the offset in `equals` in place of a layout
// that IsOffsetText; another request as it is. Sets `extent` and, for a plain shape:stride layout, `strided`. Errors:
// those of ReadOffsetFormula; `over` beside a layout.
Expected<FormulaRequest> WithOffsetFormula(FormulaRequest request);

}  // namespace layoutcheck
