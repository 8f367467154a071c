// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Loops in which a thread stores as often as a size says, in a file with its host code.
#include <cuda_runtime.h>
#include <cub/cub.cuh>
#include <cstdio>
#include <cstdlib>

#define CHECK(call)                                            \
  do {                                                         \
    const cudaError_t error = (call);                          \
    if (error != cudaSuccess) {                                \
      std::fprintf(stderr, "%s\n", cudaGetErrorString(error)); \
      std::exit(1);                                            \
    }                                                          \
  } while (0)

__global__ void copy(const float* __restrict__ in, float* __restrict__ out, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x) out[i] = in[i];
}

// The counter of 64 bits does not wrap.
__global__ void copy_wide(const float* in, float* out, long long n) {
  const long long first = (long long)blockIdx.x * blockDim.x + threadIdx.x;
  const long long stride = (long long)blockDim.x * gridDim.x;
  for (long long i = first; i < n; i += stride) out[i] = in[i];
}

// One more than there are.
__global__ void copy_last(const float* in, float* out, long long n) {
  const long long first = (long long)blockIdx.x * blockDim.x + threadIdx.x;
  for (long long i = first; i <= n; i += (long long)blockDim.x * gridDim.x) out[i] = in[i];
}

// The step is that of one block, so the blocks store what others have stored.
__global__ void copy_block_step(const float* in, float* out, long long n) {
  const long long first = (long long)blockIdx.x * blockDim.x + threadIdx.x;
  for (long long i = first; i < n; i += blockDim.x) out[i] = in[i];
}

// A block per row; its threads step through the columns.
__global__ void copy_rows(const float* in, float* out, int rows, int columns) {
  const long long row = blockIdx.x;
  for (int c = threadIdx.x; c < columns; c += blockDim.x) out[row * columns + c] = in[row * columns + c];
}

// The rows of the result are as long as the columns of the source.
__global__ void transpose_rows(const float* in, float* out, int rows, int columns) {
  const long long row = blockIdx.x;
  for (int c = threadIdx.x; c < columns; c += blockDim.x) out[(long long)c * rows + row] = in[row * columns + c];
}

__global__ void transpose_rows_wrong(const float* in, float* out, int rows, int columns) {
  const long long row = blockIdx.x;
  for (int c = threadIdx.x; c < columns; c += blockDim.x) out[(long long)c * columns + row] = in[row * columns + c];
}

__global__ void scale(const float* in, float* out, float factor, long long n) {
  const long long first = (long long)blockIdx.x * blockDim.x + threadIdx.x;
  for (long long i = first; i < n; i += (long long)blockDim.x * gridDim.x) out[i] = factor * in[i];
}

__global__ void block_sums(const float* in, float* out, int n) {
  typedef cub::BlockReduce<float, 256> Reduce;
  __shared__ typename Reduce::TempStorage storage;
  const int i = blockIdx.x * 256 + threadIdx.x;
  const float sum = Reduce(storage).Sum(i < n ? in[i] : 0.0f);
  if (threadIdx.x == 0) out[blockIdx.x] = sum;
}

// With a launch of 1024 blocks, a thread makes up to 8192 steps before the counter wraps.
__global__ void copy_bytes(const unsigned char* in, unsigned char* out, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) out[i] = in[i];
}

// A counter of 64 bits does not wrap.
__global__ void copy_bytes_wide(const unsigned char* in, unsigned char* out, int n) {
  for (long long i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) out[i] = in[i];
}

// An unsigned counter passes 2^31 and does not wrap.
__global__ void copy_bytes_unsigned(const unsigned char* in, unsigned char* out, unsigned n) {
  for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) out[i] = in[i];
}

// For an empty array, n - 1 is 2^32 - 1.
__global__ void copy_bytes_up_to(const unsigned char* in, unsigned char* out, unsigned n) {
  for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i <= n - 1; i += gridDim.x * blockDim.x) out[i] = in[i];
}

int main() {
  float* in = nullptr;
  float* out = nullptr;
  CHECK(cudaMalloc(&in, 4096 * sizeof(float)));
  CHECK(cudaMalloc(&out, 4096 * sizeof(float)));
  copy<<<16, 256>>>(in, out, 4096);
  CHECK(cudaDeviceSynchronize());
  CHECK(cudaFree(out));
  return 0;
}
