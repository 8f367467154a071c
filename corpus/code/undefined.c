// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Functions whose value is right on many machines although C does not define it, each with a twin that C defines.
#include <stdint.h>
#include <string.h>

static const int kDigits[4][2] = {{0, 1}, {2, 3}, {4, 5}, {6, 7}};

int row_in_tile(int r, int c, int N) { return r / 8 * 8 * N + c * 8 + kDigits[r % 8 / 2][r % 2]; }
int row_in_tile_past_row(int r, int c, int N) { return r / 8 * 8 * N + c * 8 + kDigits[0][r % 8]; }

static void fill(int* sizes, int n) { sizes[0] = sizes[1] = n; }
static int* local_sizes(int n) {
  int sizes[2] = {n, n};
  return sizes + 1;
}
int row_of_caller(int r, int c, int N) {
  int sizes[2];
  fill(sizes, N);
  return r * sizes[1] + c;
}
int row_of_ended_function(int r, int c, int N) {
  int* p = local_sizes(N);
  return r * *p + c;
}

int aligned_bytes(int r, int c, int N) {
  _Alignas(4) uint8_t bytes[12];
  memcpy(bytes + 4, &N, 4);
  return r * *(int*)(bytes + 4) + c;
}
int misaligned_bytes(int r, int c, int N) {
  _Alignas(4) uint8_t bytes[12];
  memcpy(bytes + 1, &N, 4);
  return r * *(int*)(bytes + 1) + c;
}

int bool_of_one(int r, int c, int N) {
  uint8_t one = 1;
  _Bool b;
  memcpy(&b, &one, 1);
  return b ? r * N + c : -1;
}
int bool_of_two(int r, int c, int N) {
  uint8_t two = 2;
  _Bool b;
  memcpy(&b, &two, 1);
  return b ? r * N + c : -1;
}
