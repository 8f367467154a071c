// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Shape:stride layouts whose sizes and strides may be names, (M,N):(N,1), as formulas over bounded indices.
#pragma once

#include <string>
#include <string_view>
#include <vector>
#include "layoutcheck/core/base/error.h"
#include "layoutcheck/solver/certificate/proof_result.h"
#include "layoutcheck/solver/certificate/prove_options.h"
#include "layoutcheck/solver/formula_proof/formula_question.h"

namespace layoutcheck {

// A shape:stride layout as texts of formulas. There is one index per mode; a nested mode splits it, first integer
// fastest.
struct StridedFormula {
  std::string over;                  // bounds of the indices, "i0 < M, i1 < 4 * N"
  std::string offset;                // "i0 * N + i1 mod 4 + i1 floordiv 4 * K"
  std::string size;                  // number of elements
  std::vector<std::string> extents;  // number of elements per mode
  std::vector<std::string> names;    // without repetition, in the order of the text
};

// Returns true for i0, i1, ..., which are an index, d0, ..., which are dimensions, and, because injective has a second
// index, j0, ...
bool IsReservedName(std::string_view name);

// Returns true if the text looks like a shape:stride layout: a tuple or one integer, then a colon. A swizzle or an
// offset before it makes it false.
bool IsStridedText(std::string_view text);

// Returns true if it is one with a name, and not only numbers.
bool IsNamedStridedText(std::string_view text);

// Parses a layout whose integers are formulas over names. Errors: syntax, with the column; shape and stride that differ
// in structure (invalid layout); i0, d0 and the like as names.
Expected<StridedFormula> ReadStridedFormula(std::string_view text);

// Returns the request with the layout, if it is one of shape:stride, in place of its texts: the bounds in `over` and,
// unless they are given, `equals`. Errors: those of ReadStridedFormula; a name that the layout does not have.
Expected<FormulaRequest> WithStridedFormula(FormulaRequest request);

// Proves or refutes the laws injective, in-bounds (no offset is below 0), onto and inverse with these names, or all,
// for all values of the layout's names. Inverse holds where injective does. Onto is proved from injective, where no
// offset is as large as the number of elements, and refuted at small values of the names. Errors: those of
// ReadStridedFormula; an unknown law (invalid argument).
Expected<std::vector<ProofResult>> ProveStridedFormula(std::string_view text, const std::vector<std::string>& laws,
                                                       const ProveOptions& options = {});

}  // namespace layoutcheck
