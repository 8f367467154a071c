// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sums of neighbours, where an element beyond the edge counts as 0.
#include <cuda_runtime.h>

__global__ void cross(const float* in, float* out, int h, int w) {
  const int x = blockIdx.x * 32 + threadIdx.x;
  const int y = blockIdx.y * 8 + threadIdx.y;
  if (x >= w || y >= h) return;
  const float left = x > 0 ? in[y * w + x - 1] : 0.0f;
  const float right = x + 1 < w ? in[y * w + x + 1] : 0.0f;
  const float up = y > 0 ? in[(y - 1) * w + x] : 0.0f;
  const float down = y + 1 < h ? in[(y + 1) * w + x] : 0.0f;
  out[y * w + x] = 0.25f * (left + right + up + down);
}

// The last column has a right neighbour by its test.
__global__ void cross_over_the_edge(const float* in, float* out, int h, int w) {
  const int x = blockIdx.x * 32 + threadIdx.x;
  const int y = blockIdx.y * 8 + threadIdx.y;
  if (x >= w || y >= h) return;
  const float left = x > 0 ? in[y * w + x - 1] : 0.0f;
  const float right = x < w ? in[y * w + x + 1] : 0.0f;
  const float up = y > 0 ? in[(y - 1) * w + x] : 0.0f;
  const float down = y + 1 < h ? in[(y + 1) * w + x] : 0.0f;
  out[y * w + x] = 0.25f * (left + right + up + down);
}

__global__ void box(const float* in, float* out, int h, int w) {
  const int x = blockIdx.x * 32 + threadIdx.x;
  const int y = blockIdx.y * 8 + threadIdx.y;
  if (x >= w || y >= h) return;
  float sum = 0;
  for (int dy = -1; dy <= 1; ++dy) {
    for (int dx = -1; dx <= 1; ++dx) {
      const int row = y + dy;
      const int column = x + dx;
      if (row >= 0 && row < h && column >= 0 && column < w) sum += in[row * w + column];
    }
  }
  out[y * w + x] = sum / 9;
}

__global__ void row_with_edges(const float* in, float* out, int n) {
  __shared__ float part[256 + 2];
  const int i = blockIdx.x * 256 + threadIdx.x;
  part[threadIdx.x + 1] = i < n ? in[i] : 0.0f;
  if (threadIdx.x == 0) part[0] = i > 0 ? in[i - 1] : 0.0f;
  if (threadIdx.x == 255) part[257] = i + 1 < n ? in[i + 1] : 0.0f;
  __syncthreads();
  if (i < n) out[i] = part[threadIdx.x] + part[threadIdx.x + 2];
}

// The windows of 3 by 3 of each plane as rows, with a border of zeros: a thread per pixel writes nine elements.
__global__ void rows_of_windows(const float* image, float* rows, int C, int H, int W) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= C * H * W) return;
  int x = i % W;
  int y = i / W % H;
  int c = i / (W * H);
  for (int ky = 0; ky < 3; ++ky) {
    for (int kx = 0; kx < 3; ++kx) {
      int from_y = y + ky - 1;
      int from_x = x + kx - 1;
      bool is_inside = from_y >= 0 && from_y < H && from_x >= 0 && from_x < W;
      rows[(((c * 3 + ky) * 3 + kx) * H + y) * W + x] = is_inside ? image[(c * H + from_y) * W + from_x] : 0;
    }
  }
}

// Left of the first pixel of the first row, nothing keeps the thread from reading.
__global__ void rows_of_windows_open(const float* image, float* rows, int C, int H, int W) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= C * H * W) return;
  int x = i % W;
  int y = i / W % H;
  int c = i / (W * H);
  for (int ky = 0; ky < 3; ++ky) {
    for (int kx = 0; kx < 3; ++kx) {
      int from_y = y + ky - 1;
      int from_x = x + kx - 1;
      bool is_inside = from_y >= 0 && from_y < H && from_x < W;
      rows[(((c * 3 + ky) * 3 + kx) * H + y) * W + x] = is_inside ? image[(c * H + from_y) * W + from_x] : 0;
    }
  }
}

// Weighted sums of the windows of 3 by 3, from a tile with a border that all threads of the block load together.
__global__ void weighted_windows(const float* image, const float* weights, float* out, int H, int W) {
  __shared__ float tile[10][34];
  int left = blockIdx.x * 32 - 1;
  int top = blockIdx.y * 8 - 1;
  for (int k = threadIdx.y * 32 + threadIdx.x; k < 10 * 34; k += 256) {
    int y = top + k / 34;
    int x = left + k % 34;
    bool is_inside = y >= 0 && y < H && x >= 0 && x < W;
    tile[k / 34][k % 34] = is_inside ? image[y * W + x] : 0.0f;
  }
  __syncthreads();
  int x = blockIdx.x * 32 + threadIdx.x;
  int y = blockIdx.y * 8 + threadIdx.y;
  if (x < W && y < H) {
    float sum = 0.0f;
    for (int dy = 0; dy < 3; ++dy) {
      for (int dx = 0; dx < 3; ++dx) sum += weights[dy * 3 + dx] * tile[threadIdx.y + dy][threadIdx.x + dx];
    }
    out[y * W + x] = sum;
  }
}

// The last block of a row loads past the image.
__global__ void weighted_windows_no_right_edge(const float* image, const float* weights, float* out, int H, int W) {
  __shared__ float tile[10][34];
  int left = blockIdx.x * 32 - 1;
  int top = blockIdx.y * 8 - 1;
  for (int k = threadIdx.y * 32 + threadIdx.x; k < 10 * 34; k += 256) {
    int y = top + k / 34;
    int x = left + k % 34;
    bool is_inside = y >= 0 && y < H && x >= 0;
    tile[k / 34][k % 34] = is_inside ? image[y * W + x] : 0.0f;
  }
  __syncthreads();
  int x = blockIdx.x * 32 + threadIdx.x;
  int y = blockIdx.y * 8 + threadIdx.y;
  if (x < W && y < H) {
    float sum = 0.0f;
    for (int dy = 0; dy < 3; ++dy) {
      for (int dx = 0; dx < 3; ++dx) sum += weights[dy * 3 + dx] * tile[threadIdx.y + dy][threadIdx.x + dx];
    }
    out[y * W + x] = sum;
  }
}
