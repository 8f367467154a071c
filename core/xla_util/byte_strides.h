// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Byte strides of arrays, as in XLA's ShapeUtil. Tiles are ignored: the dimensions of a tiled array have no stride.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>
#include "layoutcheck/core/base/error.h"
#include "layoutcheck/core/hlo/shape.h"

namespace layoutcheck {

// Returns the bytes between neighbors along each logical dimension, for elements of the type's byte width; E(n) is
// ignored. Errors: no array with a layout, an unbounded dimension (XLA multiplies by its marker), overflow.
Expected<std::vector<int64_t>> UnpackedByteStrides(const Shape& shape);

// Returns the strides for elements of E(n) bits, or nothing if that is no whole number of bytes. (XLA multiplies by the
// byte width: 1, not 4, for s8 with E(32).) Errors: as of UnpackedByteStrides, and a negative E(n).
Expected<std::optional<std::vector<int64_t>>> ByteStrides(const Shape& shape);

}  // namespace layoutcheck
