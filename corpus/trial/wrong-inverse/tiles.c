// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <stdint.h>

int64_t offset_of(int64_t row, int64_t column, int64_t columns) {
  const int64_t tiles = (columns + 127) / 128;
  return (row / 8 * tiles + column / 128) * 1024 + row % 8 * 128 + column % 128;
}

int64_t row_of(int64_t offset, int64_t columns) { return offset / (columns * 8) * 8 + offset % 1024 / 128; }

// Is the row that it began with.
int64_t row_there_and_back(int64_t row, int64_t column, int64_t columns) {
  return row_of(offset_of(row, column, columns), columns);
}
