// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Circular buffers, stages of pipelines and pages of caches.
#include <stdint.h>

int ring(int head, int i, int capacity) { return (head + i) % capacity; }

int ring_by_branch(int head, int i, int capacity) {
  int slot = head + i;
  if (slot >= capacity) slot -= capacity;
  return slot;
}

// The slot after the last one.
int ring_by_branch_off_by_one(int head, int i, int capacity) {
  int slot = head + i;
  if (slot > capacity) slot -= capacity;
  return slot;
}

int ring_mask_64(int head, int i) { return (head + i) & 63; }

// Right for powers of two only.
int ring_mask(int head, int i, int capacity) { return (head + i) & (capacity - 1); }

// C's remainder has the sign of the dividend.
int ring_back(int head, int i, int capacity) { return (head - i) % capacity; }

int ring_back_positive(int head, int i, int capacity) { return ((head - i) % capacity + capacity) % capacity; }

// 2^32 is no multiple of most capacities.
unsigned ring_back_unsigned(unsigned head, unsigned i, unsigned capacity) { return (head - i) % capacity; }

unsigned ring_back_unsigned_64(unsigned head, unsigned i) { return (head - i) % 64u; }

// A pipeline of 3 stages: the stage of an iteration, and its phase bit.
int stage_of_3(int iteration) {
  int stage = iteration % 3;
  int phase = (iteration / 3) & 1;
  return stage * 2 + phase;
}

int stage_of_3_phase(int iteration) {
  int stage = iteration % 3;
  int phase = iteration & 1;
  return stage * 2 + phase;
}

// A cache in pages of 16 tokens.
int paged(const int* pages, int token) { return pages[token / 16] * 16 + token % 16; }

int64_t paged_widened(const int32_t* pages, int token) { return (int64_t)pages[token >> 4] * 16 + (token & 15); }

// One page after the last: token 63 is in page 3.
int paged_next(const int* pages, int token) { return pages[(token + 15) / 16] * 16 + token % 16; }

// Floor of a signed number, as padding at the left edge needs it.
int tile_of_padded(int position, int padding) { return (position - padding) / 8; }

int tile_of_padded_floor(int position, int padding) { return (position - padding) >> 3; }
