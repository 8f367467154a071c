// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Stands in for the device toolkit, so that a host compiler takes CATLASS's layout headers: names of memories, function
// qualifiers that mean nothing on the host, and the element types whose widths CATLASS knows.
#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>

#define CATLASS_ARCH 3510  // Ascend 950, whose MX scales and 4-bit floats the headers have only there
#define __forceinline__ inline
#define __aicore__
#define __global__

namespace AscendC {
enum class TPosition { GM, A1, A2, B1, B2, C1, C2, CO1, CO2, VECIN, VECOUT, VECCALC };
struct int4b_t {
  uint8_t bits;
};
// Memory of which only the place is known, in elements.
template <class T>
struct GlobalTensor {
  using PrimType = T;
  uint64_t offset = 0;
  GlobalTensor operator[](uint64_t k) const { return {offset + k}; }
};
}  // namespace AscendC

struct float4_e2m1x2_t {
  uint8_t bits;
};
struct float4_e1m2x2_t {
  uint8_t bits;
};
struct float8_e8m0_t {
  uint8_t bits;
};
