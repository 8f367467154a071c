// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
#include <cstdint>

// The sizes of an image batch with the channels in the minor dimension.
struct Image {
  int64_t channels, height, width;

  int64_t row_stride() const { return channels; }
  int64_t column_stride() const { return channels * height; }
  int64_t image_stride() const { return channels * height * width; }
};
