// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sets of small layouts that can be enumerated completely.
#ifndef LAYOUTCHECK_PROPERTIES_GENERATE_EXHAUSTIVE_SCOPE_H_
#define LAYOUTCHECK_PROPERTIES_GENERATE_EXHAUSTIVE_SCOPE_H_

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "layoutcheck/core/hlo/shape.h"
#include "layoutcheck/properties/generate/choices.h"

namespace layoutcheck {

// The set of all f32 arrays of rank 0 to max_rank whose dimensions are among `sizes`, in every dimension order, with
// every list of up to max_tiles tiles. A tile has 1 to max_tile_entries entries among `tile_sizes` and `*`; its last
// entry is not
// `*`.
struct ExhaustiveScope {
  int64_t max_rank = 0;
  std::vector<int64_t> sizes;
  int64_t max_tiles = 0;
  int64_t max_tile_entries = 0;
  std::vector<int64_t> tile_sizes;

  // Returns the number of layouts in the scope.
  int64_t layouts() const;
  // Returns one line for the verdict that says what is enumerated, and how many layouts that is.
  std::string ToString() const;
};

// Returns scopes of growing size. The first takes no time with any subject; each further one is about ten times as
// large or reaches other layouts. The last has few tilings of larger arrays, whose sizes are around those of the tiles.
std::span<const ExhaustiveScope> ExhaustiveLadder();

// Draws a layout of the scope. CountedChoices draw each layout once.
Shape DrawFromScope(Choices& choices, const ExhaustiveScope& scope);

}  // namespace layoutcheck

#endif  // LAYOUTCHECK_PROPERTIES_GENERATE_EXHAUSTIVE_SCOPE_H_
