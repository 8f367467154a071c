// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Proofs that two functions of LLVM IR, such as one before and after optimization, have the same value.
#pragma once

#include <cstdint>
#include <span>
#include "layoutcheck/llvm/ir/interpreter.h"
#include "layoutcheck/solver/certificate/proof_result.h"

namespace layoutcheck {

// The values of one argument.
struct ArgumentRange {
  int64_t least = 0;
  int64_t largest = 0;  // at most 2^63 - 1 more than `least`
};

// Proves or refutes that `target` has the value of `source` for all arguments in their ranges for which the behavior of
// `source` is defined. In a counterexample, `n0`, `n1`, ... are the arguments less their least values, and `actual` is
// the value of `target` less that of `source`.
ProofResult ProveSameValue(const BoundCode& source, const BoundCode& target, std::span<const ArgumentRange> arguments);

}  // namespace layoutcheck
