// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/core/fitting/element_offsets.h"
#include <algorithm>
#include <bit>
#include <utility>
#include "layoutcheck/core/base/index_stepper.h"
#include "layoutcheck/core/base/str_cat.h"
#include "layoutcheck/core/fitting/offset_line.h"
#include "layoutcheck/core/shape_stride/strided_index.h"
#include "layoutcheck/core/shape_stride/swizzle.h"

namespace layoutcheck {
namespace {

// Returns the modes of one dimension, fastest first, or nothing if no modes have the offsets of the line.
std::optional<std::vector<StridedMode>> ModesOf(const std::vector<int64_t>& line) {
  std::vector<StridedMode> modes;
  auto left = static_cast<int64_t>(line.size());
  for (const LineDigit& digit : DigitsOf(line)) {
    const int64_t extent = digit.radix.value_or(left);
    if (left % extent != 0) return std::nullopt;
    modes.push_back({extent, digit.stride});
    left /= extent;
  }
  if (left != 1) return std::nullopt;
  return modes;
}

}  // namespace

int64_t ElementOffsets::At(std::span<const int64_t> coordinate) const {
  int64_t element = 0;
  for (size_t d = 0; d < sizes.size(); ++d) element = element * sizes[d] + coordinate[d];
  return offsets[static_cast<size_t>(element)];
}

bool ElementOffsets::IsIndex(const std::function<std::optional<int64_t>(std::span<const int64_t>)>& index) const {
  bool is_index = true;
  auto offset = offsets.begin();
  ForEachIndex(sizes, [&](std::span<const int64_t> coordinate) {
    is_index = index(coordinate) == *offset++;
    return is_index;
  });
  return is_index;
}

std::optional<ComposedLayout> FitStrides(const ElementOffsets& table) {
  StridedLayout strided;
  std::vector<ShapeStrideLayout> modes;
  for (size_t d = 0; d < table.sizes.size(); ++d) {
    auto fitted = ModesOf(LineOf(table, d));
    if (!fitted) return std::nullopt;
    modes.push_back(LayoutOfModes(*fitted));
    strided.modes.push_back(*std::move(fitted));
  }
  const int64_t first = table.offsets.front();
  const bool is_flat = modes.size() == 1 && modes.front().shape.is_leaf();  // 5:1, not (5):(1)
  const auto checked = ConvertStridedLayout<CheckedInt64>(strided);
  std::vector<CheckedInt64> checked_coordinate(table.sizes.size());
  const auto index = [&](std::span<const int64_t> coordinate) {
    std::ranges::copy(coordinate, checked_coordinate.begin());
    const CheckedInt64 offset = StridedOffset<CheckedInt64>(checked, checked_coordinate) + CheckedInt64(first);
    return offset.overflow ? std::nullopt : std::optional(offset.value);
  };
  if (!table.IsIndex(index)) return std::nullopt;
  return ComposedLayout{std::nullopt, first, is_flat ? modes.front() : ConcatenateModes(modes)};
}

std::optional<ComposedLayout> FitSwizzle(const ElementOffsets& table) {
  const auto [least, largest] = std::ranges::minmax(table.offsets);
  if (least < 0) return std::nullopt;
  const auto width = static_cast<int64_t>(std::bit_width(static_cast<uint64_t>(largest)));
  ElementOffsets plain = table;
  for (int64_t bits = 1; 2 * bits <= width; ++bits) {
    for (int64_t base = 0; base + 2 * bits <= width; ++base) {
      for (int64_t shift = bits; base + bits + shift <= width; ++shift) {
        const Swizzle swizzle{bits, base, shift};
        // A swizzle is its own inverse.
        std::ranges::transform(table.offsets, plain.offsets.begin(),
                               [&](int64_t offset) { return ApplySwizzle(swizzle, offset); });
        if (auto fitted = FitStrides(plain)) {
          fitted->swizzle = swizzle;
          return fitted;
        }
      }
    }
  }
  return std::nullopt;
}

std::optional<LinearLayout> FitBits(const ElementOffsets& table) {
  std::vector<LinearInput> inputs;
  uint64_t reached = 0;
  for (size_t d = 0; d < table.sizes.size(); ++d) {
    const std::vector<int64_t> line = LineOf(table, d);
    if (!std::has_single_bit(line.size())) return std::nullopt;
    LinearInput& input = inputs.emplace_back(StrCat("i", d));
    for (size_t bit = 1; bit < line.size(); bit *= 2) {
      input.images.push_back(static_cast<uint64_t>(line[bit]));
      reached |= input.images.back();
    }
  }
  auto layout =
      LinearLayout::Create(std::move(inputs), {{DefaultOutputName(0), static_cast<size_t>(std::bit_width(reached))}});
  if (!layout || !table.IsIndex([&](std::span<const int64_t> coordinate) { return layout->Index(coordinate); })) {
    return std::nullopt;
  }
  return *std::move(layout);
}

}  // namespace layoutcheck
