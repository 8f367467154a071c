// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Byte sizes of shapes under XLA's names, computed as XLA documents them.
#pragma once

#include <cstdint>
#include "layoutcheck/core/base/error.h"
#include "layoutcheck/core/hlo/shape.h"

namespace layoutcheck {

// Returns the bytes of the elements alone, packed by their width, without padding. (XLA's header says that padding is
// included; it never was.) A buffer counts as its array. Errors: as of ElementsIn.
Expected<int64_t> ByteSizeOfElements(const Shape& shape);

// Returns the sum of ByteSizeOfElements over the leaves of a tuple.
Expected<int64_t> ByteSizeOfElementsRecursive(const Shape& shape);

// Returns ByteSizeOfElements for arrays and buffers, the bytes of a table of pointers for a tuple and of one pointer
// for an opaque value, and 0 for a token. `pointer_size` is in bytes.
Expected<int64_t> ByteSizeOf(const Shape& shape, int64_t pointer_size = 8);

// Returns the bytes that an array allocates, padding of tiles and tail included. (XLA counts only the first tile, and
// tail padding only if there are tiles.) With SC(...), only the largest split counts. Errors: as of SizesOf.
Expected<int64_t> ArraySize(const Shape& shape);

// Returns the bytes up to the end of the last element in memory: ceil(extent * bits / 8). Errors: as of ExtentOf.
Expected<int64_t> ArrayDataSize(const Shape& shape);

}  // namespace layoutcheck
