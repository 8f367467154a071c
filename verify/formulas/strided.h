// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Layouts of the form shape:stride, such as (M,N):(N,1), as formulas of their offsets. Layouts of numbers may have a
// swizzle and an offset before them, as in Sw<3,4,3> o 16 o (8,64):(64,1).
#pragma once

#include <cstdint>
#include <expected>
#include <optional>
#include <string>
#include <string_view>
#include <vector>
#include "layoutcheck/core/base/wide_integer.h"

namespace layoutcheck::verify {

// A layout with one index per mode, i0, i1, ... A nested mode splits its index, first integer fastest.
struct StridedLayout {
  struct Leaf {
    int64_t extent;
    int64_t stride;
  };

  // An integer of the shape, and that of the stride. Refers to the text of the layout.
  struct Integers {
    std::string_view extent;
    std::string_view stride;
  };

  // CuTe's Sw<B,M,S>: adds the B bits from bit M + max(S, 0) on, by exclusive or, to the bits S places below them.
  struct Swizzle {
    int64_t bits;   // B
    int64_t base;   // M
    int64_t shift;  // S, perhaps below 0

    // Requires an offset `value` of at least 0.
    Int128 Apply(Int128 value) const;
  };

  std::string over;                         // bounds of the indices, "i0 < M, i1 < 4 * N"
  std::string offset;                       // "i0 * (N) + i1"
  std::string size;                         // number of elements, "4 * M * N"
  std::optional<std::vector<Leaf>> leaves;  // the integers, if all of them are numbers
  std::string structure;                    // "((.,.),.)": the tuples, with a point per integer
  std::vector<Integers> integers;           // the integers as texts, from left to right

  // The members above describe the layout without the swizzle and the offset before it.
  std::optional<Swizzle> swizzle;
  std::optional<int64_t> start;  // offset K, which is added to each offset of the layout before the swizzle
  // Returns true if there is a swizzle or an offset before the layout.
  bool IsComposed() const { return swizzle || start; }
};

// Returns true if the text can be that of such a layout, and of no other.
bool IsStrided(std::string_view text);

// Reads a layout whose integers are formulas over names, or numbers if a swizzle or an offset is before it. The error
// says what was expected.
std::expected<StridedLayout, std::string> ReadStrided(std::string_view text);

}  // namespace layoutcheck::verify
