// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Shrinks a failing layout to the smallest one, whatever it was drawn from. Says which layouts count as simpler.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include "layoutcheck/core/hlo/shape.h"

namespace layoutcheck {

// Lowers a number towards `least` while try_number(candidate) returns true. Numbers near the least one are tried one by
// one, because small sizes seldom fail monotonically; larger ones are bisected. Returns true if the number is lower.
template <class Try>
bool LowerNumber(int64_t number, int64_t least, Try try_number) {
  constexpr int64_t kOneByOne = 9;
  for (int64_t small = least; small < std::min(number, least + kOneByOne); ++small) {
    if (try_number(small)) return true;
  }
  int64_t passes = least + kOneByOne - 1;
  const int64_t before = number;
  while (number - passes > 1) {
    const int64_t middle = passes + (number - passes) / 2;
    (try_number(middle) ? number : passes) = middle;
  }
  return number < before;
}

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
