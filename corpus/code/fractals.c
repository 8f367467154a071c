// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Offsets in the fractal formats of matrix units: 16 rows, and 32 bytes per row or column of a fractal.

#define CEIL_DIV(a, b) (((a) + (b) - 1) / (b))
// A macro without the parentheses that it needs.
#define CEIL_DIV_BARE(a, b) (a + b - 1) / b
#define C0 16

int zn_16_bits(int row, int col, int rows) {
  int fractal = col / C0 * CEIL_DIV(rows, 16) + row / 16;
  return fractal * 256 + row % 16 * C0 + col % C0;
}

// The number of fractals is that of a row.
int zn_16_bits_by_cols(int row, int col, int cols) {
  int fractal = col / C0 * CEIL_DIV(cols, 16) + row / 16;
  return fractal * 256 + row % 16 * C0 + col % C0;
}

int nz_16_bits(int row, int col, int cols) {
  int fractal = row / 16 * CEIL_DIV(cols, 16) + col / 16;
  return fractal * 256 + (col & 15) * 16 + (row & 15);
}

// The inside of the fractal is that of zZ.
int nz_16_bits_inside(int row, int col, int cols) {
  int fractal = row / 16 * CEIL_DIV(cols, 16) + col / 16;
  return fractal * 256 + (row & 15) * 16 + (col & 15);
}

int zz_16_bits(int row, int col, int cols) {
  return ((row >> 4) * CEIL_DIV(cols, 16) + (col >> 4)) * 256 + ((row & 15) << 4) + (col & 15);
}

int zn_8_bits(int row, int col, int rows) {
  return (col / 32 * CEIL_DIV(rows, 16) + row / 16) * 512 + row % 16 * 32 + col % 32;
}

// Takes the fractal of 16 bits.
int zn_8_bits_as_16(int row, int col, int rows) {
  return (col / 16 * CEIL_DIV(rows, 16) + row / 16) * 256 + row % 16 * 16 + col % 16;
}

int nz_8_bits(int row, int col, int cols) {
  return (row / 32 * CEIL_DIV(cols, 16) + col / 16) * 512 + col % 16 * 32 + row % 32;
}

int zn_32_bits(int row, int col, int rows) {
  return (col / 8 * CEIL_DIV(rows, 16) + row / 16) * 128 + row % 16 * 8 + col % 8;
}

// The macro's quotient binds to the product on its left: (col / 8 * (rows + 15)) / 16.
int zn_32_bits_bare_macro(int row, int col, int rows) {
  return (col / 8 * CEIL_DIV_BARE(rows, 16) + row / 16) * 128 + row % 16 * 8 + col % 8;
}

int zz_32_bits(int row, int col, int cols) {
  return (row / 16 * CEIL_DIV(cols, 8) + col / 8) * 128 + row % 16 * 8 + col % 8;
}
