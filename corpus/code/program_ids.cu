// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which tile a program, block or thread works on.
#ifndef __device__
#define __device__ __attribute__((device))
#endif

static __device__ int min_of(int a, int b) { return a < b ? a : b; }

// Groups of 8 rows of tiles: the tiles of a group are walked column by column.
extern "C" __device__ void grouped(int pid, int tiles_m, int tiles_n, int* out) {
  const int group_m = 8;
  int per_group = group_m * tiles_n;
  int group = pid / per_group;
  int first_m = group * group_m;
  int size_m = min_of(tiles_m - first_m, group_m);
  out[0] = first_m + (pid % per_group) % size_m;
  out[1] = (pid % per_group) / size_m;
}

// The last group is smaller, so the number in the group and the number of the program differ modulo its size.
extern "C" __device__ void grouped_by_pid(int pid, int tiles_m, int tiles_n, int* out) {
  const int group_m = 8;
  int per_group = group_m * tiles_n;
  int group = pid / per_group;
  int first_m = group * group_m;
  int size_m = min_of(tiles_m - first_m, group_m);
  out[0] = first_m + pid % size_m;
  out[1] = (pid % per_group) / size_m;
}

// Takes all groups for full ones.
extern "C" __device__ void grouped_full(int pid, int tiles_m, int tiles_n, int* out) {
  const int group_m = 8;
  int per_group = group_m * tiles_n;
  int in_group = pid % per_group;
  (void)tiles_m;
  out[0] = pid / per_group * group_m + in_group % group_m;
  out[1] = in_group / group_m;
}

// Threadblock swizzle of 2^log columns: blockIdx to tile.
extern "C" __device__ void threadblock_swizzle(int block_x, int block_y, int log_tile, int* out) {
  out[0] = block_x >> log_tile;
  out[1] = (block_y << log_tile) + (block_x & ((1 << log_tile) - 1));
}

extern "C" __device__ void threadblock_swizzle_mask(int block_x, int block_y, int log_tile, int* out) {
  out[0] = block_x >> log_tile;
  out[1] = (block_y << log_tile) + (block_x & (1 << log_tile));
}

// The first index of a program over a flat array.
extern "C" __device__ long long block_start(int pid, int lane) { return (long long)pid * 1024 + lane; }

// Pairs of rows walked in a serpentine: even rows from the left, odd rows from the right.
extern "C" __device__ void serpentine(int pid, int tiles_n, int* out) {
  int row = pid / tiles_n;
  int col = pid % tiles_n;
  out[0] = row;
  out[1] = row % 2 == 0 ? col : tiles_n - 1 - col;
}

extern "C" __device__ void serpentine_by_one(int pid, int tiles_n, int* out) {
  int row = pid / tiles_n;
  int col = pid % tiles_n;
  out[0] = row;
  out[1] = row & 1 ? tiles_n - col : col;
}
