// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Kernels that move arrays as frameworks do: slices, flips, pads, concatenations, embeddings, images; with their faulty
// twins.
#include <cuda_runtime.h>
#include <cuda_fp16.h>

// Every step-th element from `start` on.
__global__ void slice(const float* in, float* out, int start, int step, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = in[start + i * step];
}

__global__ void flip(const float* in, float* out, int height, int width) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < width && y < height) out[y * width + x] = in[y * width + (width - 1 - x)];
}

// The first column of each row comes from the next row.
__global__ void flip_too_far(const float* in, float* out, int height, int width) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < width && y < height) out[y * width + x] = in[y * width + (width - x)];
}

__global__ void roll(const float* in, float* out, int n, int shift) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  int from = i - shift;
  if (from < 0) from += n;
  out[i] = in[from];
}

// Rows of `a`, each with its row of `b` behind it.
__global__ void concat(const float* a, const float* b, float* out, int columns_a, int columns_b) {
  int c = blockIdx.x * blockDim.x + threadIdx.x;
  size_t row = blockIdx.y;
  int columns = columns_a + columns_b;
  if (c >= columns) return;
  out[row * columns + c] = c < columns_a ? a[row * columns_a + c] : b[row * columns_b + (c - columns_a)];
}

// The first element of a row of `b` is looked up in `a`.
__global__ void concat_one_more(const float* a, const float* b, float* out, int columns_a, int columns_b) {
  int c = blockIdx.x * blockDim.x + threadIdx.x;
  size_t row = blockIdx.y;
  int columns = columns_a + columns_b;
  if (c >= columns) return;
  out[row * columns + c] = c <= columns_a ? a[row * columns_a + c] : b[row * columns_b + (c - columns_a)];
}

// A border of zeros.
__global__ void pad(const float* __restrict__ in, float* __restrict__ out, int height, int width, int border) {
  const int out_width = width + 2 * border, out_height = height + 2 * border;
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= out_width || y >= out_height) return;
  const int from_x = x - border, from_y = y - border;
  const bool is_inside = from_x >= 0 && from_x < width && from_y >= 0 && from_y < height;
  out[(size_t)y * out_width + x] = is_inside ? in[(size_t)from_y * width + from_x] : 0.0f;
}

// The row below the last one counts as inside.
__global__ void pad_one_more(const float* __restrict__ in, float* __restrict__ out, int height, int width, int border) {
  const int out_width = width + 2 * border, out_height = height + 2 * border;
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= out_width || y >= out_height) return;
  const int from_x = x - border, from_y = y - border;
  const bool is_inside = from_x >= 0 && from_x < width && from_y >= 0 && from_y <= height;
  out[(size_t)y * out_width + x] = is_inside ? in[(size_t)from_y * width + from_x] : 0.0f;
}

// Two halves at once; a row has an even number of them.
__global__ void embedding(const long long* __restrict__ ids, const half* __restrict__ table, half* __restrict__ out,
                          int columns) {
  const half2* from = reinterpret_cast<const half2*>(table + ids[blockIdx.x] * columns);
  half2* to = reinterpret_cast<half2*>(out + (long long)blockIdx.x * columns);
  for (int k = threadIdx.x; k < columns / 2; k += blockDim.x) to[k] = from[k];
}

// The rows of the table have two more columns than they have.
__global__ void embedding_padded(const long long* __restrict__ ids, const half* __restrict__ table,
                                 half* __restrict__ out, int columns) {
  const half2* from = reinterpret_cast<const half2*>(table + ids[blockIdx.x] * (columns + 2));
  half2* to = reinterpret_cast<half2*>(out + (long long)blockIdx.x * columns);
  for (int k = threadIdx.x; k < columns / 2; k += blockDim.x) to[k] = from[k];
}

// Turns pairs of elements, which are half a row apart.
__global__ void rotate_halves(const float* in, const float* cosine, const float* sine, float* out, int heads,
                              int columns) {
  const int half_row = columns / 2;
  const int k = threadIdx.x;
  if (k >= half_row) return;
  const size_t row = ((size_t)blockIdx.x * heads + blockIdx.y) * columns;
  const float c = cosine[blockIdx.x * half_row + k], s = sine[blockIdx.x * half_row + k];
  const float a = in[row + k], b = in[row + k + half_row];
  out[row + k] = a * c - b * s;
  out[row + k + half_row] = a * s + b * c;
}

__global__ void channels_last(const float* in, float* out, int channels, int pixels) {
  const int p = blockIdx.x * blockDim.x + threadIdx.x;
  const size_t c = blockIdx.y, n = blockIdx.z;
  if (p >= pixels) return;
  out[(n * pixels + p) * channels + c] = in[(n * channels + c) * pixels + p];
}

// The strides of the source are exchanged.
__global__ void channels_last_swapped(const float* in, float* out, int channels, int pixels) {
  const int p = blockIdx.x * blockDim.x + threadIdx.x;
  const size_t c = blockIdx.y, n = blockIdx.z;
  if (p >= pixels) return;
  out[(n * pixels + p) * channels + c] = in[(n * pixels + c) * channels + p];
}

// Swaps the first two dimensions of an array of three, which one index counts.
__global__ void swap_outer(const float* in, float* out, int planes, int rows, int columns) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= planes * rows * columns) return;
  int column = i % columns;
  int row = i / columns % rows;
  int plane = i / (rows * columns);
  out[(row * planes + plane) * columns + column] = in[i];
}

// Puts the heads before the steps: (batch, step, head, channel) becomes (batch, head, step, channel).
__global__ void heads_first(const float* in, float* out, int batch, int steps, int heads, int channels) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= batch * steps * heads * channels) return;
  int c = i % channels;
  int h = i / channels % heads;
  int s = i / (channels * heads) % steps;
  int b = i / (channels * heads * steps);
  out[((b * heads + h) * steps + s) * channels + c] = in[i];
}

// Has the stride of the heads in place of that of the channels.
__global__ void heads_first_wrong_stride(const float* in, float* out, int batch, int steps, int heads, int channels) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= batch * steps * heads * channels) return;
  int c = i % channels;
  int h = i / channels % heads;
  int s = i / (channels * heads) % steps;
  int b = i / (channels * heads * steps);
  out[((b * heads + h) * steps + s) * heads + c] = in[i];
}

// Reverses the order of the elements.
__global__ void reversed(const float* in, float* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[n - 1 - i] = in[i];
}

// Begins one place too far.
__global__ void reversed_too_far(const float* in, float* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[n - i] = in[i];
}

// Queries, keys and values of a fused product, [B,T,3,H,S], as arrays of heads, [B,H,T,S].
__global__ void split_fused_heads(float* q, float* k, float* v, const float* in, int B, int T, int H, int S) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < B * H * T * S) {
    int b = i / (H * T * S);
    int rest = i % (H * T * S);
    int h = rest / (T * S);
    rest = rest % (T * S);
    int t = rest / S;
    int s = rest % S;
    int from = b * T * 3 * H * S + t * 3 * H * S + h * S + s;
    q[i] = in[from];
    k[i] = in[from + H * S];
    v[i] = in[from + 2 * (H * S)];
  }
}

// The values begin behind one head of keys.
__global__ void split_fused_heads_early(float* q, float* k, float* v, const float* in, int B, int T, int H, int S) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < B * H * T * S) {
    int b = i / (H * T * S);
    int rest = i % (H * T * S);
    int h = rest / (T * S);
    rest = rest % (T * S);
    int t = rest / S;
    int s = rest % S;
    int from = b * T * 3 * H * S + t * 3 * H * S + h * S + s;
    q[i] = in[from];
    k[i] = in[from + H * S];
    v[i] = in[from + H * S + S];
  }
}
