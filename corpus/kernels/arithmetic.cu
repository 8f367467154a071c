// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Kernels that compute: what they store is no element of an array, their accesses are asked.
#include <cuda_runtime.h>
#include <cuda_fp16.h>
#include <cooperative_groups.h>
#include <cassert>

namespace cg = cooperative_groups;

template <class T, int kThreads>
__global__ void gelu(const T* in, T* out, int n) {
  const int i = blockIdx.x * kThreads + cg::this_thread_block().thread_rank();
  if (i >= n) return;
  const float x = static_cast<float>(in[i]);
  out[i] = static_cast<T>(0.5f * x * (1.0f + tanhf(0.797884f * (x + 0.044715f * x * x * x))));
}

__global__ void relu(const float* in, float* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = in[i] > 0.0f ? in[i] : 0.0f;
}

// Stores some of the elements: which, their values say.
__global__ void keep_positive(const float* in, float* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n && in[i] > 0.0f) out[i] = in[i];
}

// Compares with the next element, which the last one does not have.
__global__ void rising(const float* in, float* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = in[i + 1] > in[i] ? 1.0f : 0.0f;
}

__global__ void rising_guarded(const float* in, float* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = i + 1 < n && in[i + 1] > in[i] ? 1.0f : 0.0f;
}

__global__ void stencil(const float* in, float* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i > 0 && i < n - 1) out[i] = 0.25f * in[i - 1] + 0.5f * in[i] + 0.25f * in[i + 1];
}

__global__ void stencil_at_the_edge(const float* in, float* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n - 1) out[i] = 0.25f * in[i - 1] + 0.5f * in[i] + 0.25f * in[i + 1];
}

__global__ void histogram(const unsigned char* in, unsigned* bins, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) atomicAdd(&bins[in[i]], 1u);
}

__global__ void count(const float* in, unsigned* total, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) atomicAdd(total, in[i] > 0.0f ? 1u : 0u);
}

// One sum per block, behind the last of them.
__global__ void sum_per_block(const float* in, float* sums, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = i < n ? in[i] : 0.0f;
  for (int lanes = warpSize / 2; lanes > 0; lanes /= 2) sum += __shfl_down_sync(0xffffffffu, sum, lanes);
  if (threadIdx.x % warpSize == 0) atomicAdd(&sums[blockIdx.x], sum);
}

__global__ void sum_per_block_shifted(const float* in, float* sums, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = i < n ? in[i] : 0.0f;
  for (int lanes = warpSize / 2; lanes > 0; lanes /= 2) sum += __shfl_down_sync(0xffffffffu, sum, lanes);
  if (threadIdx.x % warpSize == 0) atomicAdd(&sums[blockIdx.x + 1], sum);
}

__global__ void axpy(const half* x, half* y, float a, int n) {
  assert(n >= 0);
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = __float2half(a * __half2float(__ldg(&x[i])) + __half2float(y[i]));
}

// A row of the product per thread of y, a column per thread of x.
__global__ void matmul(const float* a, const float* b, float* c, int M, int N, int K) {
  const int row = blockIdx.y * blockDim.y + threadIdx.y;
  const int column = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= M || column >= N) return;
  float sum = 0.0f;
  for (int k = 0; k < K; ++k) sum += a[row * K + k] * b[k * N + column];
  c[row * N + column] = sum;
}

// Steps through the columns of `b` as if it were stored by columns.
__global__ void matmul_wrong_stride(const float* a, const float* b, float* c, int M, int N, int K) {
  const int row = blockIdx.y * blockDim.y + threadIdx.y;
  const int column = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= M || column >= N) return;
  float sum = 0.0f;
  for (int k = 0; k < K; ++k) sum += a[row * K + k] * b[k * K + column];
  c[row * N + column] = sum;
}
