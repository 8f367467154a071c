// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Kernels whose threads wait for others of their warp alone, with their faulty twins.
#include <cooperative_groups.h>
#include <cuda_runtime.h>

// Each warp stores its 32 elements in reversed order.
__global__ void reverse_warps(const float* in, float* out) {
  __shared__ float staged[128];
  const int i = blockIdx.x * 128 + threadIdx.x;
  staged[threadIdx.x] = in[i];
  __syncwarp();
  out[i] = staged[threadIdx.x ^ 31];
}

// A lane may read before another one has written.
__global__ void reverse_warps_no_barrier(const float* in, float* out) {
  __shared__ float staged[128];
  const int i = blockIdx.x * 128 + threadIdx.x;
  staged[threadIdx.x] = in[i];
  out[i] = staged[threadIdx.x ^ 31];
}

// A fence orders the writes of a thread, and nobody waits at it.
__global__ void reverse_warps_fence(const float* in, float* out) {
  __shared__ float staged[128];
  const int i = blockIdx.x * 128 + threadIdx.x;
  staged[threadIdx.x] = in[i];
  __threadfence_block();
  out[i] = staged[threadIdx.x ^ 31];
}

// The other element is that of another warp.
__global__ void reverse_blocks(const float* in, float* out) {
  __shared__ float staged[128];
  const int i = blockIdx.x * 128 + threadIdx.x;
  staged[threadIdx.x] = in[i];
  __syncwarp();
  out[i] = staged[threadIdx.x ^ 127];
}

// Rows of 8 and 4 threads that share a warp.
__global__ void turn_rows(const float* in, float* out) {
  __shared__ float staged[4][8];
  const int i = (blockIdx.x * 4 + threadIdx.y) * 8 + threadIdx.x;
  staged[threadIdx.y][threadIdx.x] = in[i];
  __syncwarp();
  out[i] = staged[3 - threadIdx.y][threadIdx.x];
}

// A warp passes rows through the same places again and again.
__global__ void reverse_rows(const float* in, float* out, int rows) {
  __shared__ float staged[64];
  const int lane = threadIdx.x % 32;
  float* mine = staged + threadIdx.x / 32 * 32;
  for (int row = blockIdx.x * 2 + threadIdx.x / 32; row < rows; row += gridDim.x * 2) {
    mine[lane] = in[(size_t)row * 32 + lane];
    __syncwarp();
    out[(size_t)row * 32 + lane] = mine[31 - lane];
    __syncwarp();
  }
}

// A lane may write its next element before another one has read the last one.
__global__ void reverse_rows_one_barrier(const float* in, float* out, int rows) {
  __shared__ float staged[64];
  const int lane = threadIdx.x % 32;
  float* mine = staged + threadIdx.x / 32 * 32;
  for (int row = blockIdx.x * 2 + threadIdx.x / 32; row < rows; row += gridDim.x * 2) {
    mine[lane] = in[(size_t)row * 32 + lane];
    __syncwarp();
    out[(size_t)row * 32 + lane] = mine[31 - lane];
  }
}

// Two elements per lane, one after the other, through the same places.
__global__ void reverse_twice(const float* in, float* out) {
  __shared__ float staged[32];
  const int i = blockIdx.x * 64 + threadIdx.x;
  for (int half = 0; half < 64; half += 32) {
    staged[threadIdx.x] = in[i + half];
    __syncwarp();
    out[i + half] = staged[31 - threadIdx.x];
    __syncwarp();
  }
}

// The last warp adds the sums of 64 threads without barriers of the block.
__global__ void sum_in_warp(const float* in, float* sums) {
  __shared__ float part[64];
  const int t = threadIdx.x;
  part[t] = in[blockIdx.x * 64 + t];
  __syncthreads();
  if (t < 32) {
    float sum = part[t] + part[t + 32];
    for (int lanes = 16; lanes > 0; lanes /= 2) {
      part[t] = sum;
      __syncwarp();
      if (t < lanes) sum += part[t + lanes];
      __syncwarp();
    }
    if (t == 0) sums[blockIdx.x] = sum;
  }
}

// A lane writes its sum while another one still reads it.
__global__ void sum_in_warp_racing(const float* in, float* sums) {
  __shared__ float part[64];
  const int t = threadIdx.x;
  part[t] = in[blockIdx.x * 64 + t];
  __syncthreads();
  if (t < 32) {
    for (int lanes = 32; lanes > 0; lanes /= 2) {
      part[t] += part[t + lanes];
      __syncwarp();
    }
    if (t == 0) sums[blockIdx.x] = part[0];
  }
}

// The first half of a warp waits for itself alone.
__global__ void reverse_first_half(const float* in, float* out) {
  __shared__ float staged[16];
  const bool is_first = threadIdx.x < 16;
  float value = 0;
  if (is_first) {
    staged[threadIdx.x] = in[blockIdx.x * 16 + threadIdx.x];
    __syncwarp(0x0000ffff);
    value = staged[15 - threadIdx.x];
  }
  if (is_first) out[blockIdx.x * 16 + threadIdx.x] = value;
}

// The mask names lanes that never come, and that have not returned.
__global__ void reverse_first_half_full_mask(const float* in, float* out) {
  __shared__ float staged[16];
  const bool is_first = threadIdx.x < 16;
  float value = 0;
  if (is_first) {
    staged[threadIdx.x] = in[blockIdx.x * 16 + threadIdx.x];
    __syncwarp();
    value = staged[15 - threadIdx.x];
  }
  if (is_first) out[blockIdx.x * 16 + threadIdx.x] = value;
}

// The mask names half of the lanes that wait.
__global__ void reverse_first_half_small_mask(const float* in, float* out) {
  __shared__ float staged[16];
  const bool is_first = threadIdx.x < 16;
  float value = 0;
  if (is_first) {
    staged[threadIdx.x] = in[blockIdx.x * 16 + threadIdx.x];
    __syncwarp(0x000000ff);
    value = staged[15 - threadIdx.x];
  }
  if (is_first) out[blockIdx.x * 16 + threadIdx.x] = value;
}

// Which lanes are active is not known.
__global__ void wait_for_active(const float* in, float* out) {
  const int i = blockIdx.x * 32 + threadIdx.x;
  out[i] = in[i];
  __syncwarp(__activemask());
}

// Groups of 16 threads.
__global__ void reverse_tiles(const float* in, float* out) {
  namespace cg = cooperative_groups;
  __shared__ float staged[128];
  const auto tile = cg::tiled_partition<16>(cg::this_thread_block());
  const int i = blockIdx.x * 128 + threadIdx.x;
  staged[threadIdx.x] = in[i];
  tile.sync();
  out[i] = staged[threadIdx.x ^ 15];
}

// The other element is that of another group in the warp.
__global__ void reverse_tiles_too_far(const float* in, float* out) {
  namespace cg = cooperative_groups;
  __shared__ float staged[128];
  const auto tile = cg::tiled_partition<16>(cg::this_thread_block());
  const int i = blockIdx.x * 128 + threadIdx.x;
  staged[threadIdx.x] = in[i];
  tile.sync();
  out[i] = staged[threadIdx.x ^ 31];
}

// Lanes with an even number skip the barrier at which the others wait.
__global__ void barrier_of_odd_lanes(const float* in, float* out) {
  __shared__ float staged[32];
  const int i = blockIdx.x * 32 + threadIdx.x;
  staged[threadIdx.x] = in[i];
  if (threadIdx.x % 2 == 1) __syncwarp();
  out[i] = staged[threadIdx.x];
}

// Lane 0 passes an element to lane 2 by way of lane 1: it waits for lane 1, which then waits for lane 2.
__global__ void pass_by_two_masks(const float* in, float* out) {
  __shared__ float staged;
  if (threadIdx.x == 0) {
    staged = in[blockIdx.x];
    __syncwarp(0b011);
  } else if (threadIdx.x == 1) {
    __syncwarp(0b011);
    __syncwarp(0b110);
  } else if (threadIdx.x == 2) {
    __syncwarp(0b110);
    out[blockIdx.x] = staged;
  }
}

// The lanes of both branches wait for each other, which GPUs before sm_70 do not allow.
__global__ void wait_in_both_branches(const float* in, float* out) {
  __shared__ float staged[32];
  const int i = blockIdx.x * 32 + threadIdx.x;
  staged[threadIdx.x] = in[i];
  if (threadIdx.x < 16) {
    out[i] = 0;
    __syncwarp();
  } else {
    __syncwarp();
  }
  out[i] = staged[31 - threadIdx.x];
}

// Each warp copies a row: four in a block of 128 threads.
__global__ void copy_row_per_warp(const float* in, float* out, int rows, int columns) {
  const int row = blockIdx.x * (blockDim.x / 32) + threadIdx.x / 32;
  if (row >= rows) return;
  for (int column = threadIdx.x % 32; column < columns; column += 32) {
    out[row * columns + column] = in[row * columns + column];
  }
}

// The blocks are as far apart as if warps had 16 threads.
__global__ void copy_row_per_half_warp(const float* in, float* out, int rows, int columns) {
  const int row = blockIdx.x * (blockDim.x / 16) + threadIdx.x / 32;
  if (row >= rows) return;
  for (int column = threadIdx.x & 31; column < columns; column += 32) {
    out[row * columns + column] = in[row * columns + column];
  }
}

// Each warp adds a row, and its first lane stores the sum.
__global__ void sum_row_per_warp(const float* in, float* out, int rows, int columns) {
  const int row = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
  if (row >= rows) return;
  float sum = 0;
  for (int column = threadIdx.x & 31; column < columns; column += 32) sum += in[row * columns + column];
  for (int distance = 16; distance > 0; distance /= 2) sum += __shfl_down_sync(0xffffffff, sum, distance);
  if ((threadIdx.x & 31) == 0) out[row] = sum;
}

// The place is the one of the warp in its block, so that all blocks store to the same rows.
__global__ void sum_row_of_block(const float* in, float* out, int rows, int columns) {
  const int row = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
  if (row >= rows) return;
  float sum = 0;
  for (int column = threadIdx.x & 31; column < columns; column += 32) sum += in[row * columns + column];
  for (int distance = 16; distance > 0; distance /= 2) sum += __shfl_down_sync(0xffffffff, sum, distance);
  if ((threadIdx.x & 31) == 0) out[threadIdx.x / 32] = sum;
}
