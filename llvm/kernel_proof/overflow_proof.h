// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Proofs that the addresses of a kernel are those that arithmetic without limits gives.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include "layoutcheck/llvm/code_proof/code_border.h"
#include "layoutcheck/llvm/kernel_proof/thread_claims.h"

namespace layoutcheck {

struct OverflowProof {
  ProofResult result;
  std::optional<CodeBorder> border;
};

// Proves or refutes "no-overflow": no access has another address than the one that integers without limits give,
// whether it is in its array or not. A number that wraps and never reaches an address, or whose low bits alone do, is
// right. `model` and `any_launch` are those of `threads`. Looks for a border if there is `is_right_while`, which
// returns true if the law is proved wherever a condition holds. Errors: those of ThreadProver::Prove.
Expected<OverflowProof> ProveNoOverflow(KernelModel& model, KernelModel& any_launch, ThreadProver& threads,
                                        const RightWhile& is_right_while);

}  // namespace layoutcheck
