// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>
#include "layoutcheck/core/hlo/shape.h"
#include "layoutcheck/properties/generate/choices.h"

namespace layoutcheck {

// All f32 arrays of rank 0 to max_rank whose dimensions are among `sizes`, in every dimension order, with every list of
// up to max_tiles tiles of 1 to max_tile_entries entries. Entries are among `tile_sizes` and `*`, the last one is a
// size.
struct ExhaustiveScope {
  int64_t max_rank = 0;
  std::vector<int64_t> sizes;
  int64_t max_tiles = 0;
  int64_t max_tile_entries = 0;
  std::vector<int64_t> tile_sizes;

  int64_t layouts() const;
  // Returns one line for the verdict: the enumerated layouts and their number.
  std::string ToString() const;
};

// Returns scopes of growing size. The first takes no time with any subject; each further one is about ten times larger
// or reaches other layouts. The sixth has few tilings of larger arrays with sizes near those of the tiles, the last has
// arrays of rank 4.
std::span<const ExhaustiveScope> ExhaustiveLadder();

// Draws a layout of the scope. CountedChoices draw each layout once.
Shape DrawFromScope(Choices& choices, const ExhaustiveScope& scope);

}  // namespace layoutcheck
