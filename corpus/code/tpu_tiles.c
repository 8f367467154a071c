// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Offsets in the tiled arrays of TPUs, in elements.
#include <stddef.h>
#include <stdint.h>

#define LANES 128
#define SUBLANES 8

static inline int ceil_div(int a, int b) { return (a + b - 1) / b; }

int tile_8x128(int row, int col, int cols) {
  int tiles_per_row = (cols + 127) / 128;
  int tile = (row / 8) * tiles_per_row + col / 128;
  return tile * 1024 + (row % 8) * 128 + col % 128;
}

// 127 / 128 is 0.
int tile_8x128_precedence(int row, int col, int cols) {
  int tiles_per_row = (cols + 127 / 128);
  int tile = (row / 8) * tiles_per_row + col / 128;
  return tile * 1024 + (row % 8) * 128 + col % 128;
}

// One tile too many where the columns are a multiple of 128.
int tile_8x128_plus_one(int row, int col, int cols) {
  int tiles_per_row = cols / LANES + 1;
  int tile = (row / SUBLANES) * tiles_per_row + col / LANES;
  return tile * (SUBLANES * LANES) + (row % SUBLANES) * LANES + col % LANES;
}

int tile_8x128_bits(int row, int col, int cols) {
  return (((row >> 3) * ((cols + 127) >> 7) + (col >> 7)) << 10) | ((row & 7) << 7) | (col & 127);
}

// The shift that selects the sublane is that of the tile.
int tile_8x128_bits_wrong_shift(int row, int col, int cols) {
  return (((row >> 3) * ((cols + 127) >> 7) + (col >> 7)) << 10) | ((row & 7) << 10) | (col & 127);
}

unsigned tile_8x128_unsigned(unsigned row, unsigned col, unsigned cols) {
  unsigned tile = row / 8u * ((cols + 127u) / 128u) + col / 128u;
  return tile * 1024u + row % 8u * 128u + col % 128u;
}

size_t tile_8x128_size_t(size_t row, size_t col, size_t cols) {
  size_t tiles_per_row = (cols + LANES - 1) / LANES;
  return (row / SUBLANES * tiles_per_row + col / LANES) * SUBLANES * LANES + row % SUBLANES * LANES + col % LANES;
}

// The number of the tile fits 32 bits, the offset does not.
int64_t tile_8x128_widened_late(int row, int col, int cols) {
  int tile = (row / 8) * ceil_div(cols, 128) + col / 128;
  int64_t offset = tile * 1024;
  return offset + (row % 8) * 128 + col % 128;
}

int64_t tile_8x128_widened(int row, int col, int cols) {
  int tile = (row / 8) * ceil_div(cols, 128) + col / 128;
  return (int64_t)tile * 1024 + (row % 8) * 128 + col % 128;
}

// The column of tiles is counted first.
int tile_8x128_columns_first(int row, int col, int rows) {
  int tiles_per_column = ceil_div(rows, 8);
  int tile = (col / 128) * tiles_per_column + row / 8;
  return tile * 1024 + (row % 8) * 128 + col % 128;
}

// A short holds the number of the tile in its row.
int tile_8x128_short(int row, int col, int cols) {
  short lane_tile = (short)(col / 128);
  short sublane = (short)(row % 8);
  return ((row / 8) * ceil_div(cols, 128) + lane_tile) * 1024 + sublane * 128 + col % 128;
}

int tile_8x128_byte_lanes(int row, int col, int cols) {
  uint8_t lane = (uint8_t)(col % 128);
  uint8_t sublane = (uint8_t)row & 7;
  return ((row / 8) * ceil_div(cols, 128) + col / 128) * 1024 + sublane * 128 + lane;
}

int tile_8x128_column_major(int row, int col, int rows) {
  int tile = (col / 8) * ceil_div(rows, 128) + row / 128;
  return tile * 1024 + (col % 8) * 128 + row % 128;
}

int tile_8x128_2x1(int row, int col, int cols) {
  int tile = (row / 8) * ceil_div(cols, 128) + col / 128;
  int r = row % 8;
  return tile * 1024 + (r / 2) * 256 + (col % 128) * 2 + r % 2;
}

// Packs pairs of columns instead of pairs of rows.
int tile_8x128_1x2(int row, int col, int cols) {
  int tile = (row / 8) * ceil_div(cols, 128) + col / 128;
  int r = row % 8;
  return tile * 1024 + (r / 2) * 256 + (r % 2) * 128 + col % 128;
}

static const int kPackedRow[8] = {0, 1, 256, 257, 512, 513, 768, 769};
static const int kPackedRowTypo[8] = {0, 1, 256, 257, 512, 513, 786, 769};

int tile_8x128_2x1_table(int row, int col, int cols) {
  int tile = (row / 8) * ceil_div(cols, 128) + col / 128;
  return tile * 1024 + kPackedRow[row % 8] + col % 128 * 2;
}

int tile_8x128_2x1_table_typo(int row, int col, int cols) {
  int tile = (row / 8) * ceil_div(cols, 128) + col / 128;
  return tile * 1024 + kPackedRowTypo[row % 8] + col % 128 * 2;
}

int tile_8x128_4x1(int row, int col, int cols) {
  int tile = (row / 8) * ceil_div(cols, 128) + col / 128;
  return tile * 1024 + (row % 8 / 4) * 512 + (col % 128) * 4 + row % 4;
}

int tile_8x128_4x1_swapped(int row, int col, int cols) {
  int tile = (row / 8) * ceil_div(cols, 128) + col / 128;
  return tile * 1024 + (row % 4) * 256 + (col % 128) * 2 + row % 8 / 4;
}

int tile_2x128(int row, int col, int cols) {
  return ((row >> 1) * ((cols + 127) / 128) + col / 128) * 256 + ((row & 1) ? 128 : 0) + (col & 127);
}

// The guard for short rows is right, its bound is not.
int tile_2x128_short_row(int row, int col, int cols) {
  if (cols <= 256) return (row / 2) * 256 + (row % 2) * 128 + col;
  return ((row / 2) * ceil_div(cols, 128) + col / 128) * 256 + (row % 2) * 128 + col % 128;
}

int tile_256(int i) { return i / 256 * 256 + i % 256; }

int tile_256_of_rows(int row, int col, int cols) { return row * (ceil_div(cols, 256) * 256) + col; }

int tile_256_of_rows_unpadded(int row, int col, int cols) { return row * cols + col; }

// Rounds up with a mask that is right for powers of two only.
int tile_384_by_mask(int row, int col, int cols) { return row * ((cols + 383) & ~383) + col; }

int tile_8x128_rank3(int batch, int row, int col, int rows, int cols) {
  int tiles = ceil_div(rows, 8) * ceil_div(cols, 128);
  int tile = batch * tiles + (row / 8) * ceil_div(cols, 128) + col / 128;
  return tile * 1024 + (row % 8) * 128 + col % 128;
}

// The batch stride leaves out the padding of the rows.
int tile_8x128_rank3_unpadded(int batch, int row, int col, int rows, int cols) {
  int padded_cols = ceil_div(cols, 128) * 128;
  return batch * rows * padded_cols + (row / 8) * 8 * padded_cols + (col / 128) * 1024 + (row % 8) * 128 + col % 128;
}

int tile_12x128(int row, int col, int cols) {
  return ((row / 12) * ceil_div(cols, 128) + col / 128) * 1536 + (row % 12) * 128 + col % 128;
}

// 12 is no power of two.
int tile_12x128_by_mask(int row, int col, int cols) {
  return ((row / 12) * ceil_div(cols, 128) + col / 128) * 1536 + (row & 11) * 128 + (col & 127);
}

int tile_any(int row, int col, int cols, int tile_rows, int tile_cols) {
  int tile = row / tile_rows * ceil_div(cols, tile_cols) + col / tile_cols;
  return tile * (tile_rows * tile_cols) + row % tile_rows * tile_cols + col % tile_cols;
}

// Steps by the rows of the tile within it.
int tile_any_swapped(int row, int col, int cols, int tile_rows, int tile_cols) {
  int tile = row / tile_rows * ceil_div(cols, tile_cols) + col / tile_cols;
  return tile * (tile_rows * tile_cols) + row % tile_rows * tile_rows + col % tile_cols;
}
