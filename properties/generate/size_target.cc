// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/properties/generate/size_target.h"
#include <algorithm>
#include <array>
#include <bit>

namespace layoutcheck {
namespace {

constexpr int kLeastTargetBits = 8;
constexpr int kMostTargetBits = 40;
constexpr uint64_t kLimitEvery = 4;

}  // namespace

SizeTarget TargetOfDraw(uint64_t draw, const LayoutScope& scope) {
  const bool in_bytes = scope.max_array_bytes < scope.max_array_elements;
  const int64_t most = std::min(scope.max_array_elements, scope.max_array_bytes);
  if (most < INT64_MAX && draw % kLimitEvery == kLimitEvery - 1) return {most, in_bytes, true};
  const int most_bits = static_cast<int>(std::bit_width(static_cast<uint64_t>(std::max<int64_t>(most, 1)))) - 1;
  const auto rungs =
      static_cast<uint64_t>(std::clamp(most_bits, kLeastTargetBits, kMostTargetBits) - kLeastTargetBits + 1);
  // Both units have a turn at each power of two, whatever every fourth draw is.
  const int bits = kLeastTargetBits + static_cast<int>(draw / 2 % rungs);
  const bool is_odd_round = draw / (2 * rungs) % 2 == 1;
  return {int64_t{1} << bits, (draw % 2 == 1) != is_odd_round, false};
}

int64_t DimensionNear(Choices& choices, const SizeTarget& target, const LayoutSizes& of_one_tile, int64_t tile) {
  const int64_t per_tile = std::max<int64_t>(target.in_bytes ? of_one_tile.bytes : of_one_tile.padded_elements, 1);
  const int64_t tiles = target.size / per_tile;
  // Beyond the last whole tile, the array is larger than the target.
  const auto beside = target.is_most ? std::array<int64_t, 5>{0, -1, 0, -tile, 1 - tile}
                                     : std::array<int64_t, 5>{1, 0, -1, tile, -tile};
  return std::max<int64_t>(1, tiles * tile + beside[choices.Choose(beside.size())]);
}

bool IsWithinArrayLimits(const LayoutSizes& sizes, const LayoutScope& scope) {
  return sizes.padded_elements <= scope.max_array_elements && sizes.bytes <= scope.max_array_bytes;
}

}  // namespace layoutcheck
