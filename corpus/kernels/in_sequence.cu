// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Kernels that run one after another: what one stores, the next reads.

// Packs a matrix into tiles of 32 by 32.
__global__ void pack(const float* in, float* tiles, int rows, int columns) {
  int r = blockIdx.y * 32 + threadIdx.y;
  int c = blockIdx.x * 32 + threadIdx.x;
  if (r >= rows || c >= columns) return;
  int tile = blockIdx.y * ((columns + 31) / 32) + blockIdx.x;
  tiles[tile * 1024 + threadIdx.y * 32 + threadIdx.x] = in[r * columns + c];
}

// Unpacks the tiles into a transposed matrix.
__global__ void unpack_transposed(const float* tiles, float* out, int rows, int columns) {
  int r = blockIdx.y * 32 + threadIdx.y;
  int c = blockIdx.x * 32 + threadIdx.x;
  if (r >= rows || c >= columns) return;
  int tile = blockIdx.y * ((columns + 31) / 32) + blockIdx.x;
  out[c * rows + r] = tiles[tile * 1024 + threadIdx.y * 32 + threadIdx.x];
}

// Takes the tiles for those of the transposed matrix.
__global__ void unpack_other_order(const float* tiles, float* out, int rows, int columns) {
  int r = blockIdx.y * 32 + threadIdx.y;
  int c = blockIdx.x * 32 + threadIdx.x;
  if (r >= rows || c >= columns) return;
  int tile = blockIdx.x * ((rows + 31) / 32) + blockIdx.y;
  out[c * rows + r] = tiles[tile * 1024 + threadIdx.y * 32 + threadIdx.x];
}

// Copies the tiles as they are, padding included.
__global__ void copy_tiles(const float* in, float* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = in[i];
}

// Separates pairs into two halves.
__global__ void split_pairs(const float2* pairs, float* halves, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float2 pair = pairs[i];
  halves[i] = pair.x;
  halves[n + i] = pair.y;
}

// Joins two halves to pairs.
__global__ void join_pairs(const float* halves, float2* pairs, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) pairs[i] = make_float2(halves[i], halves[n + i]);
}

// Doubles each number.
__global__ void doubled(const float* in, float* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = in[i] * 2;
}
