// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Kernels whose threads share memory in ways that the model of threads once took for others.
#include <cuda_runtime.h>

// Stores what nobody has written yet.
__global__ void read_before_write(const float* in, float* out, int n) {
  __shared__ float staged[256];
  int i = blockIdx.x * 256 + threadIdx.x;
  if (i < n) out[i] = staged[threadIdx.x];
  if (i < n) staged[threadIdx.x] = in[i];
  __syncthreads();
  if (i < n) staged[threadIdx.x] = in[i];
}

// Adds to each element before it is stored.
__global__ void atomic_between(const int* in, int* out, int n) {
  __shared__ int staged[256];
  int i = blockIdx.x * 256 + threadIdx.x;
  if (i < n) staged[threadIdx.x] = in[i];
  __syncthreads();
  atomicAdd(&staged[threadIdx.x ^ 1], 5);
  __syncthreads();
  if (i < n) out[i] = staged[threadIdx.x];
}

// Both halves of a pair are written by different threads, in another order than the elements have.
__global__ void pair_of_two_writers(const int* in, int* out) {
  __shared__ __align__(16) int staged[8];
  staged[threadIdx.x] = in[threadIdx.x / 2 * 2];
  __syncthreads();
  if (threadIdx.x < 4) *(int2*)&out[2 * threadIdx.x] = *(int2*)&staged[2 * threadIdx.x];
}

// Two names of the memory whose size the launch says: the second write replaces the first one.
__global__ void two_names(const float* in, float* out) {
  extern __shared__ float staged[];
  extern __shared__ float scratch[];
  staged[threadIdx.x] = in[threadIdx.x];
  scratch[threadIdx.x] = 0;
  __syncthreads();
  out[threadIdx.x] = staged[threadIdx.x];
}

// Thread 2 waits at the last barrier while thread 0 waits at the first one.
__global__ void other_barriers(const float* in, float* out) {
  __shared__ float staged[8];
  if (threadIdx.x < 2) {
    __syncthreads();
  }
  staged[threadIdx.x] = in[threadIdx.x];
  out[threadIdx.x] = staged[threadIdx.x];
  __syncthreads();
}

// Thread 0 has returned where the others part.
__global__ void first_returns(const float* in, float* out) {
  out[threadIdx.x] = in[threadIdx.x];
  if (threadIdx.x == 0) return;
  if (threadIdx.x < 4) {
    __syncthreads();
  } else {
    __syncthreads();
  }
}

// Threads return one after another, and each does what the others do before their next barrier.
__global__ void return_in_turn(const float* in, float* out) {
  __shared__ float staged[8];
  for (int k = 0; k < 8; ++k) {
    if (threadIdx.x == k) out[k] = in[k];
    staged[threadIdx.x] = in[k];
    if (threadIdx.x == k) return;
    __syncthreads();
  }
}

// Blocks of a grid whose size is part of the arrays' sizes.
__global__ void blocks_of_eight(const int* in, int* out) {
  int i = blockIdx.x * 8 + threadIdx.x;
  out[i] = in[i];
}
