// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The offsets of an array's elements, at one or several sizes, from which its layout is to be found.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>
#include "layoutcheck/core/base/error.h"
#include "layoutcheck/core/base/symbolic_size.h"
#include "layoutcheck/core/fitting/element_offsets.h"

namespace layoutcheck {

// An array whose layout is looked for. A dimension that is a name stands for every size.
struct UnplacedArray {
  std::string type;  // element type, "f32"
  std::vector<SymbolicSize> dimensions;

  // Returns the names of dimensions, each once.
  std::vector<std::string> Names() const;
  // Returns "f32[M,128]".
  std::string ToString() const;
};

// Reads f32[M,N] or f32[3,5]. Errors: those of ParseSymbolicLayout; a layout behind the shape, a size of 0 (invalid
// argument).
Expected<UnplacedArray> ReadUnplacedArray(std::string_view text);

// The offsets at one value of each name.
struct OffsetSample {
  std::map<std::string, int64_t> names;
  ElementOffsets elements;
};

// Largest number of elements of a sample.
inline constexpr int64_t kMostSampled = int64_t{1} << 20;

// Reads the offset of each element, in row-major order: integers with blanks, commas, semicolons or brackets between
// them. Requires an array without names. Errors: another byte (syntax, with its place); another number of integers than
// the array has elements, or an array that is too large (invalid argument).
Expected<OffsetSample> SampleOfTable(const UnplacedArray& array, std::string_view table);

// Reads what memory holds after each element was stored with its row-major number as its value: per offset that number,
// or a negative one for padding. Errors: as above; a number that is no element or occurs twice, an element that is
// missing (invalid argument).
Expected<OffsetSample> SampleOfMemory(const UnplacedArray& array, std::string_view memory);

// Evaluates a formula in i0, i1, ... and names at several values of the names, at which the assumptions hold: an array
// without names at all of its elements. Errors: those of MakeFormulaQuestion; no value at an element, or one that does
// not fit int64; an array that is too large, or assumptions that none of the sizes tried fulfills (invalid argument).
Expected<std::vector<OffsetSample>> SamplesOfFormula(const UnplacedArray& array, const std::string& formula,
                                                     const std::vector<std::string>& assumptions);

}  // namespace layoutcheck
