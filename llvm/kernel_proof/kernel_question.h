// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Questions about a kernel as questions about a function of its sizes and of the numbers of a thread.
#pragma once

#include <functional>
#include <string>
#include <vector>
#include "layoutcheck/llvm/kernel/host_run.h"
#include "layoutcheck/llvm/kernel/kernel_model.h"
#include "layoutcheck/solver/certificate/proof_result.h"
#include "layoutcheck/solver/formula_proof/formula_question.h"
#include "layoutcheck/solver/rewrite/inequality_prover.h"

namespace layoutcheck {

// Checks a claim about one thread or element; throws FunctionFault where it is false.
using KernelClaim = std::function<void(const KernelModel::Point& point, const SymbolicValues& values)>;

// A claim with what it is about. In a run on numbers, the claim is checked once per pattern that arrays of indices
// hold.
struct KernelQuestion {
  const KernelModel& model;               // model, which must outlive the question
  std::vector<std::string> names;         // names that the claim is about
  const SymbolicLayout* array = nullptr;  // if given, the claim is also about all its elements, as i0, i1, ...
  KernelClaim claim = {};
  std::string where = {};                       // a condition beside the assumptions of the model; empty for none
  std::vector<NamedValues>* samples = nullptr;  // of ProveGoal()
  bool holds_outside = true;  // whether the claim counts as true where KernelModel::At() returns nothing
};

// Returns the question whether a function is 0: it is 0 where the claim is true, and has no value where it is false.
// Errors: those of MakeFormulaQuestion.
Expected<FormulaQuestion> MakeKernelQuestion(const KernelQuestion& asked);

// Proves or refutes the claim for all values of the names. A certificate of a proof has a claim per condition that the
// paths of the kernel need (path_claims.h). Errors: those of MakeFormulaQuestion and ProveGoal.
Expected<ProofResult> ProveKernelClaim(const KernelQuestion& asked, const std::string& law,
                                       const ProveOptions& options);

// Refutes the claim if a short search finds values for which it is false; otherwise the verdict is unknown, without a
// reason. Errors: those of MakeFormulaQuestion.
Expected<ProofResult> RefuteKernelClaim(const KernelQuestion& asked, const std::string& law);

// Returns the verdict unknown on a law, for a reason.
ProofResult Undecided(const KernelModel& model, const std::string& law, std::string reason);

// Writes into a refutation the numbers of arrays that the thread uses there, "idx[5]" and 7, in place of kPattern.
// `thread` is that of a refutation that names none.
void ShowNumbers(const KernelModel& model, const HostThread& thread, ProofResult& result);

// Returns the names of the sizes and of the thread.
std::vector<std::string> AllNames(const KernelModel& model);

}  // namespace layoutcheck
