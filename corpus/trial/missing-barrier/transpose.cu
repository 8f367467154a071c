// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Transposes each matrix of 64 x 64 of a batch, in tiles of 32 x 32.
__global__ void transpose_batch(const float* in, float* out, int batch) {
  __shared__ float tile[32][33];
  const int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y;
  const int to_x = blockIdx.y * 32 + threadIdx.x, to_y = blockIdx.x * 32 + threadIdx.y;
  for (int b = 0; b < batch; ++b) {
    const long long start = 4096LL * b;
    tile[threadIdx.y][threadIdx.x] = in[start + y * 64 + x];
    __syncthreads();
    out[start + to_y * 64 + to_x] = tile[threadIdx.x][threadIdx.y];
  }
}
