// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sums, norms and scans over rows and blocks, with shared memory and shuffles; stencils; with their faulty twins.
#include <cuda_runtime.h>

// A sum per block, of two elements per thread. The last 32 threads add by shuffles.
template <unsigned kThreads>
__global__ void sum_of_two(const float* in, float* sums, unsigned n) {
  extern __shared__ float part[];
  const unsigned t = threadIdx.x;
  const unsigned i = blockIdx.x * (kThreads * 2) + t;
  float sum = i < n ? in[i] : 0.0f;
  if (i + kThreads < n) sum += in[i + kThreads];
  part[t] = sum;
  __syncthreads();
  for (unsigned s = blockDim.x / 2; s > 32; s >>= 1) {
    if (t < s) part[t] = sum = sum + part[t + s];
    __syncthreads();
  }
  if (t < 32) {
    if (kThreads >= 64) sum += part[t + 32];
    for (int lanes = warpSize / 2; lanes > 0; lanes /= 2) sum += __shfl_down_sync(0xffffffff, sum, lanes);
  }
  if (t == 0) sums[blockIdx.x] = sum;
}
template __global__ void sum_of_two<256u>(const float*, float*, unsigned);

__inline__ __device__ float sum_of_warp(float value) {
#pragma unroll
  for (int lanes = 16; lanes > 0; lanes /= 2) value += __shfl_down_sync(0xffffffff, value, lanes);
  return value;
}

// One number per warp passes through shared memory.
__inline__ __device__ float sum_of_block(float value) {
  static __shared__ float of_warp[32];
  const int lane = threadIdx.x % 32;
  const int warp = threadIdx.x / 32;
  value = sum_of_warp(value);
  if (lane == 0) of_warp[warp] = value;
  __syncthreads();
  value = threadIdx.x < blockDim.x / 32 ? of_warp[lane] : 0.0f;
  if (warp == 0) value = sum_of_warp(value);
  return value;
}

__global__ void sum_by_warps(const float* in, float* sums, int n) {
  float sum = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x) sum += in[i];
  sum = sum_of_block(sum);
  if (threadIdx.x == 0) sums[blockIdx.x] = sum;
}

// A block per row, in a tree.
__global__ void row_sum(const float* in, float* sums, int n) {
  __shared__ float part[256];
  const int t = threadIdx.x;
  float sum = 0;
  for (int k = t; k < n; k += 256) sum += in[(size_t)blockIdx.x * n + k];
  part[t] = sum;
  __syncthreads();
  for (int s = 128; s >= 1; s >>= 1) {
    if (t < s) part[t] += part[t + s];
    __syncthreads();
  }
  if (t == 0) sums[blockIdx.x] = part[0];
}

// The levels of the tree do not wait for each other.
__global__ void row_sum_no_barrier(const float* in, float* sums, int n) {
  __shared__ float part[256];
  const int t = threadIdx.x;
  float sum = 0;
  for (int k = t; k < n; k += 256) sum += in[(size_t)blockIdx.x * n + k];
  part[t] = sum;
  __syncthreads();
  for (int s = 128; s >= 1; s >>= 1) {
    if (t < s) part[t] += part[t + s];
  }
  if (t == 0) sums[blockIdx.x] = part[0];
}

template <int kThreads>
__global__ void layer_norm(const float* in, const float* scale, const float* shift, float* out, int n, float epsilon) {
  __shared__ float sums[kThreads / 32], squares[kThreads / 32];
  __shared__ float mean, factor;
  const float* row = in + (long long)blockIdx.x * n;
  float sum = 0, square = 0;
  for (int k = threadIdx.x; k < n; k += kThreads) {
    const float value = row[k];
    sum += value;
    square += value * value;
  }
  for (int lanes = 16; lanes; lanes >>= 1) {
    sum += __shfl_xor_sync(~0u, sum, lanes);
    square += __shfl_xor_sync(~0u, square, lanes);
  }
  if ((threadIdx.x & 31) == 0) {
    sums[threadIdx.x >> 5] = sum;
    squares[threadIdx.x >> 5] = square;
  }
  __syncthreads();
  if (threadIdx.x == 0) {
    float a = 0, b = 0;
    for (int w = 0; w < kThreads / 32; ++w) {
      a += sums[w];
      b += squares[w];
    }
    mean = a / n;
    factor = rsqrtf(b / n - mean * mean + epsilon);
  }
  __syncthreads();
  for (int k = threadIdx.x; k < n; k += kThreads) {
    out[(long long)blockIdx.x * n + k] = (row[k] - mean) * factor * scale[k] + shift[k];
  }
}

// A warp per row of a sparse matrix.
__global__ void sparse_row_per_warp(int rows, const int* begin, const int* column, const float* value, const float* x,
                                    float* y) {
  const int row = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
  const int lane = threadIdx.x & 31;
  if (row >= rows) return;
  float sum = 0;
  for (int k = begin[row] + lane; k < begin[row + 1]; k += 32) sum += value[k] * x[column[k]];
  for (int lanes = 16; lanes > 0; lanes >>= 1) sum += __shfl_down_sync(0xffffffff, sum, lanes);
  if (lane == 0) y[row] = sum;
}

// A thread per row adds from left to right.
__global__ void running_sum(const float* in, float* out, int rows, int columns) {
  const int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows) return;
  float sum = 0;
  for (int c = 0; c < columns; ++c) {
    sum += in[row * columns + c];
    out[row * columns + c] = sum;
  }
}

// Sums of the two neighbours. The first and the last thread also read what is beside the block's elements.
__global__ void neighbours(const float* in, float* out, int n) {
  __shared__ float part[256 + 2];
  const int i = blockIdx.x * 256 + threadIdx.x;
  part[threadIdx.x + 1] = in[min(i, n - 1)];
  if (threadIdx.x == 0) part[0] = in[min(max(i - 1, 0), n - 1)];
  if (threadIdx.x == 255) part[257] = in[min(i + 1, n - 1)];
  __syncthreads();
  if (i < n) out[i] = part[threadIdx.x] + part[threadIdx.x + 2];
}

__global__ void neighbours_no_barrier(const float* in, float* out, int n) {
  __shared__ float part[256 + 2];
  const int i = blockIdx.x * 256 + threadIdx.x;
  part[threadIdx.x + 1] = in[min(i, n - 1)];
  if (threadIdx.x == 0) part[0] = in[min(max(i - 1, 0), n - 1)];
  if (threadIdx.x == 255) part[257] = in[min(i + 1, n - 1)];
  if (i < n) out[i] = part[threadIdx.x] + part[threadIdx.x + 2];
}

// Counts in shared memory; a block adds its counts at the end.
__global__ void histogram_of_blocks(const unsigned char* in, unsigned* bins, int n) {
  __shared__ unsigned count[256];
  for (int k = threadIdx.x; k < 256; k += blockDim.x) count[k] = 0;
  __syncthreads();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) atomicAdd(&count[in[i]], 1u);
  __syncthreads();
  for (int k = threadIdx.x; k < 256; k += blockDim.x) atomicAdd(&bins[k], count[k]);
}

// A thread may count before another one has cleared the place.
__global__ void histogram_cleared_late(const unsigned char* in, unsigned* bins, int n) {
  __shared__ unsigned count[256];
  for (int k = threadIdx.x; k < 256; k += blockDim.x) count[k] = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) atomicAdd(&count[in[i]], 1u);
  __syncthreads();
  for (int k = threadIdx.x; k < 256; k += blockDim.x) atomicAdd(&bins[k], count[k]);
}
