// The scope that the tests of the algebra go through: all layouts of two modes with extents <= 6 and strides <= 12, and
// what is counted there. For tests only; not installed.
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

Case MakeCase(std::vector<StridedMode> modes);

// All layouts of two modes of the scope.
const std::vector<Case>& TwoModes();
// One-mode layouts n:d of the scope.
const std::vector<Case>& OneMode();

// The pairs first, first + step, ... of a scope.
struct Share {
  size_t first = 0;
  size_t step = 1;
};

// Every n-th, or what LAYOUTCHECK_FULL_SCOPE says: K/N is share K of N of all.
Share ShareOf(size_t n);

// The layout's own definition, past the domain too: digits in mixed radix, the last one unbounded.
int64_t ValueAt(const std::vector<StridedMode>& modes, int64_t index);

// Whether a table with table[0] = 0 is that of some layout: it is linear, or starts with a linear run whose length
// divides it, and repeats that run shifted by a table of the same kind. (A layout's first mode can always be taken as
// long as the run.)
bool IsLayoutTable(const std::vector<int64_t>& table);

// What one operation did over a scope; `representable` counts the results that a layout could be.
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
