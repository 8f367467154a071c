// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The laws that can be proved for all sizes of a tiled layout.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string_view>
#include "layoutcheck/core/tiling/tiling_laws.h"

namespace layoutcheck {

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
