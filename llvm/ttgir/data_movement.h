// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The elements that a tensor in registers holds more than once, and those that a change of its layout moves. A layout
// here is one from `register`, `lane`, `warp` and `block` to the indices of a tensor, as triton_layout.h makes it; an
// input that it lacks has size 1. A place is one value of all inputs: a register of a thread.
#pragma once

#include <cstdint>
#include "layoutcheck/core/base/error.h"
#include "layoutcheck/core/linear/linear_layout.h"

namespace layoutcheck {

// The number of places that hold an element, the same for every element: registers of a thread that holds it, times
// such lanes of a warp, times such warps of a block, times such blocks.
struct Replication {
  int64_t registers = 1;
  int64_t lanes = 1;
  int64_t warps = 1;
  int64_t blocks = 1;

  int64_t all() const { return registers * lanes * warps * blocks; }
  bool operator==(const Replication&) const = default;
};

Replication ReplicationOf(const LinearLayout& layout);

// The pairs of a thread and an element that the thread holds in the new layout, by the nearest place of the old layout
// that holds the element. An element that a thread holds in several registers counts once for it.
struct Movement {
  int64_t kept = 0;                 // the same thread
  int64_t lanes = 0;                // another lane of the same warp
  int64_t warps = 0;                // another warp of the same block
  int64_t blocks = 0;               // another block
  bool has_same_registers = false;  // every place of the new layout holds what the same place of the old one does

  // Returns the pairs whose element comes from another thread.
  int64_t moved() const { return lanes + warps + blocks; }
  bool operator==(const Movement&) const = default;
};

// Returns what the change from one layout to another moves. Errors (invalid argument): different numbers of lanes,
// warps or blocks, different shapes, an element that the old layout does not hold; (unsupported) layouts that have more
// than 64 bits of inputs together.
Expected<Movement> MovementBetween(const LinearLayout& from, const LinearLayout& to);

// The bytes that a pass of an NVIDIA GPU's shared memory stores or loads at most: 32 banks of 4 bytes.
inline constexpr int64_t kPassBytes = 128;

// Return the least number of passes in which any code can store each element of a tensor to shared memory once, or load
// into each warp the elements that it holds. An access is one of a warp, so that elements of two warps take two passes:
//
//     store: (groups of elements that are held by the same warps) x ceil(bytes of a group / 128)
//     load:  (warps) x ceil(bytes of the elements of a warp / 128)
//
// Error (overflow): a number of bytes past int64.
Expected<int64_t> LeastStorePasses(const LinearLayout& layout, int64_t element_bytes);
Expected<int64_t> LeastLoadPasses(const LinearLayout& layout, int64_t element_bytes);

}  // namespace layoutcheck
