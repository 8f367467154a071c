// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Kernels that move arrays, right and wrong. kernels.jsonl has the question about each and its verdicts.

__global__ void tile_2d(const float* in, float* out, int M, int N) {
  int i = blockIdx.y * blockDim.y + threadIdx.y;
  int j = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < M && j < N) {
    int tiles = (N + 127) / 128;
    out[(i / 8 * tiles + j / 128) * 1024 + i % 8 * 128 + j % 128] = in[i * N + j];
  }
}

__global__ void tile_linear(const float* in, float* out, int M, int N) {
  int e = blockIdx.x * blockDim.x + threadIdx.x;
  if (e >= M * N) return;
  int i = e / N, j = e % N, tiles = (N + 127) / 128;
  out[(i / 8 * tiles + j / 128) * 1024 + i % 8 * 128 + j % 128] = in[e];
}

__global__ void untile(const float* in, float* out, int M, int N) {
  int i = blockIdx.y * blockDim.y + threadIdx.y;
  int j = blockIdx.x * blockDim.x + threadIdx.x;
  int tiles = (N + 127) / 128;
  if (i < M && j < N) out[i * N + j] = in[(i / 8 * tiles + j / 128) * 1024 + i % 8 * 128 + j % 128];
}

__global__ void transpose(const float* in, float* out, int M, int N) {
  int i = blockIdx.y * blockDim.y + threadIdx.y;
  int j = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < M && j < N) out[j * M + i] = in[i * N + j];
}

// bf16 with two rows in one word.
__global__ void tile_bf16(const unsigned short* in, unsigned short* out, int M, int N) {
  int i = blockIdx.y * blockDim.y + threadIdx.y;
  int j = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= M || j >= N) return;
  int tiles = (N + 127) / 128;
  out[(i / 8 * tiles + j / 128) * 1024 + i % 8 / 2 * 256 + j % 128 * 2 + i % 2] = in[i * N + j];
}

// Each thread copies four elements at once.
__global__ void copy_float4(const float4* in, float4* out, int N) {
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  if (t < N / 4) out[t] = in[t];
}

// Each thread copies four neighbors, one after another.
__global__ void copy_four(const float* in, float* out, int N) {
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  for (int k = 0; k < 4; ++k) {
    int e = t * 4 + k;
    if (e < N) out[e] = in[e];
  }
}

__global__ void no_guard(const float* in, float* out, int M, int N) {
  int i = blockIdx.y * blockDim.y + threadIdx.y;
  int j = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < M) out[j * M + i] = in[i * N + j];
}

__global__ void guard_off_by_one(const float* in, float* out, int M, int N) {
  int i = blockIdx.y * blockDim.y + threadIdx.y;
  int j = blockIdx.x * blockDim.x + threadIdx.x;
  if (i <= M && j < N) out[i * N + j] = in[i * N + j];
}

__global__ void tiles_rounded_down(const float* in, float* out, int M, int N) {
  int i = blockIdx.y * blockDim.y + threadIdx.y;
  int j = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < M && j < N) {
    int tiles = N / 128;
    out[(i / 8 * tiles + j / 128) * 1024 + i % 8 * 128 + j % 128] = in[i * N + j];
  }
}

// Neighboring blocks overlap by one thread.
__global__ void overlap(const float* in, float* out, int M, int N) {
  int i = blockIdx.y * blockDim.y + threadIdx.y;
  int j = blockIdx.x * (blockDim.x - 1) + threadIdx.x;
  if (i < M && j < N) out[j * M + i] = in[i * N + j];
}

// Adds, and so stores what no array holds.
__global__ void add_one(const float* in, float* out, int N) {
  int e = blockIdx.x * blockDim.x + threadIdx.x;
  if (e < N) out[e] = in[e] + 1;
}

__global__ void misaligned(const float* in, float4* out, int N) {
  int e = blockIdx.x * blockDim.x + threadIdx.x;
  if (e < N / 4) out[e] = *(const float4*)(in + e);
}

// Runs as often as a size says.
__global__ void grid_stride(const float* in, float* out, int N) {
  for (int e = blockIdx.x * blockDim.x + threadIdx.x; e < N; e += blockDim.x * gridDim.x) out[e] = in[e];
}

__global__ void tile_bf16_linear(const unsigned short* in, unsigned short* out, int M, int N) {
  int e = blockIdx.x * blockDim.x + threadIdx.x;
  if (e >= M * N) return;
  int i = e / N, j = e % N, tiles = (N + 127) / 128;
  out[(i / 8 * tiles + j / 128) * 1024 + i % 8 / 2 * 256 + j % 128 * 2 + i % 2] = in[e];
}

// The columns of the last tile are left out of its number.
__global__ void tile_bf16_linear_rounded(const unsigned short* in, unsigned short* out, int M, int N) {
  int e = blockIdx.x * blockDim.x + threadIdx.x;
  if (e >= M * N) return;
  int i = e / N, j = e % N, tiles = N / 128;
  out[(i / 8 * tiles + j / 128) * 1024 + i % 8 / 2 * 256 + j % 128 * 2 + i % 2] = in[e];
}
