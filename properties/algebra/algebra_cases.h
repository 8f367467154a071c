// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>
#include "layoutcheck/properties/algebra/algebra_generator.h"
#include "layoutcheck/properties/generate/layout_pattern.h"

namespace layoutcheck {

// Draws the cases of a random run of algebra laws: one third from the family `cute`, with the tags and sizes of the
// family `fractal`, the others by DrawAlgebraCase. Cases are the same on every machine and in any order.
class AlgebraCaseSource {
 public:
  AlgebraCaseSource();
  // Draws every case from the patterns in shape:stride notation, which must outlive the source.
  explicit AlgebraCaseSource(std::span<const LayoutPattern> patterns);

  // Returns true if there is nothing to draw from, because no pattern is in shape:stride notation.
  bool empty() const { return patterns_.empty(); }
  // Returns the pattern from which case `number` is drawn, or null.
  const LayoutPattern* PatternOf(uint64_t number) const;
  // Draws a case of a pattern, or a random one if it is null, with its views and layouts in bits.
  static AlgebraCase Draw(Choices& choices, const LayoutPattern* pattern);

 private:
  bool patterns_only_ = false;
  std::vector<const LayoutPattern*> patterns_;
};

}  // namespace layoutcheck
