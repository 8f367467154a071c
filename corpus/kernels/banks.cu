// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Kernels whose warps meet in banks of shared memory, and kernels whose warps do not.
#include <cuda_runtime.h>

// Reads a column of a tile: all its elements are in one bank.
__global__ void transpose_column(const float* in, float* out, int M, int N) {
  __shared__ float tile[32][32];
  int column = blockIdx.x * 32 + threadIdx.x;
  int row = blockIdx.y * 32 + threadIdx.y;
  for (int k = 0; k < 32; k += 8) {
    if (column < N && row + k < M) tile[threadIdx.y + k][threadIdx.x] = in[(row + k) * N + column];
  }
  __syncthreads();
  column = blockIdx.y * 32 + threadIdx.x;
  row = blockIdx.x * 32 + threadIdx.y;
  for (int k = 0; k < 32; k += 8) {
    if (column < M && row + k < N) out[(row + k) * M + column] = tile[threadIdx.x][threadIdx.y + k];
  }
}

// Stores rows of a tile whose width is an even number of elements, read by columns.
__global__ void transpose_even_width(const float* in, float* out, int M, int N) {
  __shared__ float tile[16][34];
  int column = blockIdx.x * 16 + threadIdx.x;
  int row = blockIdx.y * 16 + threadIdx.y;
  if (column < N && row < M) tile[threadIdx.y][threadIdx.x] = in[row * N + column];
  __syncthreads();
  column = blockIdx.y * 16 + threadIdx.x;
  row = blockIdx.x * 16 + threadIdx.y;
  if (column < M && row < N) out[row * M + column] = tile[threadIdx.x][threadIdx.y];
}

// Four elements per thread at once, one after another.
__global__ void copy_float4(const float4* in, float4* out, int N) {
  __shared__ float4 part[256];
  int e = blockIdx.x * 256 + threadIdx.x;
  if (e < N) part[threadIdx.x] = in[e];
  __syncthreads();
  if (e < N) out[e] = part[threadIdx.x];
}

// The elements of eight neighbors are 128 bytes apart.
__global__ void copy_float4_apart(const float4* in, float4* out, int N) {
  __shared__ float4 part[2048];
  int e = blockIdx.x * 256 + threadIdx.x;
  if (e < N) part[8 * threadIdx.x] = in[e];
  __syncthreads();
  if (e < N) out[e] = part[8 * threadIdx.x];
}

// Elements of eight bytes, every second one.
__global__ void copy_double_apart(const double* in, double* out, int N) {
  __shared__ double part[512];
  int e = blockIdx.x * 256 + threadIdx.x;
  if (e < N) part[2 * threadIdx.x] = in[e];
  __syncthreads();
  if (e < N) out[e] = part[2 * threadIdx.x];
}

// All threads read what the first one has written.
__global__ void broadcast(const float* in, float* out, int N) {
  __shared__ float part[256];
  int e = blockIdx.x * 256 + threadIdx.x;
  if (e < N) part[threadIdx.x] = in[e];
  __syncthreads();
  if (e < N) out[e] = part[0];
}

// Adds the elements of a block in a tree whose threads are ever further apart.
__global__ void block_sum_apart(const float* in, float* out, int N) {
  __shared__ float part[256];
  int e = blockIdx.x * 256 + threadIdx.x;
  part[threadIdx.x] = e < N ? in[e] : 0.0f;
  __syncthreads();
  for (int step = 1; step < 256; step *= 2) {
    int first = 2 * step * threadIdx.x;
    if (first < 256) part[first] += part[first + step];
    __syncthreads();
  }
  if (threadIdx.x == 0) out[blockIdx.x] = part[0];
}

// Each thread leaves out one step of the loop, in which the others read one place together.
__global__ void sum_others(const float* in, float* out) {
  __shared__ float part[32 * 32];
  for (int k = 0; k < 32; ++k) part[32 * k + threadIdx.x] = in[32 * k + threadIdx.x];
  __syncthreads();
  float sum = 0.0f;
  for (int k = 0; k < 32; ++k) {
    if (k == threadIdx.x) continue;
    sum += part[32 * k];
  }
  out[threadIdx.x] = sum;
}

// The distance of the rows is a size.
__global__ void rows_of_any_width(const float* in, float* out, int N) {
  extern __shared__ float part[];
  part[threadIdx.x * N] = in[threadIdx.x];
  __syncthreads();
  out[threadIdx.x] = part[threadIdx.x * N];
}
