// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// Place of a half in a tile of shared memory with rows of 64, swizzled over 128 bytes as the copy engine writes it.
static inline int swizzled(int row, int column) {
  const int chunk = (column >> 3) ^ (row & 3);
  return row * 64 + (chunk << 3) + (column & 7);
}
