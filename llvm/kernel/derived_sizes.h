// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Formulas in the arrays and arguments of a request about a kernel, such as f32[2*N]{0} and N/4.
#pragma once

#include "layoutcheck/core/base/error.h"
#include "layoutcheck/llvm/kernel/kernel_request.h"

namespace layoutcheck {

// Returns the request with a new name in place of each formula in the dimensions of an array and in the arguments, and
// these names in `derived`. Errors (syntax): a bracket without its other one.
Expected<KernelRequest> NameFormulas(KernelRequest request);

}  // namespace layoutcheck
