// Byte strides of arrays without tiles, as XLA's ShapeUtil computes them. Tiles are ignored: a tiled array has no
// stride for a dimension.
#ifndef LAYOUTCHECK_CORE_XLA_UTIL_BYTE_STRIDES_H_
#define LAYOUTCHECK_CORE_XLA_UTIL_BYTE_STRIDES_H_

#include <cstdint>
#include <optional>
#include <vector>

#include "layoutcheck/core/base/error.h"
#include "layoutcheck/core/hlo/shape.h"

namespace layoutcheck {

// For each logical dimension the bytes between neighbors where an element takes its type's byte width; E(n) is ignored.
// Errors: not an array with a layout, an unbounded dimension (XLA multiplies with its marker), overflow.
Expected<std::vector<int64_t>> UnpackedByteStrides(const Shape& shape);

// The same where an element takes E(n) bits: nothing if that is no whole number of bytes. XLA then still counts with
// the type's byte width; here s8 with E(32) has strides of 4 bytes. Errors: the same; a negative E(n).
Expected<std::optional<std::vector<int64_t>>> ByteStrides(const Shape& shape);

}  // namespace layoutcheck

#endif  // LAYOUTCHECK_CORE_XLA_UTIL_BYTE_STRIDES_H_
