// The offset of an element in a shape:stride layout, written once as a template over its integer type, like the index
// of a tiled layout (../tiled_index.h).
#ifndef LAYOUTCHECK_CORE_SHAPE_STRIDE_STRIDED_INDEX_H_
#define LAYOUTCHECK_CORE_SHAPE_STRIDE_STRIDED_INDEX_H_

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "layoutcheck/core/base/integer.h"

namespace layoutcheck {

// One integer of a shape with its stride.
template <class Int>
struct BasicStridedMode {
  Int extent{};
  Int stride{};
  bool operator==(const BasicStridedMode&) const = default;
};

// A shape:stride layout with nested modes flattened: for each top-level mode its leaves, fastest first. Flattening
// keeps the offset of every integral coordinate, because a quotient of a quotient is the quotient by the product.
template <class Int>
struct BasicStridedLayout {
  std::vector<std::vector<BasicStridedMode<Int>>> modes;
};

using StridedMode = BasicStridedMode<int64_t>;
using StridedLayout = BasicStridedLayout<int64_t>;

// The offset of the integral coordinate `coordinate` >= 0: it is taken apart colexicographically, the first mode
// fastest; the last mode takes the whole rest, also past its extent (CuTe's crd2idx, TLA's crd2offset). 0 where there
// is no mode. Requires extents >= 1.
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

// The offset of a coordinate with one integer for each top-level mode. Requires as many integers as modes.
template <class Int>
Int StridedOffset(const BasicStridedLayout<Int>& layout, std::span<const Int> coordinate) {
  Int offset = Int(0);
  for (size_t i = 0; i < layout.modes.size(); ++i) {
    offset = offset + IntegralOffset<Int>(layout.modes[i], coordinate[i]);
  }
  return offset;
}

// An integer of fixed width as C++ computes with it on two's complement hardware; `overflow` says that a result left
// its range.
template <class T>
using WrappingInt = CheckedInteger<T>;
using WrappingInt32 = WrappingInt<int32_t>;
using WrappingUint32 = WrappingInt<uint32_t>;

// C++'s a / b and a % b (toward zero), and (a + b - 1) / b as kernels write a division that rounds up. A divisor that
// wrapped to 0 or below divides by 1, so that nothing traps; `overflow` is set already.
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

// The same layout over another integer type.
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

#endif  // LAYOUTCHECK_CORE_SHAPE_STRIDE_STRIDED_INDEX_H_
