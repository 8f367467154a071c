// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Kernels whose threads pass data through shared memory, right and wrong.
#include <cuda_runtime.h>

constexpr int kTile = 32;
constexpr int kRows = 8;  // rows of a tile that a block moves at once

// Reads and writes rows of 32 elements; the column that is added keeps the banks apart.
__global__ void transpose(const float* in, float* out, int M, int N) {
  __shared__ float tile[kTile][kTile + 1];
  int column = blockIdx.x * kTile + threadIdx.x;
  int row = blockIdx.y * kTile + threadIdx.y;
  for (int k = 0; k < kTile; k += kRows) {
    if (column < N && row + k < M) tile[threadIdx.y + k][threadIdx.x] = in[(row + k) * N + column];
  }
  __syncthreads();
  column = blockIdx.y * kTile + threadIdx.x;
  row = blockIdx.x * kTile + threadIdx.y;
  for (int k = 0; k < kTile; k += kRows) {
    if (column < M && row + k < N) out[(row + k) * M + column] = tile[threadIdx.x][threadIdx.y + k];
  }
}

// Threads may read a place before its writer has been there.
__global__ void transpose_no_barrier(const float* in, float* out, int M, int N) {
  __shared__ float tile[kTile][kTile + 1];
  int column = blockIdx.x * kTile + threadIdx.x;
  int row = blockIdx.y * kTile + threadIdx.y;
  for (int k = 0; k < kTile; k += kRows) {
    if (column < N && row + k < M) tile[threadIdx.y + k][threadIdx.x] = in[(row + k) * N + column];
  }
  column = blockIdx.y * kTile + threadIdx.x;
  row = blockIdx.x * kTile + threadIdx.y;
  for (int k = 0; k < kTile; k += kRows) {
    if (column < M && row + k < N) out[(row + k) * M + column] = tile[threadIdx.x][threadIdx.y + k];
  }
}

// The tile is read as it was written, so that each tile moves to its place untransposed.
__global__ void transpose_tiles_only(const float* in, float* out, int M, int N) {
  __shared__ float tile[kTile][kTile + 1];
  int column = blockIdx.x * kTile + threadIdx.x;
  int row = blockIdx.y * kTile + threadIdx.y;
  if (column < N && row < M) tile[threadIdx.y][threadIdx.x] = in[row * N + column];
  __syncthreads();
  column = blockIdx.y * kTile + threadIdx.x;
  row = blockIdx.x * kTile + threadIdx.y;
  if (column < M && row < N) out[row * M + column] = tile[threadIdx.y][threadIdx.x];
}

// One element per thread.
__global__ void transpose_square(const float* in, float* out, int M, int N) {
  __shared__ float tile[kTile][kTile + 1];
  int column = blockIdx.x * kTile + threadIdx.x;
  int row = blockIdx.y * kTile + threadIdx.y;
  if (column < N && row < M) tile[threadIdx.y][threadIdx.x] = in[row * N + column];
  __syncthreads();
  column = blockIdx.y * kTile + threadIdx.x;
  row = blockIdx.x * kTile + threadIdx.y;
  if (column < M && row < N) out[row * M + column] = tile[threadIdx.x][threadIdx.y];
}

// The column is flipped by the row in place of the column that is added.
__global__ void transpose_swizzled(const float* in, float* out, int M, int N) {
  __shared__ float tile[kTile][kTile];
  int column = blockIdx.x * kTile + threadIdx.x;
  int row = blockIdx.y * kTile + threadIdx.y;
  if (column < N && row < M) tile[threadIdx.y][threadIdx.x ^ threadIdx.y] = in[row * N + column];
  __syncthreads();
  column = blockIdx.y * kTile + threadIdx.x;
  row = blockIdx.x * kTile + threadIdx.y;
  if (column < M && row < N) out[row * M + column] = tile[threadIdx.x][threadIdx.y ^ threadIdx.x];
}

// The tile lacks its last row.
__global__ void transpose_short_tile(const float* in, float* out, int M, int N) {
  __shared__ float tile[kTile - 1][kTile + 1];
  int column = blockIdx.x * kTile + threadIdx.x;
  int row = blockIdx.y * kTile + threadIdx.y;
  if (column < N && row < M) tile[threadIdx.y][threadIdx.x] = in[row * N + column];
  __syncthreads();
  column = blockIdx.y * kTile + threadIdx.x;
  row = blockIdx.x * kTile + threadIdx.y;
  if (column < M && row < N) out[row * M + column] = tile[threadIdx.x][threadIdx.y];
}

// Each block turns its 256 elements around.
__global__ void reverse(const float* in, float* out) {
  __shared__ float part[256];
  int e = blockIdx.x * 256 + threadIdx.x;
  part[threadIdx.x] = in[e];
  __syncthreads();
  out[e] = part[255 - threadIdx.x];
}

// Copies through memory whose size the launch says.
__global__ void copy_dynamic(const float* in, float* out, int N) {
  extern __shared__ float staged[];
  int e = blockIdx.x * blockDim.x + threadIdx.x;
  if (e < N) staged[threadIdx.x] = in[e];
  __syncthreads();
  if (e < N) out[e] = staged[threadIdx.x];
}

// Adds the elements of a block in a tree.
__global__ void block_sum(const float* in, float* out, int N) {
  __shared__ float part[256];
  int e = blockIdx.x * 256 + threadIdx.x;
  part[threadIdx.x] = e < N ? in[e] : 0.0f;
  __syncthreads();
  for (int half = 128; half > 0; half /= 2) {
    if (threadIdx.x < half) part[threadIdx.x] += part[threadIdx.x + half];
    __syncthreads();
  }
  if (threadIdx.x == 0) out[blockIdx.x] = part[0];
}

// The barrier is missing between two levels of the tree.
__global__ void block_sum_no_barrier(const float* in, float* out, int N) {
  __shared__ float part[256];
  int e = blockIdx.x * 256 + threadIdx.x;
  part[threadIdx.x] = e < N ? in[e] : 0.0f;
  __syncthreads();
  for (int half = 128; half > 0; half /= 2) {
    if (threadIdx.x < half) part[threadIdx.x] += part[threadIdx.x + half];
  }
  if (threadIdx.x == 0) out[blockIdx.x] = part[0];
}

// Only half of the threads reach the barrier, and the others go on.
__global__ void barrier_in_a_branch(const float* in, float* out, int N) {
  __shared__ float part[256];
  int e = blockIdx.x * 256 + threadIdx.x;
  if (threadIdx.x < 128) {
    part[threadIdx.x] = e < N ? in[e] : 0.0f;
    __syncthreads();
  }
  if (e < N) out[e] = part[threadIdx.x % 128];
}

// Threads beyond the end return before the barrier.
__global__ void early_return(const float* in, float* out, int N) {
  __shared__ float part[256];
  int e = blockIdx.x * 256 + threadIdx.x;
  if (e >= N) return;
  part[threadIdx.x] = in[e];
  __syncthreads();
  out[e] = part[threadIdx.x];
}

// A product in tiles.
__global__ void matmul(const float* a, const float* b, float* c, int M, int N, int K) {
  __shared__ float rows[16][16];
  __shared__ float columns[16][16];
  int m = blockIdx.y * 16 + threadIdx.y;
  int n = blockIdx.x * 16 + threadIdx.x;
  float sum = 0.0f;
  for (int k = 0; k < K; k += 16) {
    rows[threadIdx.y][threadIdx.x] = m < M && k + threadIdx.x < K ? a[m * K + k + threadIdx.x] : 0.0f;
    columns[threadIdx.y][threadIdx.x] = n < N && k + threadIdx.y < K ? b[(k + threadIdx.y) * N + n] : 0.0f;
    __syncthreads();
    for (int j = 0; j < 16; ++j) sum += rows[threadIdx.y][j] * columns[j][threadIdx.x];
    __syncthreads();
  }
  if (m < M && n < N) c[m * N + n] = sum;
}

// A thread may write the next tile while others read this one.
__global__ void matmul_one_barrier(const float* a, const float* b, float* c, int M, int N, int K) {
  __shared__ float rows[16][16];
  __shared__ float columns[16][16];
  int m = blockIdx.y * 16 + threadIdx.y;
  int n = blockIdx.x * 16 + threadIdx.x;
  float sum = 0.0f;
  for (int k = 0; k < K; k += 16) {
    rows[threadIdx.y][threadIdx.x] = m < M && k + threadIdx.x < K ? a[m * K + k + threadIdx.x] : 0.0f;
    columns[threadIdx.y][threadIdx.x] = n < N && k + threadIdx.y < K ? b[(k + threadIdx.y) * N + n] : 0.0f;
    __syncthreads();
    for (int j = 0; j < 16; ++j) sum += rows[threadIdx.y][j] * columns[j][threadIdx.x];
  }
  if (m < M && n < N) c[m * N + n] = sum;
}

// The same memory passes data twice, the second time in reversed order.
__global__ void copy_twice(const float* in, float* out, float* again, int N) {
  __shared__ float part[256];
  int e = blockIdx.x * 256 + threadIdx.x;
  if (e < N) part[threadIdx.x] = in[e];
  __syncthreads();
  if (e < N) out[e] = part[threadIdx.x];
  __syncthreads();
  part[255 - threadIdx.x] = e < N ? in[e] : 0.0f;
  __syncthreads();
  if (e < N) again[e] = part[255 - threadIdx.x];
}

// The second barrier is missing: a thread may write what another one has not read.
__global__ void copy_twice_one_barrier(const float* in, float* out, float* again, int N) {
  __shared__ float part[256];
  int e = blockIdx.x * 256 + threadIdx.x;
  if (e < N) part[threadIdx.x] = in[e];
  __syncthreads();
  if (e < N) out[e] = part[threadIdx.x];
  part[255 - threadIdx.x] = e < N ? in[e] : 0.0f;
  __syncthreads();
  if (e < N) again[e] = part[255 - threadIdx.x];
}

// Small arrays have a barrier, and large ones have none.
__global__ void barrier_up_to_5000(const float* in, float* out, int N) {
  __shared__ float part[256];
  int e = blockIdx.x * 256 + threadIdx.x;
  part[threadIdx.x] = e < N ? in[e] : 0.0f;
  if (N <= 5000) __syncthreads();
  if (e < N) out[e] = part[threadIdx.x ^ 1];
}

// Some threads of large arrays wait once more.
__global__ void barrier_above_5000(const float* in, float* out, int N) {
  __shared__ float part[256];
  int e = blockIdx.x * 256 + threadIdx.x;
  if (e < N) part[threadIdx.x] = in[e];
  if (N > 5000 && threadIdx.x < 16) __syncthreads();
  __syncthreads();
  if (e < N) out[e] = part[threadIdx.x];
}

// Neighbours change places in large arrays.
__global__ void wrong_above_5000(const float* in, float* out, int N) {
  __shared__ float part[256];
  int e = blockIdx.x * 256 + threadIdx.x;
  part[threadIdx.x] = e < N ? in[e] : 0.0f;
  __syncthreads();
  int from = N > 5000 ? threadIdx.x ^ 1 : threadIdx.x;
  if (e < N) out[e] = part[from];
}

// The second value that a thread writes to a place is the one that is read.
__global__ void last_write(const float* in, float* out, int N) {
  __shared__ float part[256];
  int e = blockIdx.x * 256 + threadIdx.x;
  if (e < N) part[threadIdx.x] = in[e];
  if (e < N) part[threadIdx.x] = in[N - 1 - e];
  __syncthreads();
  if (e < N) out[e] = part[threadIdx.x];
}

// With two buffers, one barrier per step is enough.
__global__ void two_buffers(const float* in, float* out, int N) {
  __shared__ float part[2][256];
  float sum = 0.0f;
  for (int k = 0; k < N; ++k) {
    part[k & 1][threadIdx.x] = in[k];
    __syncthreads();
    sum += part[k & 1][255 - threadIdx.x];
  }
  out[blockIdx.x * 256 + threadIdx.x] = sum;
}

// With one buffer, a thread may write the next value while another reads this one.
__global__ void one_buffer(const float* in, float* out, int N) {
  __shared__ float part[256];
  float sum = 0.0f;
  for (int k = 0; k < N; ++k) {
    part[threadIdx.x] = in[k];
    __syncthreads();
    sum += part[255 - threadIdx.x];
  }
  out[blockIdx.x * 256 + threadIdx.x] = sum;
}

// Two arrays in the memory that the launch gives.
__global__ void two_parts(const float* in, float* out, int N) {
  extern __shared__ float staged[];
  float* first = staged;
  float* second = staged + 256;
  int e = blockIdx.x * 256 + threadIdx.x;
  if (e < N) {
    first[threadIdx.x] = in[e];
    second[threadIdx.x] = in[e];
  }
  __syncthreads();
  if (e < N) out[e] = second[threadIdx.x];
}

// The second array begins in the last element of the first.
__global__ void two_parts_overlap(const float* in, float* out, int N) {
  extern __shared__ float staged[];
  float* first = staged;
  float* second = staged + 255;
  int e = blockIdx.x * 256 + threadIdx.x;
  if (e < N) {
    first[threadIdx.x] = in[e];
    second[threadIdx.x] = in[e];
  }
  __syncthreads();
  if (e < N) out[e] = second[threadIdx.x];
}

// Threads make different numbers of iterations.
__global__ void unequal_trips(const float* in, float* out, int N) {
  __shared__ float part[256];
  float sum = 0.0f;
  for (int k = threadIdx.x; k < N; k += 256) {
    part[threadIdx.x] = in[k];
    __syncthreads();
    sum += part[threadIdx.x];
  }
  out[blockIdx.x * 256 + threadIdx.x] = sum;
}

// Each element is read by a thread and written by its neighbour.
__global__ void shift_in_place(float* a, int N) {
  int e = blockIdx.x * 256 + threadIdx.x;
  if (e + 1 < N) a[e] = a[e + 1];
}

// Vectors are written, and their elements are read.
__global__ void copy_vectors(const float* in, float* out, int N) {
  __shared__ float part[1024];
  int e = blockIdx.x * 1024 + threadIdx.x * 4;
  if (e + 3 < N) *(float4*)&part[threadIdx.x * 4] = *(const float4*)&in[e];
  __syncthreads();
  for (int k = 0; k < 1024; k += 256) {
    int i = blockIdx.x * 1024 + k + threadIdx.x;
    if (i < N) out[i] = part[k + threadIdx.x];
  }
}

// Copies that go on while the thread does, and end before the barrier.
__global__ void copy_async(const float4* in, float4* out, int n) {
  __shared__ float4 part[128];
  int i = blockIdx.x * 128 + threadIdx.x;
  if (i < n) __pipeline_memcpy_async(&part[threadIdx.x], &in[i], sizeof(float4));
  __pipeline_commit();
  __pipeline_wait_prior(0);
  __syncthreads();
  if (i < n) out[i] = part[threadIdx.x];
}

// No thread waits for its copy.
__global__ void copy_async_no_wait(const float4* in, float4* out, int n) {
  __shared__ float4 part[128];
  int i = blockIdx.x * 128 + threadIdx.x;
  if (i < n) __pipeline_memcpy_async(&part[threadIdx.x], &in[i], sizeof(float4));
  __pipeline_commit();
  __syncthreads();
  if (i < n) out[i] = part[threadIdx.x];
}
