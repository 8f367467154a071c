// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Byte strides of arrays, as XLA's ShapeUtil computes them. Tiles are ignored, because dimensions of a tiled array have
// no stride.
#ifndef LAYOUTCHECK_CORE_XLA_UTIL_BYTE_STRIDES_H_
#define LAYOUTCHECK_CORE_XLA_UTIL_BYTE_STRIDES_H_

#include <cstdint>
#include <optional>
#include <vector>

#include "layoutcheck/core/base/error.h"
#include "layoutcheck/core/hlo/shape.h"

namespace layoutcheck {

// Returns the bytes between neighbors along each logical dimension, with the byte width of the type for an element;
// E(n) is ignored. Errors: no array with a layout, an unbounded dimension (XLA multiplies by its marker), overflow.
Expected<std::vector<int64_t>> UnpackedByteStrides(const Shape& shape);

// Returns the same with E(n) bits for an element, or nothing if that is no whole number of bytes. The strides of s8
// with E(32) are multiples of 4 bytes; XLA computes them with the byte width of the type. Errors: as of
// UnpackedByteStrides, and a negative E(n).
Expected<std::optional<std::vector<int64_t>>> ByteStrides(const Shape& shape);

}  // namespace layoutcheck

#endif  // LAYOUTCHECK_CORE_XLA_UTIL_BYTE_STRIDES_H_
