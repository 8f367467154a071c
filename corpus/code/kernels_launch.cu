// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Kernels whose launches decide: some have no thread, are larger than a GPU allows, or so large that numbers wrap.
#include <cstdint>
#include <cuda_fp16.h>

__global__ void copy(const float* in, float* out, int N) {
  int e = blockIdx.x * blockDim.x + threadIdx.x;
  if (e < N) out[e] = in[e];
}

// A block per row and a thread per column.
__global__ void row_block(const float* in, float* out, int M, int N) {
  int i = blockIdx.x, j = threadIdx.x;
  out[j * M + i] = in[i * N + j];
}

__global__ void row_in_y(const float* in, float* out, int M, int N) {
  int i = blockIdx.y;
  int j = blockIdx.x * blockDim.x + threadIdx.x;
  if (j < N) out[j * M + i] = in[i * N + j];
}

// The number of the thread wraps at 2^32 before it is widened.
__global__ void late_widening(const signed char* in, signed char* out, long long n) {
  long long e = blockIdx.x * blockDim.x + threadIdx.x;
  if (e < n) out[e] = in[e];
}

__global__ void early_widening(const signed char* in, signed char* out, long long n) {
  long long e = (long long)blockIdx.x * blockDim.x + threadIdx.x;
  if (e < n) out[e] = in[e];
}

__global__ void guard_overflows(const signed char* in, signed char* out, int M, int N) {
  int e = blockIdx.x * blockDim.x + threadIdx.x;
  if (e < M * N) out[e] = in[e];
}

// Other blocks store the same.
__global__ void one_block(const float* in, float* out, int N) {
  int e = threadIdx.x;
  if (e < N) out[e] = in[e];
}

__global__ void stores_nothing(const float* in, float* out, int N) {}

// Stores the last element more than once.
__global__ void clamped(const half* __restrict__ in, half* __restrict__ out, size_t N) {
  size_t e = min((size_t)(blockIdx.x * blockDim.x + threadIdx.x), N - 1);
  out[e] = __ldg(in + e);
}

__global__ void copy_16_bytes(const uint4* __restrict__ in, uint4* __restrict__ out, uint32_t N) {
  uint32_t e = blockIdx.x * blockDim.x + threadIdx.x;
  if (e < max(N / 4, 0)) out[e] = __ldg(in + e);
}
