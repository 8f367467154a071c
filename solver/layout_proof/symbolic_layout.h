// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Layouts whose sizes may be names, f32[M,N]{1,0:T(8,128)}, f32[M,N]{1,0:T(P,Q)}, zN:f16[M,N], and the laws that can be
// proved of them.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>
#include "layoutcheck/core/base/error.h"
#include "layoutcheck/core/base/symbolic_size.h"
#include "layoutcheck/core/shape_stride/tla.h"
#include "layoutcheck/core/tiling/tiled_layout.h"
#include "layoutcheck/core/tiling/tiling_laws.h"
#include "layoutcheck/solver/terms/term.h"

namespace layoutcheck {

// A layout of CATLASS by tag as its headers define it. Its sizes are the dimensions of the array.
struct SymbolicFractal {
  TlaTag tag = TlaTag::kRowMajor;
  std::vector<int64_t> blocks;  // BlocksOf the tag
  bool packs_two = false;       // true if elements have 4 bits
  bool has_checkers = false;    // true if the checkers of certificates read the text
  std::string hlo;              // text of the XLA layout, f16[M,N]{0,1:T(16,16)(16,1)}
};

struct SymbolicLayout {
  std::string text;  // text of the layout, as it was given
  // Set for a fractal layout, of which is to be proved that it equals `layout`, the XLA layout of its tag.
  std::optional<SymbolicFractal> fractal = std::nullopt;
  BasicTiledLayout<SymbolicSize> layout;
  std::vector<std::string> names;  // names in the order of the text
  int64_t element_bits = 0;        // size of an element in memory, in bits
  // Returns true if the name is the size of a tile, so that it is >= 1 and not only >= 0.
  bool IsTileName(const std::string& name) const;
  bool IsDimensionName(const std::string& name) const;
};

// Parses an HLO array shape with a layout, or a fractal layout such as zN:f16[M,N]. Any dimension and tile size may be
// a name: [A-Za-z_][A-Za-z0-9_]*, at most 18 characters, except i0, i1, ... (the index) and d0, d1, ... (the
// dimensions). Errors: those of ParseShape and TiledLayoutOf, or of ParseFractalLayout and HloOfFractal, with the
// column.
Expected<SymbolicLayout> ParseSymbolicLayout(std::string_view text);

// Returns the layout with convert(size) for each size, and 1 in each `*`.
template <class Int, class Convert>
BasicTiledLayout<Int> MapSizes(const BasicTiledLayout<SymbolicSize>& layout, const Convert& convert) {
  BasicTiledLayout<Int> result{{}, layout.minor_to_major, {}};
  for (const SymbolicSize& size : layout.dimensions) result.dimensions.push_back(convert(size));
  for (const auto& tile : layout.tiles) {
    auto& entries = result.tiles.emplace_back();
    for (const auto& entry : tile) entries.push_back({entry.combine, entry.combine ? Int(1) : convert(entry.size)});
  }
  return result;
}
// Returns the layout over terms. Names are variables, except for those with a number in `values`.
BasicTiledLayout<Term> ToTerms(const BasicTiledLayout<SymbolicSize>& layout, TermContext& terms,
                               const std::map<std::string, int64_t>& values = {});
// Returns the layout over numbers. Requires a value for every name.
TiledLayout ToNumbers(const BasicTiledLayout<SymbolicSize>& layout, const std::map<std::string, int64_t>& values);

// Returns the layout's linear index in C, "i0 / 8 * ((N + 127) / 128 * 1024) + ...", over the index and the names of
// the layout; "0" for a scalar. It is recorded while the closed formula of core/tiling/tiled_index.h runs.
std::string LayoutFormula(const SymbolicLayout& layout);

enum class SymbolicLawId : uint8_t {
  kInjective,
  kInBounds,
  kOntoPaddedBox,
  kInverse,
  kPaddingMinimal,
  kEqualsPadReshapeTranspose,
  kEqualsMixedRadix,
  kEqualsHlo,
};

struct SymbolicLaw {
  SymbolicLawId id;
  std::string_view name;
  std::string_view statement;
  std::string_view domain;  // layouts that the law is about, in words
};

inline constexpr std::array<SymbolicLaw, 8> kSymbolicLaws = {{
    {SymbolicLawId::kInjective, kInjectiveLaw.name, kInjectiveLaw.statement, "every layout"},
    {SymbolicLawId::kInBounds, kInBoundsLaw.name, kInBoundsLaw.statement, "every layout"},
    {SymbolicLawId::kOntoPaddedBox, "onto-padded-box",
     "Every offset is that of exactly one point of the padded box: the array with every dimension, and those that a "
     "longer tile puts before it, grown to the multiples of the first tile that tiles it.",
     "every layout"},
    {SymbolicLawId::kInverse, kInverseLaw.name, kInverseLaw.statement, "every layout"},
    {SymbolicLawId::kPaddingMinimal, "padding-minimal",
     "Every tile pads its dimensions to the least multiples of its sizes, by less than one tile.", "every layout"},
    {SymbolicLawId::kEqualsPadReshapeTranspose, kEqualsPadReshapeTransposeLaw.name,
     kEqualsPadReshapeTransposeLaw.statement, "every layout"},
    {SymbolicLawId::kEqualsMixedRadix, "equals-mixed-radix",
     "The closed formula and the mixed-radix digits give every element the same offset, in allocations of one size.",
     "every layout"},
    {SymbolicLawId::kEqualsHlo, "equals-hlo",
     "The fractal layout of CATLASS's headers and its XLA layout give every element the same offset, in allocations "
     "of one size.",
     "fractal layouts"},
}};

// Returns the laws of an XLA layout or of a fractal layout, which also has kEqualsHlo, in the order of SymbolicLawId.
constexpr std::span<const SymbolicLaw> SymbolicLaws(bool is_fractal = false) {
  return std::span(kSymbolicLaws).first(kSymbolicLaws.size() - (is_fractal ? 0 : 1));
}

}  // namespace layoutcheck
