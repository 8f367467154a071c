// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Claims about each thread of a kernel.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>
#include "layoutcheck/llvm/code_proof/code_border.h"
#include "layoutcheck/llvm/kernel/thread_of_element.h"
#include "layoutcheck/llvm/kernel_proof/kernel_question.h"

namespace layoutcheck {

inline constexpr const char* kAccesses = "accesses";  // the law on which the others rest
inline constexpr const char* kDistinct = "distinct-stores";
inline constexpr const char* kComplete = "complete";
inline constexpr const char* kRaceFree = "race-free";
inline constexpr const char* kNoOverflow = "no-overflow";
inline constexpr const char* kUniformBarriers = "uniform-barriers";

inline constexpr const char* kAccessesUnknown = "it rests on accesses, which is unknown";

class ThreadProver {
 public:
  // Checks a claim about one thread, which does what `run` says; throws FunctionFault where it is false.
  using Claim = std::function<void(const KernelModel& model, const KernelModel::Point& point,
                                   const SymbolicValues& values, const KernelRun& run)>;

  // `any_launch` is the model without the launch. Both models must outlive the prover.
  // Claims are asked about any launch only if `asks_any_launch`: if the grid is any, such a claim is as hard as one
  // about the launch, which has its assumptions, too.
  ThreadProver(KernelModel& model, KernelModel& any_launch, const ProveOptions& options, bool asks_any_launch)
      : model_(model),
        any_launch_(any_launch),
        options_(options),
        certificates_(options.certificates),
        asks_any_launch_(asks_any_launch) {}

  // Returns an error (invalid argument) unless a thread of the launch is found at some sizes: claims about none are
  // useless.
  Expected<void> RequireThread() const;
  // Leaves threads whose number in a direction wraps out of the models if no launch has any: the others are easier to
  // follow.
  Expected<void> LeaveOutFarThreads();
  // Returns the proof that no launch has far threads, if they were left out for that.
  const std::optional<ProofResult>& no_far_threads() const { return no_far_threads_; }

  // Proves a claim for all threads. Asks about any launch first, unless "accesses" was not proved so: such a claim is
  // easier to show, and it covers this launch. Where the launch is not given, asks first without far threads: a mistake
  // is easier to find there.
  Expected<ProofResult> Prove(const std::string& law, const Claim& claim);
  // Says that the claim distinct-stores, as it is asked next, tells elements of two guarded regions apart.
  void SetRegionsApart(bool are_apart) { are_regions_apart_ = are_apart; }
  // Says if proofs that are asked next get certificates, where the options want any.
  void SetCertificates(bool are_wanted) { options_.certificates = are_wanted && certificates_; }
  // Refutes a claim about a kernel that cannot be followed to its end if a short search finds a thread for which it is
  // false; otherwise the verdict is unknown, without a reason.
  Expected<ProofResult> Refute(const std::string& law, const Claim& claim) const;
  // Does the same for a claim that compares threads. It is asked about this launch alone if that has directions of
  // which the code reads nothing: where the launch may be any, they have one thread.
  Expected<ProofResult> ProveOfThreads(const std::string& law, const Claim& claim);
  // Proves a claim for the threads of this launch alone.
  Expected<ProofResult> ProveOfLaunch(const std::string& law, const Claim& claim) const;

  // Returns a condition on the sizes under which the claim is right, as FindBorder does, if it is refuted by the
  // counterexample. The law is false if the claim is false for the threads that the guesses name. `make_guesses`, which
  // may be null for none, is called only where a condition is found: small launches take longer than the proof.
  std::optional<CodeBorder> FindBorder(const Claim& claim,
                                       const std::vector<std::pair<std::string, int64_t>>& counterexample,
                                       const RightWhile& is_right_while,
                                       const std::function<std::vector<ThreadGuess>()>& make_guesses) const;

 private:
  // Proves the claim; again if its runs have shown something new.
  Expected<ProofResult> Prove(KernelModel& model, const std::string& law, const Claim& claim) const;
  Expected<ProofResult> ProveOnce(const KernelModel& model, const std::string& law, const Claim& claim) const;
  Expected<ProofResult> ProveOfAnyLaunch(const std::string& law, const Claim& claim);
  std::vector<FormulaQuestion> AtLastElements(const Claim& claim, const std::vector<ThreadGuess>& guesses,
                                              const std::string& condition) const;

  KernelModel& model_;
  KernelModel& any_launch_;
  ProveOptions options_;
  bool certificates_;  // the options want certificates
  bool asks_any_launch_;
  bool are_regions_apart_ = false;
  std::optional<ProofResult> no_far_threads_;
};

}  // namespace layoutcheck
