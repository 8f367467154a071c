// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/llvm/kernel_proof/overflow_proof.h"
#include <set>
#include <utility>
#include <vector>
#include "layoutcheck/llvm/kernel_proof/launch_simulation.h"

namespace layoutcheck {

Expected<OverflowProof> ProveNoOverflow(KernelModel& model, KernelModel& any_launch, ThreadProver& threads,
                                        const RightWhile& is_right_while) {
  const auto follow = [&](bool follows_exact) {
    for (KernelModel* const followed : {&model, &any_launch}) {
      followed->SetFollowsExact(follows_exact);
      followed->SetAccessFilter(follows_exact ? [](auto...) { return false; } : AccessFilter());
    }
    threads.SetCertificates(!follows_exact);
  };
  std::set<size_t> written;
  const ThreadProver::Claim claim = [&](const auto&, const auto&, const auto&, const KernelRun& run) {
    for (const KernelStore& store : run.stores) written.insert(static_cast<size_t>(store.array));
  };
  follow(true);
  auto result = threads.Prove(kNoOverflow, claim);
  follow(false);
  if (!result) return std::unexpected(result.error());
  OverflowProof proof{*std::move(result), {}};
  if (proof.result.verdict != ProofVerdict::kRefuted || !is_right_while) return proof;
  const auto make_guesses = [&] {
    follow(false);
    std::vector<ThreadGuess> guesses = GuessThreads(model, written);
    follow(true);
    return guesses;
  };
  follow(true);
  proof.border = threads.FindBorder(claim, proof.result.counterexample, is_right_while, make_guesses);
  follow(false);
  return proof;
}

}  // namespace layoutcheck
