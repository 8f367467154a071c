// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The scope of the exhaustive tests of the algebra: all layouts of two modes with extents <= 6 and strides <= 12, and a
// tally of the results. For tests only; not installed.
#ifndef LAYOUTCHECK_CORE_TESTING_ALGEBRA_SCOPES_H_
#define LAYOUTCHECK_CORE_TESTING_ALGEBRA_SCOPES_H_

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

// Returns the case of a layout with these modes.
Case MakeCase(std::vector<StridedMode> modes);

// Returns all layouts of two modes of the scope.
const std::vector<Case>& TwoModes();
// Returns the layouts n:d of one mode of the scope.
const std::vector<Case>& OneMode();

// The pairs first, first + step, ... of a scope.
struct Share {
  size_t first = 0;
  size_t step = 1;
};

// Returns the share of every n-th pair, or share K of N of all pairs if LAYOUTCHECK_FULL_SCOPE is K/N.
Share ShareOf(size_t n);

// Returns the value at an index, also beyond the domain, by definition: digits in mixed radix, the last one unbounded.
int64_t ValueAt(const std::vector<StridedMode>& modes, int64_t index);

// Returns true if a table with table[0] = 0 is that of some layout: it is linear, or it starts with a linear run whose
// length divides it, and repeats that run shifted by a table of the same kind. The first mode of a layout can always be
// taken as long as the run.
bool IsLayoutTable(const std::vector<int64_t>& table);

// The results of one operation over a scope. `representable` counts the cases whose result is a layout, `missed` those
// that were rejected although it is.
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

#endif  // LAYOUTCHECK_CORE_TESTING_ALGEBRA_SCOPES_H_
