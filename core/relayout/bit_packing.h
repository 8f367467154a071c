// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Packing of elements of 1, 2 or 4 bits: XLA's packed storage of sub-byte types (layout attribute E(n)). Element 0 is
// in the low bits of byte 0; the unused high bits of the last byte are zero.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include "layoutcheck/core/base/error.h"

namespace layoutcheck {

// Packs elements of one byte each and drops bits above the low `bits`. `packed` must not overlap `unpacked`. Errors
// (invalid argument): bits other than 1, 2 or 4; a size of `packed` other than ceil(unpacked.size() * bits / 8).
Expected<void> PackIntN(int64_t bits, std::span<const std::byte> unpacked, std::span<std::byte> packed);

// Unpacks elements into one byte per element, with zero high bits. Errors: those of PackIntN.
Expected<void> UnpackIntN(int64_t bits, std::span<const std::byte> packed, std::span<std::byte> unpacked);

}  // namespace layoutcheck
