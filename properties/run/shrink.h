// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <functional>
#include "layoutcheck/core/hlo/shape.h"

namespace layoutcheck {

struct ShrinkResult {
  Shape shape;
  int64_t evaluations = 0;  // calls of `fails`
};

// Returns the simplest failing layout found from `shape`, an array with a layout that fails. A layout is simpler if it
// has, in order of importance: fewer dimensions, tiles, tile entries, `*`, attributes (an element type other than f32,
// dynamic dimensions, L E S SC M), smaller sizes (1 is smaller than 0), smaller tiles, smaller attributes, an order
// closer to row major. Calls `fails` only with valid shapes that have no more elements than `shape` allocates (a size
// of 0 counts as 1), until nothing helps or `max_evaluations` are spent.
ShrinkResult ShrinkShape(const Shape& shape, const std::function<bool(const Shape&)>& fails, int64_t max_evaluations);

}  // namespace layoutcheck
