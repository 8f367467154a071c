// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The layout of a claim, "f32[M,N]{1,0:T(8,128)}". A reader of its own, which shares no code with core/hlo.
#pragma once

#include <cstddef>
#include <cstdint>
#include <expected>
#include <optional>
#include <string>
#include <string_view>
#include <vector>
#include "layoutcheck/core/base/name_ranges.h"

namespace layoutcheck::verify {

// A size in the text: a name or, if `name` is empty, a number.
struct Size {
  std::string name;
  int64_t number = 0;
};

struct TileEntry {
  bool combine = false;  // `*`
  Size size;             // size of the tile, unless `combine`
};

// A fractal layout of CATLASS, zN:f16[M,N]: how its elements lie in memory.
struct Fractal {
  struct Block {
    int64_t height;
    int64_t width;
    bool is_row_major;  // order of the elements in a block
  };
  std::optional<Block> block;  // nothing if whole rows or columns lie one after another
  bool is_row_major = false;   // order of the blocks, or of the elements where there is no block
  bool packs_two = false;      // two elements of 4 bits share a byte
};

struct Layout {
  int64_t element_bits = 0;  // width of an element in memory
  std::vector<Size> dimensions;
  std::vector<size_t> major_to_minor;  // dimensions in physical order
  std::vector<std::vector<TileEntry>> tiles;
  std::vector<std::string> names;  // names of sizes, in the order of the text, without repetition
  int64_t alignment = 1;           // n of L(n): memory is padded to a multiple of as many elements
  std::optional<Fractal> fractal;  // the fractal layout that is to be shown to be this one, if the text is one

  bool IsTileName(std::string_view name) const;
  bool IsDimensionName(std::string_view name) const;
};

// Reads an array shape with a layout, row major if there is none. Any dimension (a number >= 0) and tile size (a number
// >= 1) may be a name. Attributes that place no element, such as L(n) and S(n), are read over. The error names
// the column and says what was expected.
std::expected<Layout, std::string> ReadLayout(std::string_view text);

// Returns the values that the layout's names stand for.
NameRanges RangesOf(const Layout& layout);

// Returns the bits of a value of the element type: 64 for c64, 8 for pred.
int64_t BitsOf(std::string_view element_type);

// Returns true if the word is i or d with a number: an index or a dimension of a formula.
bool IsIndexOrDimension(std::string_view word);

}  // namespace layoutcheck::verify
