// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Transposes a matrix in tiles of 32 x 32.
__global__ void transpose(const float* in, float* out, int rows, int columns) {
  __shared__ float tile[32][33];
  const int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y;
  const int to_x = blockIdx.y * 32 + threadIdx.x, to_y = blockIdx.x * 32 + threadIdx.y;
  if (x < columns && y < rows) tile[threadIdx.y][threadIdx.x] = in[y * columns + x];
  __syncthreads();
  if (to_x < rows && to_y < columns) out[to_y * rows + to_x] = tile[threadIdx.x][threadIdx.y];
}
