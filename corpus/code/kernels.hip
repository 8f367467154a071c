// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Kernels of HIP. kernels.jsonl has the question about each and its verdicts.
#include <hip/hip_runtime.h>

__global__ __launch_bounds__(256) void tile_2d(const float* __restrict__ in, float* __restrict__ out, int M, int N) {
  int i = hipBlockIdx_y * hipBlockDim_y + hipThreadIdx_y;
  int j = hipBlockIdx_x * hipBlockDim_x + hipThreadIdx_x;
  if (i < M && j < N) {
    int tiles = (N + 127) / 128;
    out[(i / 8 * tiles + j / 128) * 1024 + i % 8 * 128 + j % 128] = in[i * N + j];
  }
}

// Guards the rows alone.
__global__ void transpose_no_guard(const __half* in, __half* out, int M, int N) {
  int i = blockIdx.y * blockDim.y + threadIdx.y;
  int j = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < M) out[j * M + i] = in[i * N + j];
}

__global__ void grid_stride(const float* in, float* out, int N) {
  for (int e = blockIdx.x * blockDim.x + threadIdx.x; e < N; e += blockDim.x * gridDim.x) out[e] = in[e];
}

// Takes the block's number twice for the row.
__global__ void wrong_row(const float* in, float* out, int M, int N) {
  int i = blockIdx.x * blockDim.y + threadIdx.y;
  int j = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < M && j < N) out[i * N + j] = in[i * N + j];
}

// Host code beside the kernels.
void launch(const float* in, float* out, int N) { grid_stride<<<dim3((N + 255) / 256), 256>>>(in, out, N); }
