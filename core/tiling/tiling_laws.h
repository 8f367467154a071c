// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The laws of tiled layouts that are both tested (`check`) and proved (`prove`): one name and one sentence per law.
#pragma once

#include <string_view>

namespace layoutcheck {

struct TilingLaw {
  std::string_view name;
  std::string_view statement;
};

inline constexpr TilingLaw kInjectiveLaw = {"injective", "No two elements share an offset."};
inline constexpr TilingLaw kInBoundsLaw = {"in-bounds",
                                           "Every element lies inside the allocation: 0 <= offset < padded elements."};
inline constexpr TilingLaw kInverseLaw = {
    "inverse",
    "The coordinate at an element's offset is that element, and every other offset of the allocation is padding."};
inline constexpr TilingLaw kEqualsPadReshapeTransposeLaw = {
    "equals-pad-reshape-transpose", "Every element is where padding, reshaping and transposing a real array moves it."};

}  // namespace layoutcheck
