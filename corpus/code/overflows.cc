// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Offsets of large tensors as libraries of kernels computed them: a product of 32 bits that is widened too late. Each
// has a twin that widens first. manifest.jsonl names the public reports.
#include <cstdint>

extern "C" {

// [B, T, H, K]: the base of a head in a batch.
int64_t attention_keys(int b, int t, int h, int k, int T, int H, int K) {
  int begin = b * T;
  int base = (begin * H + h) * K;
  return base + (int64_t)t * H * K + k;
}

int64_t attention_keys_widened(int b, int t, int h, int k, int T, int H, int K) {
  int64_t begin = (int64_t)b * T;
  int64_t base = (begin * H + h) * K;
  return base + (int64_t)t * H * K + k;
}

// [batch, length, width]: the batch stride fits, its multiple does not.
int64_t scan_batch(int batch, int position, int channel, int batch_stride, int row_stride) {
  return batch * batch_stride + (int64_t)position * row_stride + channel;
}

int64_t scan_batch_widened(int64_t batch, int position, int channel, int batch_stride, int row_stride) {
  return batch * batch_stride + (int64_t)position * row_stride + channel;
}

// [tokens, pitch]: a token times the pitch of a fused projection.
int64_t conv_token(int token, int feature, int pitch) {
  int base = token * pitch;
  return (int64_t)base + feature;
}

int64_t conv_token_widened(int token, int feature, int pitch) {
  return static_cast<int64_t>(token) * pitch + feature;
}

// [slots, 8 * 128 * 128]: an index of 32 bits, loaded from a tensor, times the stride of its dimension.
int64_t gather_state(int32_t slot, int32_t within, int32_t stride) { return slot * stride + (int64_t)within; }

int64_t gather_state_widened(int32_t slot, int32_t within, int32_t stride) {
  return int64_t{slot} * stride + within;
}

// [tokens, hidden]: rows of a padded copy.
int64_t padded_copy(int row, int col, int columns) {
  const int start = row * columns;
  return start + static_cast<int64_t>(col);
}

int64_t padded_copy_widened(int row, int col, int columns) {
  const int64_t start = static_cast<int64_t>(row) * columns;
  return start + col;
}

// [batch, length, width] flattened over tokens: rotary embedding of one token.
int64_t rotary_row(int batch, int position, int channel, int length, int width) {
  int token = batch * length + position;
  return token * width + static_cast<int64_t>(channel);
}

int64_t rotary_row_widened(int batch, int position, int channel, int length, int width) {
  int64_t token = static_cast<int64_t>(batch) * length + position;
  return token * width + channel;
}

// [programs, 1024]: the first element of a program.
int64_t program_block(int program, int lane) {
  int block_start = program * 1024;
  return static_cast<int64_t>(block_start + lane);
}

int64_t program_block_widened(int program, int lane) { return static_cast<int64_t>(program) * 1024 + lane; }

// The size that a tensor of these lengths and strides spans: the sum has 64 bits, its terms do not.
int64_t element_space(const int* lengths, const int* strides) {
  int64_t size = 1;
  for (int k = 0; k < 2; ++k) size += (lengths[k] - 1) * strides[k];
  return size;
}

int64_t element_space_widened(const int* lengths, const int* strides) {
  int64_t size = 1;
  for (int k = 0; k < 2; ++k) size += static_cast<int64_t>(lengths[k] - 1) * strides[k];
  return size;
}

// [rows, hidden]: a row found in a map of a permutation.
int64_t permuted_row(const int* row_map, int token, int col, int columns) {
  int source_row = row_map[token];
  return static_cast<int64_t>(source_row * columns) + col;
}

int64_t permuted_row_widened(const int* row_map, int token, int col, int columns) {
  int64_t source_row = row_map[token];
  return source_row * columns + col;
}
}
