// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Strides of the arrays in a request about a kernel: f32[M,N]:(LD,1).
#pragma once

#include <string_view>
#include <vector>
#include "layoutcheck/core/base/error.h"
#include "layoutcheck/core/formula/formula.h"
#include "layoutcheck/llvm/kernel/kernel_request.h"
#include "layoutcheck/solver/layout_proof/symbolic_layout.h"

namespace layoutcheck {

// The layout of an array of a kernel. With strides, an element lies at the sum of each index times its stride, and
// minor_to_major is the order of the strides.
struct ArrayLayout : SymbolicLayout {
  std::vector<Formula> strides;  // in elements, one per dimension; none if the elements lie as SymbolicLayout says
  int64_t value_bits = 0;  // the lowest bits of an element that are its value: 4 for s4, also in a byte of its own
};

// Parses a layout and, behind `:`, strides in parentheses as formulas of names. Errors: those of ParseSymbolicLayout
// and ParseFormulas; another number of strides than dimensions (invalid argument); tiles beside strides, elements that
// are neither whole bytes nor equal parts of one (unsupported).
Expected<ArrayLayout> ParseArrayLayout(std::string_view text);

// Returns the request with assumptions that no two elements of an array with strides have one place, and that the order
// of its dimensions is that of the layout: each stride is at least the size times the stride of the next minor
// dimension, and the last at least 1. Errors: those of ParseArrayLayout.
Expected<KernelRequest> AssumeNestedStrides(KernelRequest request);

}  // namespace layoutcheck
