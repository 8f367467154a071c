// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/llvm/kernel_proof/asked_laws.h"
#include <algorithm>

namespace layoutcheck {

bool IsLawAsked(const KernelRequest& request, const KernelModel& model, bool is_last, std::string_view law) {
  if (law == kRelayout && !is_last) return false;
  if (!request.laws.empty()) return std::ranges::find(request.laws, law) != request.laws.end();
  if (law == kNoOverflow) return false;  // what it says of arrays that hold all elements, accesses says, too
  // The last kernel is asked about the places that it reads of the arrays of earlier kernels.
  if (law == kComplete) return is_last && model.has_launch() && !request.has_any_grid;
  if (law == kUniformBarriers) return model.has_barrier();
  if (law == kBankConflicts) return model.has_shared_memory();
  return law != kRaceFree || model.has_barrier() || model.has_shared_memory();
}

std::vector<std::string> LawsOnAccesses(const KernelRequest& request, const KernelModel& model, bool is_last) {
  std::vector<std::string> laws;
  for (const std::string_view law : kLaws) {
    const bool rests_on_accesses = law != kAccesses && law != kNoOverflow && law != kBankConflicts;
    if (rests_on_accesses && IsLawAsked(request, model, is_last, law)) laws.emplace_back(law);
  }
  return laws;
}

}  // namespace layoutcheck
