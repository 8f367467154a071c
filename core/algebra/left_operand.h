// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The left operand A of a composition A o B.
#pragma once

#include <cstdint>
#include <vector>
#include "layoutcheck/core/algebra/coalesce.h"
#include "layoutcheck/core/base/error.h"
#include "layoutcheck/core/base/integer.h"
#include "layoutcheck/core/shape_stride/shape_stride_layout.h"

namespace layoutcheck {

// An integer of a layout. It is known if it is static or every number counts as static.
struct KnownInteger {
  int64_t value = 0;
  bool known = true;
};

// The left operand as a map on integers in the mixed radix of its extents. Records how far the modes of the result
// reach in each digit, to decide if digits add without a carry.
class LeftOperand {
 public:
  struct Mode {
    KnownInteger extent;
    int64_t stride = 0;
  };

  // Coalesces the layout from its last mode to its first, but keeps a last mode of extent 1, through which the operand
  // continues beyond its domain. Errors: basis strides (unsupported); no coordinate (invalid argument).
  static Expected<LeftOperand> Create(const ShapeStrideLayout& layout, Simplification simplification);

  const std::vector<Mode>& modes() const { return modes_; }
  bool is_linear() const { return modes_.size() == 1; }

  // Returns the digits of index >= 0. Digit i is below the extent of mode i; the last digit is unbounded.
  std::vector<int64_t> Digits(int64_t index) const;
  CheckedInt64 ValueOf(const std::vector<int64_t>& digits) const;
  // Returns the value at any index. At(-i) == -At(i), because C++ division truncates.
  CheckedInt64 At(int64_t index) const;

  // Records that a mode of the result takes `extent` steps of `digits` in direction `sign` (-1, 0 or 1). Returns true
  // if all modes recorded so far add without a carry.
  bool RecordMode(int64_t extent, const std::vector<int64_t>& digits, int64_t sign);

 private:
  std::vector<Mode> modes_;
  std::vector<CheckedInt64> reach_;  // per mode: the largest digit that the recorded modes sum up to
  int64_t sign_ = 0;                 // the direction of the recorded modes, 0 if there is none yet
  bool is_additive_ = true;
};

}  // namespace layoutcheck
