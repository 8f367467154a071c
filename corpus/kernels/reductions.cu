// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Searches of a row by one block, in a tree over shared memory; with a faulty twin.
#include <cuda_runtime.h>

// The index of the largest number of a row: pairs of number and index go through the tree.
__global__ void argmax(const float* in, int* index, int n) {
  __shared__ float numbers[128];
  __shared__ int places[128];
  const int t = threadIdx.x;
  float best = -3.402823466e38f;
  int place = 0;
  for (int k = t; k < n; k += 128) {
    const float x = in[(size_t)blockIdx.x * n + k];
    if (x > best) {
      best = x;
      place = k;
    }
  }
  numbers[t] = best;
  places[t] = place;
  __syncthreads();
  for (int s = 64; s > 0; s /= 2) {
    if (t < s && numbers[t + s] > numbers[t]) {
      numbers[t] = numbers[t + s];
      places[t] = places[t + s];
    }
    __syncthreads();
  }
  if (t == 0) index[blockIdx.x] = places[0];
}

// The tree begins with as many threads as there are numbers, so that it reads behind them.
__global__ void argmax_too_many(const float* in, int* index, int n) {
  __shared__ float numbers[128];
  __shared__ int places[128];
  const int t = threadIdx.x;
  float best = -3.402823466e38f;
  int place = 0;
  for (int k = t; k < n; k += 128) {
    const float x = in[(size_t)blockIdx.x * n + k];
    if (x > best) {
      best = x;
      place = k;
    }
  }
  numbers[t] = best;
  places[t] = place;
  __syncthreads();
  for (int s = 128; s > 0; s /= 2) {
    if (t < s && numbers[t + s] > numbers[t]) {
      numbers[t] = numbers[t + s];
      places[t] = places[t + s];
    }
    __syncthreads();
  }
  if (t == 0) index[blockIdx.x] = places[0];
}
