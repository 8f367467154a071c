// Draws array shapes with layouts from a stream of choices. Sizes are where bugs are: 0, 1, a tile and its neighbors,
// multiples, primes, powers of two; dimension orders are random; up to four tiles, longer and shorter than the array,
// with `*`.
#ifndef LAYOUTCHECK_PROPERTIES_GENERATE_LAYOUT_GENERATOR_H_
#define LAYOUTCHECK_PROPERTIES_GENERATE_LAYOUT_GENERATOR_H_

#include <cstdint>
#include <map>
#include <string>

#include "layoutcheck/core/hlo/shape.h"
#include "layoutcheck/properties/generate/choices.h"

namespace layoutcheck {

// What the generator keeps within: a subject's stated limits narrow it.
struct LayoutScope {
  int64_t max_rank = 8;
  int64_t max_tiles = 4;
  int64_t max_elements = 4096;          // product of the dimensions
  int64_t max_padded_elements = 32768;  // after tiles and tail padding
  bool combine = true;                  // `*` in tiles
  bool attributes = true;               // L E S SC M, dynamic dimensions and element types other than f32

  // One line that says all of it.
  std::string ToString() const;
};

// A valid array shape with a layout that has a meaning (no `*` at the end of a tile), within the scope. The same
// choices give the same shape. Independent choices are drawn first; what depends on others (dimension order from sort
// keys, a size from the tile that covers it, the element budget) is derived from them.
Shape DrawLayout(Choices& choices, const LayoutScope& scope);

// A valid array shape whose element count is near a power of two from 2^15 to 2^62 (2^31 and 2^62 most often), or whose
// single dimensions are: too large for a table, and past what 16 or 32 bits hold. Rank 1 to scope.max_rank, tiles and
// `*` as the scope allows; its element limits do not apply. Every size fits int64.
Shape DrawHugeLayout(Choices& choices, const LayoutScope& scope);

// How often each class of layout was drawn.
class LayoutStatistics {
 public:
  void Count(const Shape& shape);

  int64_t total() const { return total_; }
  // Class name to count; a class that never occurred is there with 0 as soon as one layout was counted.
  const std::map<std::string, int64_t>& classes() const { return classes_; }
  // "dimension 0 6.2%, dimension 1 17.9%, ..." in the order of the names.
  std::string ToString() const;

 private:
  int64_t total_ = 0;
  std::map<std::string, int64_t> classes_;
};

}  // namespace layoutcheck

#endif  // LAYOUTCHECK_PROPERTIES_GENERATE_LAYOUT_GENERATOR_H_
