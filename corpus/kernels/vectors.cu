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

// Vectors, and the elements behind them.
__global__ void vectors_then_rest(const float* in, float* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n / 4) reinterpret_cast<float4*>(out)[i] = reinterpret_cast<const float4*>(in)[i];
  if (i < n % 4) out[n / 4 * 4 + i] = in[n / 4 * 4 + i];
}

// The rest begins at the last vector.
__global__ void vectors_then_rest_early(const float* in, float* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n / 4) reinterpret_cast<float4*>(out)[i] = reinterpret_cast<const float4*>(in)[i];
  if (n >= 4 && i < n % 4) out[n / 4 * 4 - 4 + i] = in[n / 4 * 4 - 4 + i];
}

// The first element is 0, and the others are those before them.
__global__ void shift_behind_zero(const float* in, float* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i == 0) out[0] = 0.0f;
  if (i < n - 1) out[i + 1] = in[i];
}

// The last element is nobody's.
__global__ void shift_behind_zero_short(const float* in, float* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i == 0) out[0] = 0.0f;
  if (i < n - 2) out[i + 1] = in[i];
}
