// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Proofs about GPU kernels that move arrays: every access is inside, and the kernel is the relayout between its arrays.
#pragma once

#include <functional>
#include <string>
#include <vector>
#include "layoutcheck/core/base/error.h"
#include "layoutcheck/llvm/kernel/kernel_request.h"
#include "layoutcheck/llvm/kernel_proof/access_verdicts.h"
#include "layoutcheck/llvm/kernel_proof/bank_passes.h"
#include "layoutcheck/solver/certificate/proof_result.h"

namespace layoutcheck {

// The verdict on one law of a kernel.
struct KernelProof {
  ProofResult result;
  std::string machine = {};  // what the kernel did at the counterexample on this machine; empty if nothing is refuted
  // Conditions beside the assumptions of the request under which the verdict holds.
  std::vector<std::string> where = {};
  // Formula of a condition on the sizes under which a refuted law is proved, and which the counterexample breaks. Empty
  // if the kernel is not wrong for large arrays only. `is_border_exact` is true if the law is proved to be false, by
  // the thread that has the last element, for all sizes that break the condition and whose launch runs; or, of
  // "complete", if no launch with such sizes runs.
  std::string right_while = {};
  bool is_border_exact = false;
  // Why the law is not asked, of which the verdict is unknown then: "out is computed". Empty if it is asked.
  std::string not_asked = {};
  // Verdicts on single accesses, of "accesses" and "race-free" if the request asks for them.
  std::vector<AccessVerdict> each_access = {};
  // The accesses of the advice "bank-conflicts", which has no verdict.
  BankMeasures banks = {};
};

// Receives a verdict as soon as it is known.
using KernelProofReader = std::function<void(const KernelProof& proof)>;

// Asks about all sizes with arrays of at most max_bytes bytes and about all threads of the launch, or of any launch
// that a GPU runs (LaunchLimits):
// - "accesses": each load and store is inside its array and aligned, and nothing on the way is undefined behavior;
// - "race-free", unless it is named only of a kernel with shared memory or barriers: no two threads access the same
// byte, one of them writing and not both by atomic operations, unless a barrier of their block lies between;
// - "uniform-barriers", of a kernel with barriers: all threads of a block that have not returned reach the same
// barriers equally often;
// - "relayout": what is stored at a place is the element that belongs there, or it is stored into padding. Unless the
// law is named, it is not asked where the result of arithmetic is stored, and it is not refuted where no map in
// `sources` says which element belongs there: where numbers in an array do, or the arrays have other sizes;
// - "distinct-stores": no two threads, and no thread twice, store the same element. It is not asked of arrays that
// atomic operations change;
// - "complete", only with a launch: each element is stored. A launch without a thread, or beyond the limits, stores
// none. Without max_bytes, sizes for which a grid of CUDA has more blocks in x than any are left out, and `where` says
// so. The last two are proved by a formula of the element's index that names the thread that stores it, which is found
// from small launches. They are refuted by running all threads at small sizes, by two threads that the formula leads
// to, and by sizes whose launch does not run.
// - "no-overflow", only if it is named: the address of each access is the one that integers without limits give
// (exact_numbers.h), whether it is in its array or not. It rests on no other law, and has no certificate.
//
// Counts the passes of shared memory of NVIDIA's GPUs, too, which is advice and no law:
// - "bank-conflicts", only with a launch: the passes of the worst warp of small launches for each access. Unless it is
// named, there is none without conflicts.
//
// Returns a verdict on each law that is asked, in this order, and gives `done` each before it asks about the next, for
// callers that may run out of time. What is stored of shared memory rests on "race-free". The
// laws rest on "accesses": if it is not proved, its
// verdict is among them although it is not asked. If it is refuted for large arrays only, the others are asked where it
// is right; otherwise they are unknown. If it is unknown, the others can be refuted, but not proved. Of a kernel that
// stores nothing, "relayout" and "distinct-stores" are unknown.
// A refutation is run: the kernel, compiled for this machine, at the counterexample. Errors: those of CodeModule::Read,
// Find and BindCode; layouts and formulas that cannot be parsed; elements of less than a byte (unsupported); an unknown
// law, "complete" without a launch, no thread in any launch (invalid argument).
Expected<std::vector<KernelProof>> ProveKernel(const KernelRequest& request, const ProveOptions& options = {},
                                               const KernelProofReader& done = nullptr);

// Asks about kernels that run one after another, each once the one before has ended. An array that several of them name
// is the same memory, and a size that several name is the same number. Returns the verdicts on each kernel as
// ProveKernel does, but "relayout" is asked of the last kernel alone, and follows what it reads of an array to which an
// earlier kernel stores to where that kernel has it from: producer and consumer have to agree on the layout between
// them, whatever it is. The verdict rests on "accesses", "race-free" and "distinct-stores" of the earlier kernels.
// Errors: those of ProveKernel, of any of the kernels.
Expected<std::vector<std::vector<KernelProof>>> ProveKernels(const std::vector<KernelRequest>& requests,
                                                             const ProveOptions& options = {},
                                                             const KernelProofReader& done = nullptr);

}  // namespace layoutcheck
