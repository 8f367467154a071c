// Elements of 1, 2 or 4 bits, many in a byte: XLA's packed storage of sub-byte types (layout attribute E(n)). Element 0
// is in the low bits of byte 0; the unused high bits of the last byte are zero.
#ifndef LAYOUTCHECK_CORE_RELAYOUT_BIT_PACKING_H_
#define LAYOUTCHECK_CORE_RELAYOUT_BIT_PACKING_H_

#include <cstddef>
#include <cstdint>
#include <span>

#include "layoutcheck/core/base/error.h"

namespace layoutcheck {

// Packs elements that take a byte each; bits above the low `bits` are dropped. Errors (invalid argument): a width other
// than 1, 2 or 4, and `packed` that is not ceil(unpacked.size() * bits / 8) bytes long. The spans must not overlap.
Expected<void> PackIntN(int64_t bits, std::span<const std::byte> unpacked, std::span<std::byte> packed);

// The inverse: one byte for each element, its high bits zero. Errors as for PackIntN; unpacked.size() is the number of
// elements.
Expected<void> UnpackIntN(int64_t bits, std::span<const std::byte> packed, std::span<std::byte> unpacked);

}  // namespace layoutcheck

#endif  // LAYOUTCHECK_CORE_RELAYOUT_BIT_PACKING_H_
