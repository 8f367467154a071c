// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Kernels that are wrong for large arrays only, because a product takes 32 bits, and their twins.
#include <cstdint>

__global__ void turn_int(const uint16_t* in, uint16_t* out, int M, int N) {
  int i = blockIdx.y * blockDim.y + threadIdx.y;
  int j = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < M && j < N) out[j * M + i] = in[i * N + j];
}

__global__ void turn_int64(const uint16_t* in, uint16_t* out, int M, int N) {
  int64_t i = blockIdx.y * blockDim.y + threadIdx.y;
  int64_t j = blockIdx.x * (int64_t)blockDim.x + threadIdx.x;
  if (i < M && j < N) out[j * M + i] = in[i * N + j];
}

// Leaves arrays alone whose indices an int does not hold.
__global__ void turn_guarded(const uint16_t* in, uint16_t* out, int M, int N) {
  if ((int64_t)M * N > INT32_MAX) return;
  int i = blockIdx.y * blockDim.y + threadIdx.y;
  int j = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < M && j < N) out[j * M + i] = in[i * N + j];
}

// Wraps at 2^32 elements, in one array alone.
__global__ void turn_unsigned(const uint16_t* in, uint16_t* out, unsigned M, unsigned N) {
  unsigned i = blockIdx.y * blockDim.y + threadIdx.y;
  unsigned j = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < M && j < N) out[(size_t)j * M + i] = in[i * N + j];
}

__global__ void turn_size_t(const uint16_t* in, uint16_t* out, size_t M, size_t N) {
  size_t i = (size_t)blockIdx.y * blockDim.y + threadIdx.y;
  size_t j = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
  if (i < M && j < N) out[j * M + i] = in[i * N + j];
}
