// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Kernels that take the bytes of one array for values of several types, with their faulty twins.
#include <cuda_fp16.h>
#include <cuda_runtime.h>
#include <stdint.h>
#include <string.h>

struct Point {
  float x, y, z;
};

// An array of structs.
__global__ void copy_points(const Point* in, Point* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = in[i];
}

// An array of structs becomes three arrays.
__global__ void split_points(const Point* in, float* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const Point point = in[i];
  out[i] = point.x;
  out[n + i] = point.y;
  out[2 * n + i] = point.z;
}

__global__ void split_points_swapped(const Point* in, float* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const Point point = in[i];
  out[i] = point.x;
  out[n + i] = point.z;
  out[2 * n + i] = point.y;
}

// Four elements at once, and the rest one by one.
__global__ void copy_wide_and_rest(const float* in, float* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const int wide = n / 4;
  if (i < wide) {
    reinterpret_cast<float4*>(out)[i] = reinterpret_cast<const float4*>(in)[i];
  } else if (i - wide < n % 4) {
    out[4 * wide + i - wide] = in[4 * wide + i - wide];
  }
}

// Both halves of a word, taken apart and put together by shifts.
__global__ void swap_halves(const half2* in, half2* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const unsigned word = reinterpret_cast<const unsigned*>(in)[i];
  reinterpret_cast<unsigned*>(out)[i] = word >> 16 | word << 16;
}

__global__ void swap_halves_too_far(const half2* in, half2* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const unsigned word = reinterpret_cast<const unsigned*>(in)[i];
  reinterpret_cast<unsigned*>(out)[i] = word >> 8 | word << 24;
}

// The bytes of a word in reversed order, by a union.
__global__ void reverse_bytes(const uint8_t* in, uint8_t* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n / 4) return;
  union {
    unsigned word;
    uint8_t bytes[4];
  } from, to;
  from.word = reinterpret_cast<const unsigned*>(in)[i];
  for (int k = 0; k < 4; ++k) to.bytes[k] = from.bytes[3 - k];
  reinterpret_cast<unsigned*>(out)[i] = to.word;
}

// One byte of a word is replaced, and the one beside it is stored.
__global__ void byte_of_word(const uint8_t* in, uint8_t* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n / 4) return;
  union {
    float number;
    uint8_t bytes[4];
  } word;
  word.number = reinterpret_cast<const float*>(in)[i];
  word.bytes[0] = 0;
  for (int k = 0; k < 4; ++k) out[4 * i + k] = word.bytes[(k + 1) % 4];
}

// The second byte of each word is stored at the place of the first one.
__global__ void second_byte(const uint8_t* in, uint8_t* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n / 4) return;
  union {
    float number;
    uint8_t bytes[4];
  } word;
  word.number = reinterpret_cast<const float*>(in)[i];
  word.bytes[3] = 0;
  out[4 * i] = word.bytes[1];
}

// A copy of bytes into a variable of another type.
__global__ void copy_by_memcpy(const uint8_t* in, uint8_t* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n / 8) return;
  double number;
  memcpy(&number, in + 8 * i, sizeof number);
  memcpy(out + 8 * i, &number, sizeof number);
}

// Floats at odd multiples of two bytes.
__global__ void copy_unaligned(const uint8_t* in, uint8_t* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n / 6) return;
  *reinterpret_cast<float*>(out + 6 * i) = *reinterpret_cast<const float*>(in + 6 * i);
}

// A header of one integer, and half data behind it.
__global__ void copy_behind_header(const uint8_t* in, uint8_t* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i == 0) *reinterpret_cast<int*>(out) = *reinterpret_cast<const int*>(in);
  if (i < n) reinterpret_cast<half*>(out + 4)[i] = reinterpret_cast<const half*>(in + 4)[i];
}

// The data begin two bytes too early.
__global__ void copy_into_header(const uint8_t* in, uint8_t* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i == 0) *reinterpret_cast<int*>(out) = *reinterpret_cast<const int*>(in);
  if (i < n) reinterpret_cast<half*>(out + 2)[i] = reinterpret_cast<const half*>(in + 4)[i];
}

// A row and a column in one word.
struct Place {
  unsigned row : 20;
  unsigned column : 12;
};

// Bit-fields of numbers.
__global__ void transpose_by_fields(const float* in, float* out, int rows, int columns) {
  Place place;
  place.row = blockIdx.y;
  place.column = blockIdx.x * blockDim.x + threadIdx.x;
  if (place.column < columns) out[place.column * rows + place.row] = in[place.row * columns + place.column];
}

// Bit-fields of elements.
struct Nibbles {
  uint8_t low : 4;
  uint8_t high : 4;
};

__global__ void pack_by_fields(const uint8_t* in, Nibbles* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n / 2) return;
  Nibbles both;
  both.low = in[2 * i];
  both.high = in[2 * i + 1];
  out[i] = both;
}

__global__ void pack_by_fields_swapped(const uint8_t* in, Nibbles* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n / 2) return;
  Nibbles both;
  both.low = in[2 * i + 1];
  both.high = in[2 * i];
  out[i] = both;
}
