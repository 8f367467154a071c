// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Kernels whose addresses are numbers in arrays: gathers, pages, histograms, sparse rows; and maps that repeat elements.
#include <cuda_runtime.h>

__global__ void gather(const float* in, const int* idx, float* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  int j = idx[i];
  out[i] = in[j];
}

// Takes the element before.
__global__ void gather_before(const float* in, const int* idx, float* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = in[idx[i] - 1];
}

__global__ void gather_guarded(const float* in, const int* idx, float* out, int n, int m) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n && idx[i] >= 0 && idx[i] < m) out[i] = in[idx[i]];
}

// Forgets that an index may be negative.
__global__ void gather_half_guarded(const float* in, const int* idx, float* out, int n, int m) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n && idx[i] < m) out[i] = in[idx[i]];
}

// Rows of an embedding.
__global__ void gather_rows(const float* in, const int* idx, float* out, int columns) {
  int row = blockIdx.x;
  for (int k = threadIdx.x; k < columns; k += blockDim.x) out[row * columns + k] = in[idx[row] * columns + k];
}

__global__ void gather_rows_wide(const float* in, const long long* idx, float* out, int columns) {
  size_t row = blockIdx.x;
  for (size_t k = threadIdx.x; k < columns; k += blockDim.x) out[row * columns + k] = in[idx[row] * columns + k];
}

// Looks up the index of the column.
__global__ void gather_rows_by_column(const float* in, const int* idx, float* out, int columns) {
  int row = blockIdx.x;
  for (int k = threadIdx.x; k < columns; k += blockDim.x) out[row * columns + k] = in[idx[k] * columns + k];
}

// A cache in pages of 16 tokens.
__global__ void read_pages(const float* cache, const int* table, float* out, int heads) {
  int token = blockIdx.x;
  int page = table[token / 16];
  out[token * heads + threadIdx.x] = cache[(page * 16 + token % 16) * heads + threadIdx.x];
}

// The pages have 8 tokens where they are looked up.
__global__ void read_pages_of_8(const float* cache, const int* table, float* out, int heads) {
  int token = blockIdx.x;
  int page = table[token / 8];
  out[token * heads + threadIdx.x] = cache[(page * 16 + token % 16) * heads + threadIdx.x];
}

__global__ void write_slots(const float* in, const int* slots, float* cache, int heads) {
  int token = blockIdx.x;
  cache[slots[token] * heads + threadIdx.x] = in[token * heads + threadIdx.x];
}

__global__ void scatter(const float* in, const int* idx, float* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[idx[i]] = in[i];
}

__global__ void count_bytes(const unsigned char* in, int* bins, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) atomicAdd(&bins[in[i]], 1);
}

__global__ void add_rows(const float* grad, const int* idx, float* table, int columns) {
  int row = blockIdx.x;
  for (int k = threadIdx.x; k < columns; k += blockDim.x) atomicAdd(&table[idx[row] * columns + k], grad[row * columns + k]);
}

// The product of a sparse row and a vector.
__global__ void sparse_rows(const int* begin, const int* column, const float* value, const float* x, float* y, int rows) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows) return;
  float sum = 0;
  for (int k = begin[row]; k < begin[row + 1]; ++k) sum += value[k] * x[column[k]];
  y[row] = sum;
}

__global__ void repeat_row(const float* row, float* out, int columns) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < columns) out[blockIdx.y * columns + i] = row[i];
}

// Repeats the first elements of the row.
__global__ void repeat_block(const float* row, float* out, int columns) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < columns) out[blockIdx.y * columns + i] = row[threadIdx.x];
}

// Four floats at once.
__global__ void copy_fours(const float4* in, float4* out, int fours) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < fours) out[i] = in[i];
}

__global__ void interleave(const float* real, const float* imaginary, float* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  out[2 * i] = real[i];
  out[2 * i + 1] = imaginary[i];
}

// Other threads change the indices that one reads.
__global__ void renumber(const float* in, int* idx, float* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  out[i] = in[idx[i]];
  idx[n - 1 - i] = n;
}

__global__ void look_up_twice(const float* in, const int* idx, float* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  out[i] = in[idx[idx[i]]];
}

__global__ void lengths(const float* in, const int* idx, float* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i + 1 >= n) return;
  out[i] = in[idx[i + 1] - idx[i]];
}

__global__ void masked(const float* in, const unsigned* idx, float* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = in[idx[i] & 127];
}

__global__ void halved(const float* in, const unsigned char* idx, float* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = in[idx[i] / 2 + 1];
}

__global__ void clamped(const float* in, const int* idx, float* out, int n, int m) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = in[min(max(idx[i], 0), m - 1)];
}
