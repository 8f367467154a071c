// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Copies the tokens of a sequence out of pages of 16 tokens, a page per block.
__global__ void flatten_pages(const float* cache, const int* table, float* out, int tokens, int width) {
  const int pages = (tokens + 15) / 16;
  const int used = blockIdx.x == pages - 1 ? tokens % 16 : 16;
  const int slot = threadIdx.y, feature = threadIdx.x;
  if (slot >= used || feature >= width) return;
  const long long from = ((long long)table[blockIdx.x] * 16 + slot) * width;
  const long long to = ((long long)blockIdx.x * 16 + slot) * width;
  out[to + feature] = cache[from + feature];
}
