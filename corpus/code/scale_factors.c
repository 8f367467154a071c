// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Scale factors of block-scaled formats: blocks of 128 rows and 4 factors, whose rows are interleaved by 32.

int scales_128x4(int row, int k, int factors) {
  int blocks_k = (factors + 3) / 4;
  int block = row / 128 * blocks_k + k / 4;
  return block * 512 + row % 32 * 16 + row % 128 / 32 * 4 + k % 4;
}

// The rows of a block in their order.
int scales_128x4_in_order(int row, int k, int factors) {
  int blocks_k = (factors + 3) / 4;
  int block = row / 128 * blocks_k + k / 4;
  return block * 512 + row % 128 * 4 + k % 4;
}

int scales_128x4_bits(int row, int k, int factors) {
  return (((row >> 7) * ((factors + 3) >> 2) + (k >> 2)) << 9) + ((row & 31) << 4) + ((row & 96) >> 3) + (k & 3);
}

// row / 32 goes past 3 in the second block.
int scales_128x4_no_modulus(int row, int k, int factors) {
  int blocks_k = (factors + 3) / 4;
  int block = row / 128 * blocks_k + k / 4;
  return block * 512 + row % 32 * 16 + row / 32 * 4 + k % 4;
}
