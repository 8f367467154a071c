// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Texts of layouts that have the offsets of a sample.
#pragma once

#include <cstdint>
#include <string>
#include <vector>
#include "layoutcheck/cli/find/offset_samples.h"

namespace layoutcheck {

// The notation of a fitted layout, simplest first.
enum class FittedNotation : uint8_t { kHlo, kStrides, kTiledHlo, kTag, kNestedStrides, kSwizzle, kBits };

struct FittedLayout {
  FittedNotation notation = FittedNotation::kHlo;
  std::string text;

  bool IsHlo() const { return notation == FittedNotation::kHlo || notation == FittedNotation::kTiledHlo; }
};

struct LayoutFits {
  std::vector<FittedLayout> layouts;
  bool is_complete = true;  // false: not all tilings were tried
};

// Returns layouts of the array that have the offset of the sample at every element, simplest notation first; of XLA's
// layouts those with the fewest tiles. For an array with names, they are guesses for other values of the names: a
// stride or a tile that is the value of a name, or a multiple of it, is written as the name, and as the number, too.
LayoutFits FitLayouts(const UnplacedArray& array, const OffsetSample& sample);

}  // namespace layoutcheck
