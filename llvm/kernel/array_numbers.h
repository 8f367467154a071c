// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The numbers in arrays of integers with which a kernel computes addresses: indices, lengths, page tables. On names, an
// element is any number that the request allows; on numbers, the arrays hold one of a few patterns.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>
#include "layoutcheck/core/base/error.h"
#include "layoutcheck/core/formula/formula.h"
#include "layoutcheck/llvm/ir/ir_memory.h"
#include "layoutcheck/llvm/kernel/array_layout.h"
#include "layoutcheck/llvm/kernel/kernel_tensor.h"

namespace layoutcheck {

// The contents of an array in a run on numbers: element number e is first + step * (e mod period).
struct NumberPattern {
  int64_t first = 0;
  int64_t step = 0;
  int64_t period = 1;

  int64_t At(int64_t element) const { return first + step * (element % period); }
};

// Name of the number of the pattern among the values of a run on numbers. No name in a request has a blank.
inline constexpr const char* kPattern = "pattern of numbers";
inline constexpr int64_t kPatterns = 4;

class ArrayNumbers {
 public:
  // Adds "NAME=LOW:HIGH" or "NAME=LOW:HIGH:distinct": each element is at least LOW and less than HIGH, which are
  // formulas of `names`, and no two are equal. Errors: syntax; an unknown array or name, an array of no integers
  // (invalid argument).
  Expected<void> Add(const std::string& text, std::span<const std::string> arrays, std::span<const ArrayLayout> layouts,
                     std::span<const std::string> names);

  // Returns true for an array of integers of 8 to 64 bits.
  static bool IsOfIntegers(const SymbolicLayout& layout);
  // Says that elements of the array are used as numbers. Returns false if that was known, or they are no integers.
  bool Follow(size_t array, const SymbolicLayout& layout);
  bool Contains(size_t array) const { return ranges_.contains(array); }
  bool are_followed() const { return !ranges_.empty(); }
  std::vector<size_t> arrays() const;

  // Returns what the array holds in pattern `number`, which is less than kPatterns, at these values of the names, if it
  // has so many elements. Throws FunctionUnknown if no numbers are allowed, or the names are no numbers.
  NumberPattern PatternOf(size_t array, int64_t number, int64_t elements, const SymbolicValues& values) const;

  // Returns a reader for one run of a thread, in which equal places have equal numbers. `values` are those of the names
  // and of kPattern, and `sizes` the sizes of the arrays in bytes. The numbers must outlive the reader.
  ElementReader ReaderAt(SymbolicValues values, std::vector<SymbolicInteger> sizes) const;

  // Returns "0 <= idx[...] < N" for each array with a range.
  std::vector<std::string> Ranges(std::span<const std::string> arrays) const;

 private:
  struct Range {
    int width = 0;  // of an element, in bits
    bool is_unsigned = false;
    std::optional<std::pair<Formula, Formula>> bounds;  // LOW and HIGH; nothing for all numbers of the type
    bool is_distinct = false;
  };
  std::map<size_t, Range> ranges_;  // by the number of the array
};

}  // namespace layoutcheck
