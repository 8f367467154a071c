// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The offset of an element in a shape:stride layout as a template over its integer type, like tiled_index_program.h.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>
#include "layoutcheck/core/base/integer.h"

namespace layoutcheck {

// An integer of a shape with its stride.
template <class Int>
struct BasicStridedMode {
  Int extent{};
  Int stride{};
  bool operator==(const BasicStridedMode&) const = default;
};

// A flattened shape:stride layout: per top-level mode its leaves, fastest first. Flattening keeps the offset of every
// integral coordinate, because a quotient of a quotient is the quotient by the product.
template <class Int>
struct BasicStridedLayout {
  std::vector<std::vector<BasicStridedMode<Int>>> modes;
};

using StridedMode = BasicStridedMode<int64_t>;
using StridedLayout = BasicStridedLayout<int64_t>;

// Returns the offset of an integral coordinate >= 0 in one top-level mode (CuTe's crd2idx, TLA's crd2offset),
// decomposed colexicographically. The last leaf takes the whole rest, even beyond its extent. Returns 0 if there is no
// leaf. Requires extents >= 1.
template <class Int>
Int IntegralOffset(std::span<const BasicStridedMode<Int>> modes, Int coordinate) {
  Int offset = Int(0);
  for (size_t i = 0; i < modes.size(); ++i) {
    if (i + 1 == modes.size()) return offset + coordinate * modes[i].stride;
    offset = offset + Mod(coordinate, modes[i].extent) * modes[i].stride;
    coordinate = FloorDiv(coordinate, modes[i].extent);
  }
  return offset;
}

// Returns the offset of a coordinate with one integer per top-level mode. Requires as many integers as modes.
template <class Int>
Int StridedOffset(const BasicStridedLayout<Int>& layout, std::span<const Int> coordinate) {
  Int offset = Int(0);
  for (size_t i = 0; i < layout.modes.size(); ++i) {
    offset = offset + IntegralOffset<Int>(layout.modes[i], coordinate[i]);
  }
  return offset;
}

// An integer of fixed width with C++'s arithmetic on two's complement hardware. `overflow`: a result left the range.
template <class T>
using WrappingInt = CheckedInteger<T>;
using WrappingInt32 = WrappingInt<int32_t>;
using WrappingUint32 = WrappingInt<uint32_t>;

// C++'s truncating a / b and a % b, and (a + b - 1) / b as in kernels. A divisor that wrapped to 0 or below counts as 1
// and sets `overflow`, so that nothing traps.
template <class T>
constexpr WrappingInt<T> UsableDivisor(WrappingInt<T> b) {
  return b.value < 1 ? WrappingInt<T>(T{1}, true) : b;
}
template <class T>
constexpr WrappingInt<T> FloorDiv(WrappingInt<T> a, WrappingInt<T> b) {
  b = UsableDivisor(b);
  return {static_cast<T>(a.value / b.value), a.overflow || b.overflow};
}
template <class T>
constexpr WrappingInt<T> Mod(WrappingInt<T> a, WrappingInt<T> b) {
  b = UsableDivisor(b);
  return {static_cast<T>(a.value % b.value), a.overflow || b.overflow};
}
template <class T>
constexpr WrappingInt<T> CeilDiv(WrappingInt<T> a, WrappingInt<T> b) {
  return FloorDiv(a + (b - WrappingInt<T>(T{1}, false)), b);
}

// Returns the same layout over another integer type.
template <class Int>
BasicStridedLayout<Int> ConvertStridedLayout(const StridedLayout& layout) {
  BasicStridedLayout<Int> result;
  for (const auto& mode : layout.modes) {
    auto& converted = result.modes.emplace_back();
    for (const StridedMode& leaf : mode) converted.push_back({Int(leaf.extent), Int(leaf.stride)});
  }
  return result;
}

}  // namespace layoutcheck
