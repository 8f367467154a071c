// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Layouts whose sizes may be names: f32[M,N]{1,0:T(8,128)}, f32[M,N]{1,0:T(P,Q)}, zN:f16[M,N].
#pragma once

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

// A size in the text: a name or, if `name` is empty, a number.
struct SymbolicSize {
  std::string name;
  int64_t value = 0;
};

// A layout of CATLASS by tag as its headers define it. Its sizes are the dimensions of the array.
struct SymbolicFractal {
  TlaTag tag = TlaTag::kRowMajor;
  std::vector<int64_t> blocks;  // BlocksOf the tag
  bool packs_two = false;       // true if elements have 4 bits
  bool has_checkers = false;    // true if the checkers of certificates read the text
  std::string hlo;              // text of the XLA layout, f16[M,N]{0,1:T(16,16)(16,1)}
};

struct SymbolicLayout {
  std::string text;  // as it was given
  // Set for a fractal layout, of which is to be proved that it equals `layout`, the XLA layout of its tag.
  std::optional<SymbolicFractal> fractal = std::nullopt;
  BasicTiledLayout<SymbolicSize> layout;
  std::vector<std::string> names;  // in the order of the text
  int64_t element_bits = 0;        // size of an element in memory, in bits
  // Returns true if the name is the size of a tile, so that it is >= 1 and not only >= 0.
  bool IsTileName(const std::string& name) const;
  bool IsDimensionName(const std::string& name) const;
};

// Parses an HLO array shape with a layout, or a fractal layout such as zN:f16[M,N]. Any dimension and tile size may be
// a name: [A-Za-z_][A-Za-z0-9_]*, at most 18 characters, except i0, i1, ... (the index) and d0, d1, ... (the
// dimensions). Errors: those of ParseShape and TiledLayoutOf, or of ParseFractalLayout and HloOfFractal, with the
// column in `text`.
Expected<SymbolicLayout> ParseSymbolicLayout(std::string_view text);

// Returns the layout over terms. Names are variables, except for those with a number in `values`.
BasicTiledLayout<Term> ToTerms(const BasicTiledLayout<SymbolicSize>& layout, TermContext& terms,
                               const std::map<std::string, int64_t>& values = {});
// Returns the layout over numbers. Requires a value for every name.
TiledLayout ToNumbers(const BasicTiledLayout<SymbolicSize>& layout, const std::map<std::string, int64_t>& values);

}  // namespace layoutcheck
