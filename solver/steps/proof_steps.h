// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Finds the steps that lead from a sequent's hypotheses to its goals: which lemma instances, in which order, and by
// which facts each premise and each goal follows. Not trusted: a checker follows each step again.
#pragma once

#include <cstddef>
#include <cstdint>
#include <expected>
#include <optional>
#include <string>
#include <vector>
#include "layoutcheck/solver/certificate/certificate.h"
#include "layoutcheck/solver/steps/known_facts.h"

namespace layoutcheck {

// One step, which adds facts: the conclusions of a lemma instance, whose premises follow from earlier facts, or the
// fact `cut` >= 0, which itself follows from earlier facts.
struct ProofStep {
  const LemmaInstance* instance = nullptr;  // null for a cut
  Polynomial cut = {};
  std::vector<Justification> premises;

  size_t FactCount() const { return instance == nullptr ? 1 : instance->conclusions.size(); }
};

// Facts are numbered from 0: the hypotheses, then the conclusions of each step in order.
struct ProofSteps {
  std::vector<ProofStep> steps;
  std::vector<Justification> goals;
  // The combination of facts that is a contradiction. If there is one, `goals` is empty.
  std::optional<Combination> contradiction;
};

// A statement whose steps are wanted, over the ring of a certificate.
struct Sequent {
  std::vector<Relation> hypotheses;
  std::vector<Relation> goals;
  std::vector<LemmaInstance> instances = {};  // besides those of the certificate
};

// Returns the steps that are needed from the hypotheses and lemma instances of the certificate to the goals, or why
// there are none. `rlimit` is Z3's budget per question, in its units of work.
std::expected<ProofSteps, std::string> FindProofSteps(Certificate& certificate, const Sequent& sequent,
                                                      uint64_t rlimit);

}  // namespace layoutcheck
