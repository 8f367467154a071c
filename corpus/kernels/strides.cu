// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Arrays whose rows, columns and batches are as far apart as arguments say.
#include <cuda_runtime.h>

__global__ void copy_rows(const float* in, float* out, int M, int N, int in_stride, int out_stride) {
  const int row = blockIdx.y;
  const int column = blockIdx.x * blockDim.x + threadIdx.x;
  if (column < N) out[static_cast<size_t>(row) * out_stride + column] = in[static_cast<size_t>(row) * in_stride + column];
}

// Takes the rows of the output to be as far apart as those of the input.
__global__ void copy_rows_one_stride(const float* in, float* out, int M, int N, int in_stride, int out_stride) {
  const int row = blockIdx.y;
  const int column = blockIdx.x * blockDim.x + threadIdx.x;
  if (column < N) out[static_cast<size_t>(row) * in_stride + column] = in[static_cast<size_t>(row) * in_stride + column];
}

// The product of row and stride is an int.
__global__ void copy_rows_int(const float* in, float* out, int M, int N, int in_stride, int out_stride) {
  const int row = blockIdx.y;
  const int column = blockIdx.x * blockDim.x + threadIdx.x;
  if (column < N) out[row * out_stride + column] = in[row * in_stride + column];
}

// Any view of two dimensions, also one of columns, into rows.
__global__ void contiguous(const float* in, float* out, int M, int N, long long stride_m, long long stride_n) {
  const long long i = blockIdx.x * static_cast<long long>(blockDim.x) + threadIdx.x;
  if (i < static_cast<long long>(M) * N) out[i] = in[i / N * stride_m + i % N * stride_n];
}

__global__ void contiguous_swapped(const float* in, float* out, int M, int N, long long stride_m, long long stride_n) {
  const long long i = blockIdx.x * static_cast<long long>(blockDim.x) + threadIdx.x;
  if (i < static_cast<long long>(M) * N) out[i] = in[i / N * stride_n + i % N * stride_m];
}

// [B,H,S,D] with strides, as attention kernels take them, into [B,S,H,D].
__global__ void heads_last(const float* in, float* out, int H, int S, int D, long long stride_b, long long stride_h,
                           long long stride_s) {
  const float* const row = in + blockIdx.z * stride_b + blockIdx.y * stride_h + blockIdx.x * stride_s;
  const size_t to = ((static_cast<size_t>(blockIdx.z) * S + blockIdx.x) * H + blockIdx.y) * D;
  out[to + threadIdx.x] = row[threadIdx.x];
}
