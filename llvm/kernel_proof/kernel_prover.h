// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The verdicts on the laws of one kernel.
#pragma once

#include <optional>
#include <vector>
#include "layoutcheck/core/base/error.h"
#include "layoutcheck/llvm/ir/code_module.h"
#include "layoutcheck/llvm/kernel_proof/earlier_kernel.h"
#include "layoutcheck/llvm/kernel_proof/prove_kernel.h"

namespace layoutcheck {

// A question about a kernel, with what it rests on. The members that are references must outlive it.
struct LawsAsked {
  const KernelRequest& request;  // request without formulas in place of sizes (NameFormulas, AssumeNestedStrides)
  const CodeModule& module;
  const ProveOptions& options;
  const EarlierKernel* earlier = nullptr;  // the kernels that run before, or null
  bool is_last = true;                     // no kernel runs behind it, so that its relayout is asked
  bool finds_borders = true;
  KernelProofReader done = nullptr;  // receives each verdict as soon as it is known; may be null
};

// Returns the verdicts as ProveKernel does, and writes to `ended`, if it is given, what is known of the kernel's
// stores.
Expected<std::vector<KernelProof>> ProveLaws(const LawsAsked& asked, std::optional<EndedKernel>* ended = nullptr);

}  // namespace layoutcheck
