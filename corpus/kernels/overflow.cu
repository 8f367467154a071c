// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Numbers that wrap, on the way to an address or elsewhere. The law no-overflow tells them apart.

__global__ void rows_unsigned(const float* in, float* out, unsigned n) {
  unsigned column = blockIdx.x * blockDim.x + threadIdx.x;
  if (column < n) out[blockIdx.y * n + column] = in[blockIdx.y * n + column];
}

__global__ void rows_wide(const float* in, float* out, unsigned n) {
  unsigned column = blockIdx.x * blockDim.x + threadIdx.x;
  size_t row = (size_t)blockIdx.y * n;
  if (column < n) out[row + column] = in[row + column];
}

// Each block reads one element before and one behind its 254. The first of them is at -1, by way of 4294967295.
__global__ void with_halo(const float* in, float* out, int n) {
  __shared__ float part[256];
  int i = blockIdx.x * 254 + threadIdx.x - 1;
  part[threadIdx.x] = i >= 0 && i < n ? in[i] : 0.0f;
  __syncthreads();
  bool is_inner = threadIdx.x > 0 && threadIdx.x < 255;
  if (is_inner && i < n) out[i] = part[threadIdx.x - 1] + part[threadIdx.x] + part[threadIdx.x + 1];
}

// The slot of an element: the highest bits of a product that is meant to wrap.
__global__ void into_slots(const float* in, float* out, int n) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i * 2654435761u >> 24] = in[i];
}

// A checksum beside the data: it wraps, and is no address.
__global__ void with_marks(const float* in, float* out, unsigned* marks, int n) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    out[i] = in[i];
    marks[i] = i * 2654435761u;
  }
}
