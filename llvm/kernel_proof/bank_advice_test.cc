// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/llvm/kernel_proof/bank_advice.h"
#include <gtest/gtest.h>
#include <array>
#include <optional>
#include <string>
#include "layoutcheck/core/base/str_cat.h"
#include "layoutcheck/llvm/kernel_proof/launch_simulation.h"
#include "layoutcheck/llvm/kernel_proof/prove_kernel.h"
#include "layoutcheck/llvm/kernel_proof/warp_recorder.h"

namespace layoutcheck {
namespace {

const std::string kKernels = std::string(LAYOUTCHECK_CORPUS) + "/kernels/";

KernelRequest Transpose(const std::string& file, const std::string& function, int64_t tile, const std::string& block) {
  return {.file = kKernels + file,
          .function = function,
          .arrays = {{"in", "f32[M,N]{1,0}"}, {"out", "f32[M,N]{0,1}"}},
          .arguments = "in,out,M,N",
          .grid = StrCat("N ceildiv ", tile, ", M ceildiv ", tile),
          .block = block,
          .max_bytes = INT32_MAX,
          .laws = {kBankConflicts}};
}

KernelRequest Copy(const std::string& function, const std::string& type) {
  return {.file = kKernels + "banks.cu",
          .function = function,
          .arrays = {{"in", type + "[N]{0}"}, {"out", type + "[N]{0}"}},
          .arguments = "in,out,N",
          .grid = "N ceildiv 256",
          .block = "256",
          .laws = {kBankConflicts}};
}

std::string Text(const BankMeasures& banks) {
  std::string text;
  for (const auto& [access, measured] : banks) {
    StrAppend(text, access.is_store ? "store of " : "load of ", access.memory,
              access.place.substr(access.place.rfind(':')), ": ", measured.count.passes, " of ", measured.count.least,
              measured.is_most ? ", never more" : "", "\n");
  }
  return text;
}

// Returns the passes of the worst warps of small launches.
std::string Measured(const KernelRequest& request) {
  const auto module = CodeModule::Read(request.file, {.flags = {}, .for_device = true});
  if (!module) return module.error().ToString();
  const auto model = KernelModel::Make(request, *module);
  if (!model) return model.error().ToString();
  std::string text;
  for (const auto& [access, measured] : Simulate(*model, {1}).banks) {
    StrAppend(text, text.empty() ? "" : ", ", access.is_store ? "store " : "load ", measured.count.passes, " of ",
              measured.count.least);
  }
  return text;
}

TEST(BankAdvice, TransposesTakeThePassesThatTheirTilesNeed) {
  EXPECT_EQ(Measured(Transpose("banks.cu", "transpose_column", 32, "32,8")), "store 1 of 1, load 32 of 1");
  EXPECT_EQ(Measured(Transpose("shared.cu", "transpose", 32, "32,8")), "store 1 of 1, load 1 of 1");
  EXPECT_EQ(Measured(Transpose("shared.cu", "transpose_swizzled", 32, "32,32")), "store 1 of 1, load 1 of 1");
  // A warp has two rows of 16 threads, whose 34 elements are 2 banks apart.
  EXPECT_EQ(Measured(Transpose("banks.cu", "transpose_even_width", 16, "16,16")), "store 2 of 1, load 1 of 1");
}

TEST(BankAdvice, WideAccessesHaveSeveralPhases) {
  EXPECT_EQ(Measured(Copy("copy_float4", "c128")), "store 4 of 4, load 4 of 4");
  EXPECT_EQ(Measured(Copy("copy_float4_apart", "c128")), "store 32 of 4, load 32 of 4");
  EXPECT_EQ(Measured(Copy("copy_double_apart", "f64")), "store 4 of 2, load 4 of 2");
  EXPECT_EQ(Measured(Copy("broadcast", "f32")), "store 1 of 1, load 1 of 1");
}

// Threads of a warp access together what they access in one iteration of a loop, however often each did so before.
TEST(BankAdvice, AccessesInLoopsAreThoseOfOneIteration) {
  EXPECT_EQ(Measured(Copy("block_sum_apart", "f32")), "store 1 of 1, load 8 of 1, store 8 of 1, load 1 of 1");
  KernelRequest request = Copy("sum_others", "f32");
  request.arrays = {{"in", "f32[1024]{0}"}, {"out", "f32[32]{0}"}};
  request.arguments = "in,out";
  request.grid = "1";
  request.block = "32";
  EXPECT_EQ(Measured(request), "store 1 of 1, load 1 of 1");
}

TEST(BankAdvice, LanesThatDoNotAccessCostNothing) {
  std::array<std::optional<int64_t>, kWarpLanes> lanes;
  EXPECT_FALSE(CountPasses(lanes, 4, false).has_value());
  const auto passes = [&](int64_t bytes) {
    const auto count = CountPasses(lanes, bytes, false);
    return count ? StrCat(count->passes, " of ", count->least) : "none";
  };
  lanes[3] = 0;
  lanes[30] = 128;
  EXPECT_EQ(passes(4), "2 of 1");
  EXPECT_EQ(passes(8), "2 of 2");  // in two phases
  EXPECT_EQ(passes(12), "none");
  lanes[17] = 256;
  EXPECT_EQ(passes(8), "3 of 2");
  for (auto& address : lanes) address = 64;
  EXPECT_EQ(passes(16), "2 of 2");  // phases of equal addresses are merged
}

// Returns the advice about a kernel; "not asked: why" if there is none.
std::string Advice(const KernelRequest& request) {
  const auto proofs = ProveKernel(request);
  if (!proofs) return proofs.error().ToString();
  for (const KernelProof& proof : *proofs) {
    if (proof.result.law != kBankConflicts) continue;
    return proof.not_asked.empty() ? Text(proof.banks) : StrCat("not asked: ", proof.not_asked);
  }
  return "none";
}

TEST(BankAdvice, PassesThatDoNotDependOnSizesAreNeverMore) {
  EXPECT_EQ(Advice(Copy("copy_double_apart", "f64")),
            "store of part:55: 4 of 2, never more\nload of part:57: 4 of 2, never more\n");
  KernelRequest request = Copy("rows_of_any_width", "f32");
  request.arrays = {{"in", "f32[64]{0}"}, {"out", "f32[64]{0}"}};
  request.grid = "1";
  request.block = "64";
  request.shared = "256*N";
  EXPECT_EQ(Advice(request), "load of part:101: 32 of 1\nstore of part:99: 32 of 1\n");
}

TEST(BankAdvice, WithoutBeingAskedOnlyConflictsAreNamed) {
  KernelRequest request = Copy("broadcast", "f32");
  EXPECT_EQ(Advice(request), "store of part:64: 1 of 1, never more\nload of part:66: 1 of 1, never more\n");
  request.laws.clear();
  EXPECT_EQ(Advice(request), "none");
  request = Copy("copy_double_apart", "f64");
  request.laws.clear();
  EXPECT_TRUE(Advice(request).starts_with("store of part:55: 4 of 2"));
}

TEST(BankAdvice, WithoutWarpsOrSharedMemoryThereIsNone) {
  KernelRequest request = Copy("broadcast", "f32");
  request.grid.clear();
  request.block.clear();
  EXPECT_EQ(Advice(request), "not asked: --grid and --block say which threads are a warp");
  request.file = kKernels + "grid_stride.cu";
  request.function = "copy_wide";
  EXPECT_EQ(Advice(request), "not asked: the kernel has no shared memory");
}

}  // namespace
}  // namespace layoutcheck
