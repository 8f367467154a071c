// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Offsets of plain arrays: row-major, column-major, by strides, by rank, in bytes.
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

typedef struct {
  int x, y, z;
} int3;

int row_major(int row, int col, int cols) { return row * cols + col; }

int column_major(int row, int col, int rows) { return col * rows + row; }

// Multiplies by the wrong extent, which a square matrix does not show.
int column_major_by_cols(int row, int col, int cols) { return col * cols + row; }

int nchw(int n, int c, int h, int w, int C, int H, int W) { return ((n * C + c) * H + h) * W + w; }

int nhwc(int n, int c, int h, int w, int C, int H, int W) { return ((n * H + h) * W + w) * C + c; }

// Steps over rows of H places.
int nhwc_by_height(int n, int c, int h, int w, int C, int H, int W) {
  (void)W;
  return ((n * H + h) * H + w) * C + c;
}

int offset_of_rank(const int* shape, const int* index, int rank) {
  int offset = 0;
  for (int k = 0; k < rank; ++k) offset = offset * shape[k] + index[k];
  return offset;
}

// Takes the strides from the first dimension on, as if it were the fastest.
int offset_from_first(const int* shape, const int* index, int rank) {
  int offset = 0;
  int stride = 1;
  for (int k = 0; k < rank; ++k) {
    offset += index[k] * stride;
    stride *= shape[k];
  }
  return offset;
}

int linear_id(int3 p, int3 size) { return (p.z * size.y + p.y) * size.x + p.x; }

int linear_id_swapped(int3 p, int3 size) { return (p.z * size.x + p.y) * size.y + p.x; }

size_t row_major_size_t(size_t row, size_t col, size_t cols) { return row * cols + col; }

int64_t row_major_widened(int row, int col, int cols) { return (int64_t)row * cols + col; }

// The product has 32 bits; only the sum has 64.
int64_t row_major_widened_late(int row, int col, int cols) {
  int64_t offset = row * cols;
  return offset + col;
}

unsigned row_major_unsigned(unsigned row, unsigned col, unsigned cols) { return row * cols + col; }

int byte_offset(int row, int col, int byte, int cols) { return (row * cols + col) * 4 + byte; }

enum order { kRowMajor, kColumnMajor };

int by_order(enum order order, int row, int col, int rows, int cols) {
  switch (order) {
    case kRowMajor: return row * cols + col;
    case kColumnMajor: return col * rows + row;
  }
  return -1;
}

// The first case falls through.
int by_order_without_break(enum order order, int row, int col, int rows, int cols) {
  int offset = -1;
  switch (order) {
    case kRowMajor: offset = row * cols + col;
    case kColumnMajor: offset = col * rows + row; break;
    default: break;
  }
  return offset;
}

// A view that is flipped along its only dimension.
int flipped(int i, int n) { return abs(i - (n - 1)); }

int flipped_by_one(int i, int n) { return abs(i - n); }
