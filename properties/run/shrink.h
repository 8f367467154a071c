// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Shrinking: from a layout on which something fails to the simplest one on which it still does.
#ifndef LAYOUTCHECK_PROPERTIES_RUN_SHRINK_H_
#define LAYOUTCHECK_PROPERTIES_RUN_SHRINK_H_

#include <cstdint>
#include <functional>

#include "layoutcheck/core/hlo/shape.h"

namespace layoutcheck {

struct ShrinkResult {
  Shape shape;
  int64_t evaluations = 0;
};

// The simplest layout found from `shape`, an array with a layout on which `fails` holds. Simpler is, in this order:
// fewer dimensions, fewer tiles, fewer tile entries, fewer `*`, fewer attributes (an element type other than f32,
// dynamic dimensions, L E S SC M), smaller sizes (1 before 0), smaller tiles, an order closer to row major, smaller
// attributes. Asks about valid shapes only, about none that has more elements than `shape` allocates (a size of 0
// counting as 1), and until nothing helps or `max_evaluations` are spent.
ShrinkResult ShrinkShape(const Shape& shape, const std::function<bool(const Shape&)>& fails, int64_t max_evaluations);

}  // namespace layoutcheck

#endif  // LAYOUTCHECK_PROPERTIES_RUN_SHRINK_H_
