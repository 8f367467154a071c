// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Layouts in bits, such as ll{register:[(4,0)],lane:[(0,1),(0,2)]} -> [8,4], and their laws.
#pragma once

#include <cstddef>
#include <cstdint>
#include <expected>
#include <string>
#include <string_view>
#include <vector>
#include "layoutcheck/verify/formulas/claim.h"
#include "layoutcheck/verify/proof/lines.h"

namespace layoutcheck::verify {

// A layout whose inputs have one image per bit: the index of the element at which that bit alone lies. The index of an
// input is the exclusive or of the images of its bits.
struct LinearLayout {
  std::vector<int64_t> sizes;               // sizes of the outputs, which are powers of two
  std::vector<std::vector<int64_t>> parts;  // coordinates of each image, one per output
  std::vector<uint64_t> images;             // the same images as row-major indices over the outputs
  std::vector<size_t> input_bits;           // number of images of each input
  size_t bits = 0;                          // number of bits of all outputs together
};

// Returns true if the text can be that of such a layout, and of no other.
bool IsLinear(std::string_view text);
// Reads a layout as the program prints it, without other blanks. The error says what was expected.
std::expected<LinearLayout, std::string> ReadLinear(std::string_view text);

// Returns an inverse of the layout, as images of the bits of an index: a left inverse if the images are independent, a
// right one if they span all indices.
std::vector<uint64_t> InverseOf(const LinearLayout& layout);

// Checks a law of a layout in bits, or that it equals another one, from the present line on. `law_line` is the line of
// the law.
Checked<void> CheckLinear(const Claim& claim, int64_t law_line, Lines& lines);

}  // namespace layoutcheck::verify
