// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <stdint.h>

// Offset of a float in tiles of 8 x 128.
int64_t tile_offset(int64_t row, int64_t column, int64_t columns) {
  const int64_t tiles = (columns + 127) / 128;
  return (row / 8 * tiles + column / 128) * 1024 + row % 8 * 128 + column % 128;
}

int64_t padded_elements(int64_t rows, int64_t columns) { return (rows + 7) / 8 * ((columns + 127) / 128) * 1024; }
