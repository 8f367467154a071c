// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Shrinks a failing layout, a stream of choices or the values of a pattern to the simplest one that fails, and tells
// which tilings show the failure.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>
#include "layoutcheck/core/hlo/shape.h"
#include "layoutcheck/properties/generate/draw_case.h"

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

// Draws a case from these choices. Returns the choices that the generator took (no more than given, each within its
// bound), or nothing if the case does not fail.
using DrawFailing = std::function<std::optional<std::vector<uint64_t>>(std::span<const uint64_t> choices)>;

// Returns the simplest failing stream (IsSimpler) found from `choices`, which must fail. Removes blocks, sets choices
// to 0, bisects them towards 0, and lowers one while removing choices after it, until nothing helps or
// `max_evaluations` cases are drawn.
std::vector<uint64_t> ShrinkChoices(std::vector<uint64_t> choices, const DrawFailing& draw_failing,
                                    int64_t max_evaluations);

struct ShrunkCase {
  Shape shape;
  std::string text;  // the layout in the notation of its pattern, or the shape in HLO notation
};

// Returns the simplest failing layout found by ShrinkShape, in the notation of its pattern if it can be written so. It
// is a layout of the pattern with the smallest values if the pattern is to be kept, or if all of the tiles of a fractal
// or shape:stride layout are needed.
ShrunkCase ShrinkCase(const DrawnCase& drawn, const std::function<bool(const Shape&)>& fails, int64_t max_evaluations);

// Tries some common tilings, and the other tags of a fractal, in place of those of a layout that was shrunk from
// `drawn`; sizes are as they are, and one past a tile. Returns "with any tile ...", "only with T(8,128)(2,1) ..." or
// "with T(8,128), ...", with the number of tilings tried, or an empty text for a layout without tiles.
std::string DescribeTilings(const ShrunkCase& shrunk, const Shape& drawn,
                            const std::function<bool(const Shape&)>& fails);

}  // namespace layoutcheck
