// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Public bugs of kernels in our own words, each beside the repaired one: offsets that do not fit 32 bits.
#include <cuda_fp16.h>
#include <cuda_runtime.h>

// tinygrad#8268: three stores, with a product of constants that passes 2^31.
__global__ void three_stores(const float* in, float* out) {
  int at = threadIdx.x + 16 * blockIdx.x + 37748736 * blockIdx.y + 12582912 * threadIdx.y;
  for (int k = 0; k < 3; ++k) out[at + 4194304 * k] = in[at + 4194304 * k];
}

__global__ void three_stores_wide(const float* in, float* out) {
  long long at = threadIdx.x + 16 * blockIdx.x + 37748736LL * blockIdx.y + 12582912 * threadIdx.y;
  for (int k = 0; k < 3; ++k) out[at + 4194304 * k] = in[at + 4194304 * k];
}

// NVIDIA/warp#1422: the place in bytes.
__global__ void copy_by_bytes(const char* in, char* out, int columns) {
  int j = blockIdx.x * blockDim.x + threadIdx.x, i = blockIdx.y;
  if (j >= columns) return;
  int place = i * (4 * columns) + 4 * j;
  *(float*)(out + place) = *(const float*)(in + place);
}

__global__ void copy_by_bytes_wide(const char* in, char* out, int columns) {
  int j = blockIdx.x * blockDim.x + threadIdx.x, i = blockIdx.y;
  if (j >= columns) return;
  long long place = i * (4LL * columns) + 4LL * j;
  *(float*)(out + place) = *(const float*)(in + place);
}

// pytorch#24818: the counter of the loop wraps although n fits.
__global__ void loop_wraps(const float* in, float* out, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x) out[i] = in[i];
}

__global__ void loop_of_64_bits(const float* in, float* out, int n) {
  for (long long i = blockIdx.x * (long long)blockDim.x + threadIdx.x; i < n; i += (long long)blockDim.x * gridDim.x) out[i] = in[i];
}

// pytorch#39198: the index of a volume of 16 by 112 by 112, channel by channel.
__global__ void volume(const float* in, float* out) {
  int w = threadIdx.x, h = blockIdx.x, d = blockIdx.y, c = blockIdx.z;
  int at = ((c * 16 + d) * 112 + h) * 112 + w;
  out[at] = in[at];
}

__global__ void volume_wide(const float* in, float* out) {
  int w = threadIdx.x, h = blockIdx.x, d = blockIdx.y, c = blockIdx.z;
  long long at = ((c * 16LL + d) * 112 + h) * 112 + w;
  out[at] = in[at];
}

// PaddlePaddle#79582: the last block rounds up past 2^31, and a counter without a sign starts again.
__global__ void rounded_up(const float* in, float* out, int n) {
  int blocks = (n + 255) / 256;
  if (blockIdx.x >= blocks) return;
  int i = blockIdx.x * 256 + threadIdx.x;
  if (i < n) out[i] = in[i];
}

__global__ void rounded_up_wide(const float* in, float* out, int n) {
  long long blocks = (n + 255LL) / 256;
  if (blockIdx.x >= blocks) return;
  long long i = blockIdx.x * 256LL + threadIdx.x;
  if (i < n) out[i] = in[i];
}

__global__ void counter_starts_again(const unsigned char* in, unsigned char* out, unsigned n) {
  for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x) out[i] = in[i];
}

// onnxruntime#31644: a transpose of half through shared memory, one matrix per block in z.
__global__ void transpose_half(const __half* in, __half* out, int rows, int columns) {
  __shared__ __half tile[32][33];
  int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y;
  int begin = blockIdx.z * rows * columns;
  if (x < columns && y < rows) tile[threadIdx.y][threadIdx.x] = in[begin + y * columns + x];
  __syncthreads();
  x = blockIdx.y * 32 + threadIdx.x;
  y = blockIdx.x * 32 + threadIdx.y;
  if (x < rows && y < columns) out[begin + y * rows + x] = tile[threadIdx.x][threadIdx.y];
}

__global__ void transpose_half_wide(const __half* in, __half* out, int rows, int columns) {
  __shared__ __half tile[32][33];
  int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y;
  long long begin = (long long)blockIdx.z * rows * columns;
  if (x < columns && y < rows) tile[threadIdx.y][threadIdx.x] = in[begin + (long long)y * columns + x];
  __syncthreads();
  x = blockIdx.y * 32 + threadIdx.x;
  y = blockIdx.x * 32 + threadIdx.y;
  if (x < rows && y < columns) out[begin + (long long)y * rows + x] = tile[threadIdx.x][threadIdx.y];
}

// FlagGems#4156: the product of an index from memory and a stride.
__global__ void select_rows(const float* in, const long long* idx, float* out, int columns) {
  int row = blockIdx.x;
  int from = (int)idx[row] * columns;
  for (int k = threadIdx.x; k < columns; k += 256) out[(long long)row * columns + k] = in[from + k];
}

__global__ void select_rows_wide(const float* in, const long long* idx, float* out, int columns) {
  int row = blockIdx.x;
  long long from = idx[row] * columns;
  for (long long k = threadIdx.x; k < columns; k += 256) out[(long long)row * columns + k] = in[from + k];
}

// cutlass#3604: where a tile begins, in a product of 32 bits.
__global__ void tiles_of_128(const float* in, float* out, int rows, int columns) {
  int begin = blockIdx.y * 128 * columns;
  for (int r = 0; r < 128; ++r) {
    if (blockIdx.y * 128 + r < rows && threadIdx.x + blockIdx.x * 128 < columns)
      out[(long long)begin + (long long)r * columns + blockIdx.x * 128 + threadIdx.x] = in[(long long)begin + (long long)r * columns + blockIdx.x * 128 + threadIdx.x];
  }
}

// NATTEN#349: rows of 1024 elements.
__global__ void rows_of_1024(const float* in, float* out, int rows) {
  int row = blockIdx.x;
  out[row * 1024 + threadIdx.x] = in[row * 1024 + threadIdx.x];
}

__global__ void rows_of_1024_wide(const float* in, float* out, int rows) {
  long long row = blockIdx.x;
  out[row * 1024 + threadIdx.x] = in[row * 1024 + threadIdx.x];
}
