// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Scope of the algebra's exhaustive tests: layouts of two modes with extents <= 6 and strides <= 12. Not installed.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>
#include "layoutcheck/core/shape_stride/shape_stride_layout.h"

namespace layoutcheck {

constexpr int64_t kMaxExtent = 6;
constexpr int64_t kMaxStride = 12;

// A layout with its values at all integral coordinates.
struct Case {
  ShapeStrideLayout layout;
  std::vector<StridedMode> modes;
  std::vector<int64_t> table;
  bool injective = false;
};

Case MakeCase(std::vector<StridedMode> modes);

// Return all layouts of two modes of the scope, and those of one mode n:d with n <= 36.
const std::vector<Case>& TwoModes();
const std::vector<Case>& OneMode();

// A selection of the scope's pairs: first, first + step, ...
struct Share {
  size_t first = 0;
  size_t step = 1;
};

// Returns the share of every n-th pair, or share K of N of all pairs if LAYOUTCHECK_FULL_SCOPE is K/N.
Share ShareOf(size_t n);

// Returns the value at an index, also beyond the domain, by definition: digits in mixed radix, the last one unbounded.
int64_t ValueAt(const std::vector<StridedMode>& modes, int64_t index);

// Returns true if a table with table[0] = 0 is that of some layout: it is linear, or it starts with a linear run whose
// length divides it, and repeats that run shifted by a table of the same kind. The longest such run suffices.
bool IsLayoutTable(const std::vector<int64_t>& table);

// The results of one operation over a scope. `representable` counts the cases whose result is a layout, and `missed`
// those of them that were rejected.
struct Tally {
  int64_t cases = 0;
  int64_t accepted = 0;
  int64_t wrong = 0;
  int64_t representable = 0;
  int64_t missed = 0;
  std::string first_wrong;

  void Wrong(const std::string& what) {
    if (wrong++ == 0) first_wrong = what;
  }
  void Print(const char* name) const;
};

}  // namespace layoutcheck
