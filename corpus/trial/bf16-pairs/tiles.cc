// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <cstdint>

// Offset of a bf16 in tiles of 8 x 128, where two rows share each word.
int64_t Bf16Offset(int64_t row, int64_t column, int64_t columns) {
  const int64_t tiles = (columns + 127) / 128;
  const int64_t tile = row / 8 * tiles + column / 128;
  const int64_t in_tile = row % 8;
  return tile * 1024 + in_tile % 4 * 256 + column % 128 * 2 + in_tile / 4;
}
