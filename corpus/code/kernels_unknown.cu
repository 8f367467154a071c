// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Kernels that `prove-kernel` does not follow to their end. kernels.jsonl has the question about each and its verdicts.

// Several rows per thread: each path through the guards of all rows would be too many cases.
__global__ void shared_transpose(const float* in, float* out, int M, int N) {
  __shared__ float tile[32][33];
  int j = blockIdx.x * 32 + threadIdx.x;
  int i = blockIdx.y * 32 + threadIdx.y;
  for (int k = 0; k < 32; k += 8) {
    if (j < N && i + k < M) tile[threadIdx.y + k][threadIdx.x] = in[(i + k) * N + j];
  }
  __syncthreads();
  i = blockIdx.y * 32 + threadIdx.x;
  j = blockIdx.x * 32 + threadIdx.y;
  for (int k = 0; k < 32; k += 8) {
    if (i < M && j + k < N) out[(j + k) * M + i] = tile[threadIdx.x][threadIdx.y + k];
  }
}

// One element per thread.
__global__ void shared_square(const float* in, float* out, int M, int N) {
  __shared__ float tile[32][33];
  int i = blockIdx.y * 32 + threadIdx.y;
  int j = blockIdx.x * 32 + threadIdx.x;
  if (i < M && j < N) tile[threadIdx.y][threadIdx.x] = in[i * N + j];
  __syncthreads();
  i = blockIdx.y * 32 + threadIdx.x;
  j = blockIdx.x * 32 + threadIdx.y;
  if (i < M && j < N) out[j * M + i] = tile[threadIdx.x][threadIdx.y];
}

// Loads beyond the edge of the array.
__global__ void shared_no_edge(const float* in, float* out, int M, int N) {
  __shared__ float tile[32][33];
  int i = blockIdx.y * 32 + threadIdx.y;
  int j = blockIdx.x * 32 + threadIdx.x;
  tile[threadIdx.y][threadIdx.x] = in[i * N + j];
  __syncthreads();
  i = blockIdx.y * 32 + threadIdx.x;
  j = blockIdx.x * 32 + threadIdx.y;
  if (i < M && j < N) out[j * M + i] = tile[threadIdx.x][threadIdx.y];
}

// The tile has one place too few.
__global__ void shared_too_small(const float* in, float* out, int N) {
  __shared__ float tile[255];
  int e = blockIdx.x * 256 + threadIdx.x;
  if (e < N) tile[threadIdx.x] = in[e];
  __syncthreads();
  if (e < N) out[e] = tile[threadIdx.x];
}

// Few enough places to look at each.
__global__ void shared_small(const float* in, float* out, int N) {
  __shared__ float tile[32];
  int e = blockIdx.x * 32 + threadIdx.x;
  if (e < N) tile[threadIdx.x] = in[e];
  __syncthreads();
  if (e < N) out[e] = tile[threadIdx.x];
}

// Lets the launch say how large the tile is.
__global__ void shared_dynamic(const float* in, float* out, int N) {
  extern __shared__ float tile[];
  int e = blockIdx.x * 256 + threadIdx.x;
  if (e < N) tile[threadIdx.x] = in[e];
  __syncthreads();
  if (e < N) out[e] = tile[threadIdx.x];
}

__global__ void atomic_add(const unsigned* in, unsigned* out, int N) {
  int e = blockIdx.x * blockDim.x + threadIdx.x;
  if (e < N) __atomic_fetch_add(out + e, in[e], __ATOMIC_RELAXED);
}

// Adds next to what it stores.
__global__ void atomic_beside_store(const unsigned* in, unsigned* out, int N) {
  int e = blockIdx.x * blockDim.x + threadIdx.x;
  if (e < N) {
    out[e] = in[e];
    __atomic_fetch_add(out + N, 1u, __ATOMIC_RELAXED);
  }
}

__global__ void atomic_exchange(const unsigned* in, unsigned* out, int N) {
  int e = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned expected = 0;
  if (e < N) __atomic_compare_exchange_n(out + e, &expected, in[e], false, __ATOMIC_RELAXED, __ATOMIC_RELAXED);
}

// Puts a vector together.
__global__ void gather_float4(const float* in, float4* out, int N) {
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  if (t < N / 4) out[t] = float4{in[4 * t], in[4 * t + 1], in[4 * t + 2], in[4 * t + 3]};
}

// Half of the threads read what the other half stores.
__global__ void race(const float* in, float* out, float* out2, int N) {
  int e = blockIdx.x * blockDim.x + threadIdx.x;
  if (e < N && e % 2 == 0) out[e] = in[e];
  if (e < N && e % 2 == 1) out2[e] = out[e];
}
