// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/llvm/kernel_proof/access_verdicts.h"
#include <gtest/gtest.h>
#include <string>
#include "layoutcheck/core/base/str_cat.h"
#include "layoutcheck/llvm/kernel_proof/prove_kernel.h"

namespace layoutcheck {
namespace {

const std::string kCorpus = std::string(LAYOUTCHECK_CORPUS);

// Returns "tile:80 proved, ..." for the accesses of one law.
std::string Verdicts(KernelRequest request, const std::string& law) {
  request.asks_each_access = true;
  request.laws = {law};
  const auto proofs = ProveKernel(request);
  if (!proofs) return proofs.error().ToString();
  std::string text;
  for (const KernelProof& proof : *proofs) {
    if (proof.result.law != law) continue;
    for (const auto& [access, verdict, reason, counterexample] : proof.each_access) {
      const bool is_load = access.kind == SharedAccess::Kind::kRead;
      StrAppend(text, text.empty() ? "" : ", ", is_load ? "load " : "store ", access.memory,
                access.place.substr(access.place.rfind(':')), " ", ProofVerdictName(verdict));
      EXPECT_EQ(reason.empty(), verdict == ProofVerdict::kProved) << access.memory << reason;
      EXPECT_EQ(counterexample.empty(), verdict != ProofVerdict::kRefuted) << access.memory << reason;
    }
  }
  return text;
}

KernelRequest TransposeOf(const std::string& file, const std::string& function, const std::string& block) {
  return {.file = kCorpus + file,
          .function = function,
          .arrays = {{"in", "f32[M,N]{1,0}"}, {"out", "f32[M,N]{0,1}"}},
          .arguments = "in,out,M,N",
          .grid = "N ceildiv 32, M ceildiv 32",
          .block = block,
          .max_bytes = INT32_MAX};
}

TEST(AccessVerdicts, AWrongAccessDoesNotHideTheOthers) {
  EXPECT_EQ(Verdicts(TransposeOf("/kernels/shared.cu", "transpose_short_tile", "32,32"), "accesses"),
            "load in:80 proved, store out:84 proved, store tile:80 refuted, load tile:84 refuted");
}

TEST(AccessVerdicts, AReadOfAWrongIndexIsNotThatOfItsArray) {
  const KernelRequest request{.file = kCorpus + "/kernels/index.cu",
                              .function = "gather",
                              .arrays = {{"in", "f32[M]{0}"}, {"idx", "s32[N]{0}"}, {"out", "f32[N]{0}"}},
                              .arguments = "in,idx,out,N",
                              .grid = "N ceildiv 256",
                              .block = "256",
                              .values = {"idx=0:M+1"},
                              .max_bytes = INT32_MAX};
  EXPECT_EQ(Verdicts(request, "accesses"), "load idx:8 proved, load in:9 refuted, store out:9 proved");
}

// Where arithmetic overflows, nothing is known of what comes after it.
TEST(AccessVerdicts, UndefinedBehaviorOnTheWayLeavesThemOpen) {
  KernelRequest request = TransposeOf("/code/kernels.cu", "no_guard", "32,32");
  EXPECT_EQ(Verdicts(request, "accesses"), "load in:60 refuted, store out:60 refuted");
  request.function = "transpose";
  request.max_bytes.reset();
  EXPECT_EQ(Verdicts(request, "accesses"), "load in:30 unknown, store out:30 unknown");
}

TEST(AccessVerdicts, ARaceIsThatOfTwoAccesses) {
  EXPECT_EQ(Verdicts(TransposeOf("/kernels/shared.cu", "transpose_no_barrier", "32,8"), "race-free"),
            "load in:30 unknown, store out:35 unknown, store tile:30 refuted, load tile:35 refuted");
}

}  // namespace
}  // namespace layoutcheck
