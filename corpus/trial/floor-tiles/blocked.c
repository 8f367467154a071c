// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <stddef.h>

// Offset of an activation whose channels come in blocks of 16.
size_t blocked_offset(size_t n, size_t c, size_t h, size_t w, size_t channels, size_t height, size_t width) {
  const size_t blocks = channels / 16;
  return (((n * blocks + c / 16) * height + h) * width + w) * 16 + c % 16;
}
