// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Draws array shapes with layouts from a stream of choices. Most sizes are those at which code has bugs: 0, 1, a tile's
// size, its neighbors and multiples, primes, powers of two. Tiles may be longer or shorter than the array and have `*`.
#pragma once

#include <cstdint>
#include <string>
#include "layoutcheck/core/hlo/shape.h"
#include "layoutcheck/properties/generate/choices.h"

namespace layoutcheck {

struct SizeTarget;

// The limits of a generator. A subject's limits narrow them.
struct LayoutScope {
  int64_t max_rank = 8;
  int64_t max_tiles = 4;
  int64_t max_elements = 4096;          // product of the dimensions
  int64_t max_padded_elements = 32768;  // after tiles and tail padding
  // Limits of arrays of which single elements are asked for, in padded elements and in bytes.
  int64_t max_array_elements = INT64_MAX;
  int64_t max_array_bytes = INT64_MAX;
  bool combine = true;     // tiles may have `*`
  bool attributes = true;  // draw L E S SC M, dynamic dimensions, and element types other than f32

  std::string ToString() const;
};

// Primes among the sizes of dimensions and tiles that are drawn.
inline constexpr int64_t kPrimes[] = {2, 3, 5, 7, 11, 13, 17, 31, 61, 127};

// Draws a valid array shape within the scope. Its layout has a meaning (no `*` at the end of a tile). Equal choices
// give equal shapes. Independent choices are drawn first; the dimension order, sizes that depend on a tile, and sizes
// within the element budget are derived from them.
Shape DrawLayout(Choices& choices, const LayoutScope& scope);
// Draws the same into `shape`, whose memory it uses again.
void DrawLayout(Choices& choices, const LayoutScope& scope, Shape& shape);

// Draws a valid array shape that is too large for a table: its element count or its single dimensions are near a power
// of two from 2^15 to 2^62, most often 2^31 or 2^62. The rank is 1 to 4; `scope` limits rank, tiles and `*`, but not
// elements. Every size fits int64.
Shape DrawHugeLayout(Choices& choices, const LayoutScope& scope);

// Draws a valid array shape of about the target's size. The rank is 1 to 4; `scope` limits rank, tiles, `*` and arrays.
// One dimension makes up for the size of the others. With attributes, elements have 4 to 64 bits.
Shape DrawLayoutNear(Choices& choices, const LayoutScope& scope, const SizeTarget& target);

}  // namespace layoutcheck
