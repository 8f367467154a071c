// Small scopes that are enumerated whole: every layout with so many dimensions, such sizes, orders and tiles.
#ifndef LAYOUTCHECK_PROPERTIES_GENERATE_EXHAUSTIVE_SCOPE_H_
#define LAYOUTCHECK_PROPERTIES_GENERATE_EXHAUSTIVE_SCOPE_H_

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "layoutcheck/core/hlo/shape.h"
#include "layoutcheck/properties/generate/choices.h"

namespace layoutcheck {

// All f32 arrays of rank 0 to max_rank whose dimensions are among `sizes`, in every dimension order, with every list of
// up to max_tiles tiles of 1 to max_tile_entries entries among `tile_sizes` and `*` (not as the last entry).
struct ExhaustiveScope {
  int64_t max_rank = 0;
  std::vector<int64_t> sizes;
  int64_t max_tiles = 0;
  int64_t max_tile_entries = 0;
  std::vector<int64_t> tile_sizes;

  // The number of layouts in the scope.
  int64_t layouts() const;
  // One line for the verdict: what is enumerated, and how many layouts that is.
  std::string ToString() const;
};

// The ladder: rung 1 takes no time with any subject, each further rung is about ten times as large or reaches other
// layouts. The last one has few tilings of large arrays, at and around the sizes of its tiles.
std::span<const ExhaustiveScope> ExhaustiveLadder();

// One layout of the scope: driven by CountedChoices, each of them once.
Shape DrawFromScope(Choices& choices, const ExhaustiveScope& scope);

}  // namespace layoutcheck

#endif  // LAYOUTCHECK_PROPERTIES_GENERATE_EXHAUSTIVE_SCOPE_H_
