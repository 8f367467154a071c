// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The truth about bitcasts and copies, from arrays whose elements are moved one by one.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>
#include "layoutcheck/core/base/index_stepper.h"
#include "layoutcheck/core/hlo/shape.h"
#include "layoutcheck/core/tiling/sizes.h"
#include "layoutcheck/core/tiling/tiled_index.h"
#include "layoutcheck/properties/testing/module_generator.h"

namespace layoutcheck {

// Returns the bytes of an allocation: at each byte the number of the source element that is there, or -1 for padding.
// `source(index)` is the number of the source element that has this index in the array. Requires whole bytes.
template <class Source>
std::vector<int64_t> MoveElements(const Shape& shape, Source source) {
  const TiledIndex place = *MakeTiledIndex(shape);
  const auto width = static_cast<size_t>(ElementSizeInBits(shape) / 8);
  std::vector<int64_t> memory(static_cast<size_t>(SizesOf(shape)->bytes), -1);
  ForEachIndex(shape.dimensions, [&](std::span<const int64_t> index) {
    for (size_t byte = 0; byte < width; ++byte) {
      memory[static_cast<size_t>(place(index)) * width + byte] =
          source(index) * static_cast<int64_t>(width) + static_cast<int64_t>(byte);
    }
  });
  return memory;
}

// Returns the number of an element in row-major order.
inline int64_t RowMajorNumber(std::span<const int64_t> index, std::span<const int64_t> sizes) {
  int64_t number = 0;
  for (size_t d = 0; d < sizes.size(); ++d) number = number * sizes[d] + index[d];
  return number;
}

inline std::vector<int64_t> OwnElements(const Shape& shape) {
  return MoveElements(shape, [&](std::span<const int64_t> index) { return RowMajorNumber(index, shape.dimensions); });
}

enum class BitcastTruth { kRight, kChangesSize, kOtherPlaces };

// Compares every byte of both allocations: whether it belongs to an element or to padding.
inline BitcastTruth TruthOfBitcast(const Shape& operand, const Shape& result) {
  const std::vector<int64_t> before = OwnElements(operand);
  const std::vector<int64_t> after = OwnElements(result);
  if (before.size() != after.size()) return BitcastTruth::kChangesSize;
  for (size_t byte = 0; byte < after.size(); ++byte) {
    if ((after[byte] >= 0) != (before[byte] >= 0)) return BitcastTruth::kOtherPlaces;
  }
  return BitcastTruth::kRight;
}

// Returns true if a copy, transpose or reshape leaves every byte where it was.
inline bool MovesNothing(const DrawnInstruction& move, const Shape& operand) {
  std::vector<int64_t> from(operand.dimensions.size());
  const std::vector<int64_t> after = MoveElements(move.shape, [&](std::span<const int64_t> index) {
    if (move.opcode != "transpose") return RowMajorNumber(index, move.shape.dimensions);
    for (size_t d = 0; d < index.size(); ++d) from[static_cast<size_t>(move.permutation[d])] = index[d];
    return RowMajorNumber(from, operand.dimensions);
  });
  return after == OwnElements(operand);
}

}  // namespace layoutcheck
