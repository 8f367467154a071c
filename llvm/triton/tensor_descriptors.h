// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Accesses through tensor descriptors of TTIR, as accesses through tensors of pointers with masks.
#pragma once

#include "layoutcheck/llvm/ttir/ttir.h"

namespace layoutcheck {

// Replaces tt.descriptor_load, _store, _reduce, _gather and _scatter by tt.load, tt.store and tt.atomic_rmw: element
// (i, j) of a block at offsets (x, y) is at base + (x + i) * stride 0 + (y + j) * stride 1 in elements, with numbers of
// 64 bits, and an element outside of the descriptor's sizes is loaded as padding and not stored. A stride of a
// descriptor that is no multiple of 16 bytes, the last one apart, breaks an assumption. An argument of the
// function that is a descriptor becomes its pointer; its sizes and strides are the arguments behind it. Operations on a
// descriptor that a loop or a branch passes on are left as they are.
void ExpandDescriptors(TtirFunction& function);

}  // namespace layoutcheck
