// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Shared memory without bank conflicts, and the maps of matrix instructions from lanes to elements.
#include <cstdint>

// XORs BITS bits above BASE + SHIFT onto the bits above BASE.
template <int BITS, int BASE, int SHIFT>
struct Swizzle {
  static constexpr int mask = ((1 << BITS) - 1) << (BASE + SHIFT);
  static constexpr int apply(int offset) { return offset ^ ((offset & mask) >> SHIFT); }
};

extern "C" {

int swizzle_128b(int offset) { return Swizzle<3, 4, 3>::apply(offset); }

int swizzle_64b(int offset) { return Swizzle<2, 4, 3>::apply(offset); }

// Swizzle<3,3,3> where Swizzle<3,4,3> is meant.
int swizzle_128b_of_halves(int offset) { return Swizzle<3, 3, 3>::apply(offset); }

int swizzle_twice(int offset) { return Swizzle<3, 4, 3>::apply(Swizzle<3, 4, 3>::apply(offset)); }

// A row of 64 halves is 8 chunks of 16 bytes.
int smem_half(int row, int col) {
  int chunk = (col / 8) ^ (row % 8);
  return row * 64 + chunk * 8 + col % 8;
}

// Takes the row of the chunk instead of the row of the tile.
int smem_half_wrong_row(int row, int col) {
  int chunk = (col / 8) ^ (row / 8);
  return row * 64 + chunk * 8 + col % 8;
}

// Right without parentheses: & binds more tightly than ^, and ^ less tightly than +.
int smem_half_precedence(int row, int col) { return row * 64 + (col / 8 ^ row & 7) * 8 + (col & 7); }

int smem_half_sum_first(int row, int col) { return row * 64 + (col & 7) + (col / 8) * 8 ^ (row & 7) * 8; }

int smem_half_rotated(int row, int col) {
  int chunk = (col / 8 + row) % 8;
  return row * 64 + chunk * 8 + col % 8;
}

// ldmatrix.x4: lanes 0 to 15 give the rows of the left half, lanes 16 to 31 those of the right one.
int ldmatrix_x4(unsigned lane, int stride) { return (lane & 15) * stride + (lane >> 4) * 8; }

int ldmatrix_x4_wrong_half(unsigned lane, int stride) { return (lane & 7) * stride + (lane >> 3) * 8; }

// The accumulators of mma.m16n8: register to row and column.
void mma_m16n8(int lane, int reg, int* out) {
  out[0] = lane / 4 + (reg >= 2 ? 8 : 0);
  out[1] = lane % 4 * 2 + (reg & 1);
}

void mma_m16n8_wrong_pair(int lane, int reg, int* out) {
  out[0] = lane / 4 + (reg & 1) * 8;
  out[1] = lane % 4 * 2 + reg / 2;
}
}
