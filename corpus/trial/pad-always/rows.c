// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <stdint.h>

// Bytes of a matrix of int8 whose rows are padded to 32 bytes.
int64_t padded_bytes(int64_t rows, int64_t columns) {
  const int64_t padding = 32 - columns % 32;
  return rows * (columns + padding);
}
