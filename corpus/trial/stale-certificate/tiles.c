// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <stdint.h>

// Offset of a float in tiles of 8 x 128. tiles.cert has the proof.
int64_t tile_offset(int64_t row, int64_t column, int64_t columns) {
  const int64_t tiles = columns / 128;
  return (row / 8 * tiles + column / 128) * 1024 + row % 8 * 128 + column % 128;
}
