// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Layouts whose sizes may be names: f32[M,N]{1,0:T(8,128)}, f32[M,N]{1,0:T(P,Q)}.
#ifndef LAYOUTCHECK_SOLVER_LAYOUT_PROOF_SYMBOLIC_LAYOUT_H_
#define LAYOUTCHECK_SOLVER_LAYOUT_PROOF_SYMBOLIC_LAYOUT_H_

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "layoutcheck/core/base/error.h"
#include "layoutcheck/core/shape_stride/tla.h"
#include "layoutcheck/core/tiling/tiled_layout.h"
#include "layoutcheck/solver/terms/term.h"

namespace layoutcheck {

// A size as it stands in the text: a name, or a number where `name` is empty.
struct SymbolicSize {
  std::string name;
  int64_t value = 0;
};

// A fractal layout of CATLASS as its own headers say it; its rows and columns are the dimensions of the array.
struct SymbolicFractal {
  TlaTag tag = TlaTag::kRowMajor;
  int64_t c0 = 1;          // FractalColumns of its element type
  bool packs_two = false;  // whether elements have 4 bits
  // A layout of block scales (MxScaleModes, to which the two above mean nothing): whether it is that of B. Text has no
  // notation for it.
  std::optional<bool> scales_of_b = std::nullopt;
};

struct SymbolicLayout {
  std::string text;  // as it was given
  // For a fractal layout: that it is `layout`, the XLA layout of its tag, is to be proved.
  std::optional<SymbolicFractal> fractal = std::nullopt;
  BasicTiledLayout<SymbolicSize> layout;
  std::vector<std::string> names;  // in the order in which the text has them
  int64_t element_bits = 0;        // that one element takes in memory
  // Whether the name is somewhere the size of a tile, so that it stands for the integers >= 1, not >= 0.
  bool IsTileName(const std::string& name) const;
  bool IsDimensionName(const std::string& name) const;
};

// The layout that `text` says: an HLO array shape with a layout in which any dimension and any tile size may be a name
// ([A-Za-z_][A-Za-z0-9_]*, at most 18 letters; not i0, i1, ..., d0, d1, ..., which are the index and the dimensions),
// or a fractal layout, zN:f16[M,N], likewise. Errors: those of ParseShape and TiledLayoutOf, or of ParseFractalLayout
// and HloOfFractal, with the column in `text`.
Expected<SymbolicLayout> ParseSymbolicLayout(std::string_view text);

// The layout over terms: names are variables, except those that `values` gives a number.
BasicTiledLayout<Term> ToTerms(const BasicTiledLayout<SymbolicSize>& layout, TermContext& terms,
                               const std::map<std::string, int64_t>& values = {});
// The layout over numbers. Requires a value for every name.
TiledLayout ToNumbers(const BasicTiledLayout<SymbolicSize>& layout, const std::map<std::string, int64_t>& values);

}  // namespace layoutcheck

#endif  // LAYOUTCHECK_SOLVER_LAYOUT_PROOF_SYMBOLIC_LAYOUT_H_
