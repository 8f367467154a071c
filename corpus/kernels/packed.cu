// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Kernels that pack elements of less than a byte, unpack and move them, with their faulty twins. The first element of a
// byte has its lowest bits.
#include <cuda_runtime.h>
#include <stdint.h>

// Two elements per byte.
__global__ void pack(const uint8_t* in, uint8_t* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n / 2) return;
  out[i] = (in[2 * i] & 0xf) | (in[2 * i + 1] << 4);
}

// The halves of each byte are exchanged.
__global__ void pack_high_first(const uint8_t* in, uint8_t* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n / 2) return;
  out[i] = (in[2 * i] << 4) | (in[2 * i + 1] & 0xf);
}

// The high bits of the first element, such as those of a sign, get into the second one.
__global__ void pack_unmasked(const int8_t* in, int8_t* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n / 2) return;
  out[i] = in[2 * i] | (in[2 * i + 1] << 4);
}

// An odd number of elements: the last one has a byte for itself.
__global__ void pack_any(const uint8_t* in, uint8_t* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= (n + 1) / 2) return;
  uint8_t byte = in[2 * i] & 0xf;
  if (2 * i + 1 < n) byte |= in[2 * i + 1] << 4;
  out[i] = byte;
}

__global__ void pack_any_too_short(const uint8_t* in, uint8_t* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n / 2) return;
  out[i] = (in[2 * i] & 0xf) | (in[2 * i + 1] << 4);
}

// A thread per element: two threads write one byte.
__global__ void pack_per_element(const uint8_t* in, uint8_t* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const int shift = i % 2 * 4;
  out[i / 2] = (out[i / 2] & ~(0xf << shift)) | ((in[i] & 0xf) << shift);
}

// One element per byte, with its sign.
__global__ void unpack(const int8_t* in, int8_t* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n / 2) return;
  const int8_t byte = in[i];
  out[2 * i] = (int8_t)(byte << 4) >> 4;
  out[2 * i + 1] = byte >> 4;
}

// Both elements are the first one.
__global__ void unpack_first_twice(const int8_t* in, int8_t* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n / 2) return;
  const int8_t byte = in[i];
  out[2 * i] = (int8_t)(byte << 4) >> 4;
  out[2 * i + 1] = (int8_t)(byte << 4) >> 4;
}

// A thread per element. Which half of the byte it is says the number of the thread.
__global__ void unpack_per_element(const uint8_t* in, uint8_t* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  out[i] = in[i / 2] >> (i % 2 * 4) & 0xf;
}

// Eight elements per word, as GPTQ packs rows of weights.
__global__ void pack_words(const uint8_t* in, uint32_t* out, int rows, int columns) {
  const int column = blockIdx.x * blockDim.x + threadIdx.x;
  const int row = blockIdx.y;
  if (column >= columns || row >= rows / 8) return;
  uint32_t word = 0;
  for (int k = 0; k < 8; ++k) word |= (uint32_t)(in[(8 * row + k) * columns + column] & 0xf) << 4 * k;
  out[row * columns + column] = word;
}

// Rows are packed in reversed order.
__global__ void pack_words_reversed(const uint8_t* in, uint32_t* out, int rows, int columns) {
  const int column = blockIdx.x * blockDim.x + threadIdx.x;
  const int row = blockIdx.y;
  if (column >= columns || row >= rows / 8) return;
  uint32_t word = 0;
  for (int k = 0; k < 8; ++k) word = word << 4 | (in[(8 * row + k) * columns + column] & 0xf);
  out[row * columns + column] = word;
}

// From the order of AWQ, in which a word has columns 0, 2, 4, 6, 1, 3, 5, 7, to that of the columns.
__global__ void order_columns(const uint32_t* in, uint32_t* out, int words) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= words) return;
  const int order[8] = {0, 4, 1, 5, 2, 6, 3, 7};
  const uint32_t word = in[i];
  uint32_t result = 0;
  for (int k = 0; k < 8; ++k) result |= (word >> 4 * order[k] & 0xf) << 4 * k;
  out[i] = result;
}

// Takes the order for its inverse.
__global__ void order_columns_inverse(const uint32_t* in, uint32_t* out, int words) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= words) return;
  const int order[8] = {0, 2, 4, 6, 1, 3, 5, 7};
  const uint32_t word = in[i];
  uint32_t result = 0;
  for (int k = 0; k < 8; ++k) result |= (word >> 4 * order[k] & 0xf) << 4 * k;
  out[i] = result;
}

// A transposed matrix of elements of 4 bits: a thread per byte of the result, which has elements of two rows.
__global__ void transpose(const uint8_t* in, uint8_t* out, int rows, int columns) {
  const int column = blockIdx.x * blockDim.x + threadIdx.x;
  const int pair = blockIdx.y;
  if (column >= columns || pair >= rows / 2) return;
  const uint8_t first = in[2 * pair * (columns / 2) + column / 2];
  const uint8_t second = in[(2 * pair + 1) * (columns / 2) + column / 2];
  const int shift = column % 2 * 4;
  out[column * (rows / 2) + pair] = (first >> shift & 0xf) | (second >> shift & 0xf) << 4;
}

// Bytes are transposed, and with them pairs of elements.
__global__ void transpose_bytes(const uint8_t* in, uint8_t* out, int rows, int columns) {
  const int column = blockIdx.x * blockDim.x + threadIdx.x;
  const int row = blockIdx.y;
  if (column >= columns / 2 || row >= rows) return;
  out[column * rows + row] = in[row * (columns / 2) + column];
}

// Elements of 2 bits: four per byte.
__global__ void pack_four(const uint8_t* in, uint8_t* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n / 4) return;
  const uchar4 four = reinterpret_cast<const uchar4*>(in)[i];
  out[i] = (four.x & 3) + 4 * (four.y & 3) + 16 * (four.z & 3) + 64 * (four.w & 3);
}

// A multiplication of integers by weights of 4 bits: what is stored is computed.
__global__ void scale_packed(const uint8_t* in, const float* scale, float* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n / 2) return;
  const uint8_t byte = in[i];
  out[2 * i] = scale[i / 16] * ((byte & 0xf) - 8);
  out[2 * i + 1] = scale[i / 16] * ((byte >> 4) - 8);
}

// Packed bytes pass through shared memory: each thread stores the byte that another one has packed.
__global__ void pack_staged(const uint8_t* in, uint8_t* out) {
  __shared__ uint8_t staged[64];
  const int t = threadIdx.x;
  const int i = blockIdx.x * 64 + 63 - t;
  staged[63 - t] = (in[2 * i] & 0xf) | (in[2 * i + 1] << 4);
  __syncthreads();
  out[blockIdx.x * 64 + t] = staged[t];
}
