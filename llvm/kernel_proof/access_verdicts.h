// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Verdicts on single accesses of a kernel, so that one wrong line does not hide the others.
#pragma once

#include <set>
#include <string>
#include <utility>
#include <vector>
#include "layoutcheck/core/base/error.h"
#include "layoutcheck/llvm/ir/ir_memory.h"
#include "layoutcheck/solver/certificate/proof_result.h"

namespace layoutcheck {

class KernelModel;
class ThreadProver;
struct KernelRun;

// A load, store or atomic operation in the source.
struct KernelAccess {
  std::string memory;  // name of the array, or of the variable in shared memory
  std::string place;   // "tile.cu:7"
  SharedAccess::Kind kind = SharedAccess::Kind::kRead;
  auto operator<=>(const KernelAccess&) const = default;
};

struct AccessVerdict {
  KernelAccess access;
  ProofVerdict verdict = ProofVerdict::kUnknown;
  std::string reason = {};  // what goes wrong, or why that is not known; empty if it is proved
  std::vector<std::pair<std::string, int64_t>> counterexample = {};
};

using KernelAccesses = std::set<KernelAccess>;

// Adds the accesses of a thread.
void AddAccesses(const KernelModel& model, const KernelRun& run, KernelAccesses& accesses);

// Returns the verdict on each access of the kernel alone: it is inside its array and aligned for all threads. If the
// law "accesses", of which `law` is the result, is proved, all `accesses` that its proof has seen are. Otherwise
// layoutcheck asks about one access at a time and leaves the others unchecked, except for reads of indices. Undefined
// behavior on the way, and code that cannot be followed, leave the verdict unknown. `model` and `any_launch` are those
// of `threads`. Errors: those of ThreadProver::Prove.
Expected<std::vector<AccessVerdict>> ProveEachAccess(const ProofResult& law, KernelAccesses accesses,
                                                     KernelModel& model, KernelModel& any_launch,
                                                     ThreadProver& threads);

// Returns the verdict on each access after the law "race-free" was decided: refuted for the two that meet. Returns
// nothing if it was not decided.
std::vector<AccessVerdict> RaceVerdicts(const KernelAccesses& accesses, const ProofResult& race_free);

}  // namespace layoutcheck
