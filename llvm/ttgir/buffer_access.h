// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Loads and stores of a tensor's registers in the shared memory of an NVIDIA GPU, and their passes.
#pragma once

#include <cstdint>
#include "layoutcheck/core/base/error.h"
#include "layoutcheck/core/linear/bank_conflicts.h"
#include "layoutcheck/core/linear/linear_layout.h"

namespace layoutcheck {

struct BufferAccess {
  // Bytes that a lane accesses at once: the widest run of at most 16 bytes for which registers lie side by side.
  int64_t lane_bytes = 0;
  // True if 8 x 8 matrices of 16-bit elements are transposed on the way, as ldmatrix.trans and stmatrix.trans do. A row
  // of 16 bytes of a matrix is then one access.
  bool has_matrices = false;
  int64_t passes = 0;                // of all warps, by FindBankConflicts (core/linear/bank_conflicts.h)
  int64_t conflict_free_passes = 0;  // as many if no two words met in a bank
  int64_t least_passes = 0;          // LeastLoadPasses (data_movement.h)
};

// Returns the access of all warps of all blocks of a cluster, each to its block's own memory, to elements of
// `element_bytes` bytes. Each warp accesses each register once, except those that repeat another register of the
// thread. `registers` is a layout as in data_movement.h, with 32 lanes; `shared` leads from `offset` and `block` to the
// array, which may be larger than the tensor: the tensor is then a part of the array that begins at a multiple of its
// own size, and such a part has the same banks as the first one but for their order. Of the widest runs and, for 2
// bytes and `may_use_matrices`, transposed matrices, it takes what needs fewer passes.
//
// Errors (unsupported): another number of lanes, an access to the memory of another block, an input of `shared` besides
// `offset` and `block`, elements of more than 16 bytes; (invalid argument) an element that `shared` does not hold,
// another number of dimensions.
Expected<BufferAccess> FindBufferAccess(const LinearLayout& registers, const LinearLayout& shared,
                                        int64_t element_bytes, AccessKind kind, bool may_use_matrices);

}  // namespace layoutcheck
