// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The lists of laws of which AllLaws() consists, one per file of properties/laws, and a comparison that several of them
// make. Add a list here to add a file of laws.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>
#include "layoutcheck/properties/model/law.h"

namespace layoutcheck {

std::span<const Law> IndexLaws();      // places of elements
std::span<const Law> TransformLaws();  // pairs of layouts that must agree
std::span<const Law> SizeLaws();       // sizes of the allocation
std::span<const Law> RelayoutLaws();   // moving an array to another layout
std::span<const Law> BitcastLaws();    // shapes that read the same memory
std::span<const Law> EditLaws();       // equality and edits of dimensions
std::span<const Law> TextLaws();       // parsing and printing
std::span<const Law> AffineLaws();     // index arithmetic
std::span<const Law> MemRefLaws();     // MLIR's layout attributes

// Compares the offset of each element with expected_of(its number).
template <class ExpectedOf>
LawResult CompareOffsets(const LayoutCase& layout_case, const std::vector<int64_t>& offsets, ExpectedOf expected_of) {
  for (size_t e = 0; e < offsets.size(); ++e) {
    const int64_t expected = expected_of(e);
    if (offsets[e] == expected) continue;
    return LawResult::Disagree(std::to_string(expected), std::to_string(offsets[e])).At(layout_case.IndexOf(e));
  }
  return LawResult::Agree();
}

}  // namespace layoutcheck
