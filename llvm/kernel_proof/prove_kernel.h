// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Proofs about GPU kernels that move arrays: every access is inside, and the kernel is the relayout between its arrays.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>
#include "layoutcheck/core/base/error.h"
#include "layoutcheck/llvm/ir/code_module.h"
#include "layoutcheck/solver/certificate/proof_result.h"
#include "layoutcheck/solver/certificate/prove_options.h"

namespace layoutcheck {

struct KernelRequest {
  std::string file;
  std::string function;
  std::vector<std::pair<std::string, std::string>> arrays;  // name and layout, whose sizes may be names
  std::string arguments;                                    // names of arrays, names of sizes, numbers
  std::string grid;   // "N ceildiv 32, M ceildiv 8" as formulas of the names; empty for any launch
  std::string block;  // "32,8"; empty for any launch
  std::vector<std::string> assumptions;
  std::vector<std::string> compiler_flags;
  int64_t max_bytes = INT32_MAX;  // of each array with its padding
};

// The verdict on one law of a kernel.
struct KernelProof {
  ProofResult result;
  std::string machine;  // what the kernel did at the counterexample on this machine; empty if nothing is refuted
};

// Asks four questions about all sizes with arrays of at most max_bytes bytes and about all threads of the launch, or of
// any launch that a GPU runs (LaunchLimits):
// - "accesses": each load and store is inside its array and aligned, and nothing on the way is undefined behavior;
// - "relayout": what is stored at a place is the element that belongs there, or it is stored into padding;
// - "distinct-stores": no two threads, and no thread twice, store the same element;
// - "complete", only with a launch: each element is stored. A launch without a thread, or beyond the limits, stores
// none. The last two are proved by a formula that names the thread that stores an element, which is found among a few:
// the element's linear index over the threads of x, its last dimensions over x, y and z. They are refuted by running
// all threads at small sizes, by two threads that the formula leads to, and by sizes whose launch does not run. Each is
// asked only if those before it are proved. Of a kernel that stores nothing, "relayout" is unknown. A refutation is
// run: the kernel, compiled for this machine, at the counterexample. Errors: those of CodeModule::Read, Find and
// BindCode; layouts and formulas that cannot be parsed; elements of less than a byte (unsupported).
Expected<std::vector<KernelProof>> ProveKernel(const KernelRequest& request, const ProveOptions& options = {});

}  // namespace layoutcheck
