// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Proofs that each element is stored, and by one thread only, with a guess of which.
#pragma once

#include <functional>
#include <optional>
#include <set>
#include <string>
#include "layoutcheck/llvm/code_proof/code_border.h"
#include "layoutcheck/llvm/kernel_proof/launch_simulation.h"
#include "layoutcheck/llvm/kernel_proof/thread_claims.h"

namespace layoutcheck {

// The verdict on a law, with what it takes to run its refutation.
struct OwnerProof {
  ProofResult result;
  std::optional<SimulationFault> fault;  // fault of a refutation by threads or by an element
  std::optional<CodeBorder> border;
  ThreadGuess guess = {};  // which thread stores each element, if that is proved with distinct-stores
};

// Decides claims about a kernel. Proofs require that its accesses are right.
class OwnerProver {
 public:
  // `simulation` is that of the model, `written` are the arrays that the kernel stores to. With `why_no_proof`, only
  // small launches are run; the text is then the reason of unknown verdicts. The other arguments must outlive the
  // prover.
  OwnerProver(const KernelModel& model, ThreadProver& threads, Simulation simulation, std::set<size_t> written,
              std::string why_no_proof, const ProveOptions& options);

  // Proves or refutes that no element is stored twice. Requires that the kernel stores something.
  Expected<OwnerProof> ProveDistinct(const RightWhile& is_right_while);
  // Proves or refutes that each element of the arrays is stored. Requires a launch.
  Expected<OwnerProof> ProveComplete();

 private:
  ProofResult NoThreadFound(const std::string& law, size_t array, std::string_view small_launches) const;
  Expected<ProofResult> AskIfThreadsRun(size_t array) const;
  Expected<ProofResult> AskComplete(const ThreadGuess& guess, size_t array) const;
  Expected<ProofResult> AskComplete(size_t array) const;
  std::vector<std::string> NamesOfElements() const;

  const KernelModel& model_;
  ThreadProver& threads_;
  std::set<size_t> written_;
  std::string why_no_proof_;
  const ProveOptions& options_;
  Simulation simulation_;
};

}  // namespace layoutcheck
