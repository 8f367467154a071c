// XLA's byte sizes of shapes by XLA's names, computed as they are documented.
#ifndef LAYOUTCHECK_CORE_XLA_UTIL_ARRAY_SIZE_H_
#define LAYOUTCHECK_CORE_XLA_UTIL_ARRAY_SIZE_H_

#include <cstdint>

#include "layoutcheck/core/base/error.h"
#include "layoutcheck/core/hlo/shape.h"

namespace layoutcheck {

// The bytes of the elements alone, packed by their width: no tiles and no tail padding (XLA's header says that padding
// is included; it never was). Of a buffer those of its array. Errors: as ElementsIn.
Expected<int64_t> ByteSizeOfElements(const Shape& shape);

// The same, summed over the leaves of a tuple.
Expected<int64_t> ByteSizeOfElementsRecursive(const Shape& shape);

// ByteSizeOfElements for arrays and buffers, a table of pointers for a tuple, one pointer for an opaque value, 0 for a
// token. `pointer_size` is in bytes.
Expected<int64_t> ByteSizeOf(const Shape& shape, int64_t pointer_size = 8);

// The bytes that an array allocates: all tiles and the tail padding counted (XLA looks at the first tile only, and at
// the tail padding only where there are tiles). Where the layout has SC(...), those of its largest split. Errors: as
// SizesOf.
Expected<int64_t> ArraySize(const Shape& shape);

// The bytes up to the end of the element with the largest offset: ceil(extent * bits / 8). Errors: as ExtentOf.
Expected<int64_t> ArrayDataSize(const Shape& shape);

}  // namespace layoutcheck

#endif  // LAYOUTCHECK_CORE_XLA_UTIL_ARRAY_SIZE_H_
