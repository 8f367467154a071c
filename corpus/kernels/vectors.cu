// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Kernels that take vectors apart and put them together.
#include <cuda_runtime.h>

// Separates two of the four fields of each record.
__global__ void two_fields(const float4* records, float* x, float* z, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float4 record = records[i];
  x[i] = record.x;
  z[i] = record.z;
}

// Takes the wrong one of the fields.
__global__ void wrong_field(const float4* records, float* x, float* z, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float4 record = records[i];
  x[i] = record.x;
  z[i] = record.y;
}

// Swaps the numbers of each pair, two pairs per thread.
__global__ void swap_pairs(const float4* in, float4* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float4 two = in[i];
  out[i] = make_float4(two.y, two.x, two.w, two.z);
}

// Forgets to swap the second pair.
__global__ void swap_first_pair(const float4* in, float4* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float4 two = in[i];
  out[i] = make_float4(two.y, two.x, two.z, two.w);
}
