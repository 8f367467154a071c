// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Functions that are right only for parameters that are not negative, each with one that is right for all: C's / and %
// round to 0, a shift and a mask round down.
#include <stdint.h>

int block_begin(int base) { return base / 32 * 32; }
int block_begin_masked(int base) { return base & ~31; }

int tile_of(int row) { return row / 8; }
int tile_of_shifted(int row) { return row >> 3; }

int lane_of(int column) { return column % 128; }
int lane_of_wrapped(int column) { return (column % 128 + 128) % 128; }

int tiles_up(int n) { return (n + 31) / 32; }
int tiles_up_either(int n) { return n > 0 ? (n - 1) / 32 + 1 : n / 32; }

int widened(int8_t delta) { return (uint8_t)delta; }
int widened_signed(int8_t delta) { return delta; }

int64_t distance(int64_t a) { return a < 0 ? -a : a; }
uint64_t distance_unsigned(int64_t a) { return a < 0 ? -(uint64_t)a : (uint64_t)a; }

int halves(int a, int b) { return (a + b) / 2; }
int halves_wide(int a, int b) { return (int)(((int64_t)a + b) >> 1); }

int64_t rebased(int64_t n) { return n - 65536; }
