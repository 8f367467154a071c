// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Proofs that the threads of a launch do not race, and that those of a block reach the same barriers.
#pragma once

#include <set>
#include <string>
#include "layoutcheck/llvm/kernel_proof/launch_simulation.h"
#include "layoutcheck/llvm/kernel_proof/thread_claims.h"

namespace layoutcheck {

// A question that compares threads of a kernel, with all that is known of them. Proofs require that its accesses are
// right.
struct RaceQuestion {
  const KernelModel& model;
  ThreadProver& threads;
  const Simulation& simulation;
  const SharedIntervals& intervals;  // of all threads
  const std::set<size_t>& written;   // the arrays that the kernel stores to
  const std::set<size_t>& atomic;    // those of them that atomic operations change
  bool are_accesses_proved = false;
};

// Proves or refutes that no two threads access the same byte, one of them writing and not both by atomic operations,
// unless a barrier of their block lies between. Refutations are of small launches, or of two threads to which the
// guesses lead.
Expected<ProofResult> ProveRaceFree(const RaceQuestion& asked);

// Proves or refutes that all threads of a block that have not returned reach the same barriers equally often.
Expected<ProofResult> ProveUniformBarriers(const RaceQuestion& asked);

}  // namespace layoutcheck
