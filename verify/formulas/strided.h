// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Layouts of the form shape:stride, such as (M,N):(N,1), as formulas of their offsets.
#pragma once

#include <cstdint>
#include <expected>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

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

  std::string over;                         // bounds of the indices, "i0 < M, i1 < 4 * N"
  std::string offset;                       // "i0 * (N) + i1"
  std::string size;                         // number of elements, "4 * M * N"
  std::optional<std::vector<Leaf>> leaves;  // if all integers are numbers
  std::string structure;                    // "((.,.),.)": the tuples, with a point per integer
  std::vector<Integers> integers;           // from left to right
};

// Returns true if the text can be that of such a layout, and of no other.
bool IsStrided(std::string_view text);

// Reads a layout whose integers are formulas over names. The error says what was expected.
std::expected<StridedLayout, std::string> ReadStrided(std::string_view text);

}  // namespace layoutcheck::verify
