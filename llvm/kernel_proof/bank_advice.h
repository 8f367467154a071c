// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The advice "bank-conflicts": which accesses to shared memory take more passes than they need.
#pragma once

#include <string>
#include "layoutcheck/llvm/kernel_proof/bank_passes.h"
#include "layoutcheck/llvm/kernel_proof/thread_claims.h"

namespace layoutcheck {

inline constexpr const char* kBankConflicts = "bank-conflicts";

// Returns true if passes can be counted: the kernel has shared memory, its launch is given, and the GPU is NVIDIA's.
bool HasBanks(const KernelModel& model);
// Returns why no passes were measured.
std::string WhyNoBanks(const KernelModel& model);

// Sets MeasuredPasses::is_most where the addresses of a warp are the same numbers for all sizes, so that the passes of
// all its threads are the most. Requires that all accesses are right.
Expected<void> FindMostPasses(const ThreadProver& threads, BankMeasures& measures);

}  // namespace layoutcheck
