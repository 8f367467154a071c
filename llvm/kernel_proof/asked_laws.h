// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The laws of kernels, and which of them are asked of one.
#pragma once

#include <array>
#include <string>
#include <string_view>
#include <vector>
#include "layoutcheck/llvm/kernel/kernel_model.h"
#include "layoutcheck/llvm/kernel/kernel_request.h"
#include "layoutcheck/llvm/kernel_proof/bank_advice.h"
#include "layoutcheck/llvm/kernel_proof/thread_claims.h"

namespace layoutcheck {

inline constexpr const char* kRelayout = "relayout";
// In the order of their verdicts. They are texts, since equal literals may have several addresses.
inline constexpr std::array<std::string_view, 8> kLaws = {kAccesses, kRaceFree, kUniformBarriers, kRelayout,
                                                          kDistinct, kComplete, kNoOverflow,      kBankConflicts};

// Returns true if the law is asked of the kernel: if the request names it or, where it names none, if the law says
// something about the kernel. `is_last` is true if no other kernel runs behind it and reads what it stores.
bool IsLawAsked(const KernelRequest& request, const KernelModel& model, bool is_last, std::string_view law);

// Returns the laws that are asked and rest on "accesses", without advice.
std::vector<std::string> LawsOnAccesses(const KernelRequest& request, const KernelModel& model, bool is_last);

}  // namespace layoutcheck
