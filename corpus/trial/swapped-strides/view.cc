// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "view.h"

int64_t PixelOffset(Image image, int64_t n, int64_t c, int64_t y, int64_t x) {
  return n * image.image_stride() + y * image.row_stride() + x * image.column_stride() + c;
}
