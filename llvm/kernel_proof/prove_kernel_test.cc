// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/llvm/kernel_proof/prove_kernel.h"
#include <gtest/gtest.h>
#include <algorithm>
#include <fstream>
#include <map>
#include <string>
#include "layoutcheck/core/base/str_cat.h"
#include "layoutcheck/core/testing/share.h"
#include "layoutcheck/json/json.h"
#include "layoutcheck/llvm/kernel_proof/kernel_machine_check.h"

namespace layoutcheck {
namespace {

const std::string kFolder = std::string(LAYOUTCHECK_CORPUS) + "/code/";

KernelRequest Request(const Json& row) {
  KernelRequest request{.file = kFolder + row["file"].text(),
                        .function = row["function"].text(),
                        .arguments = row["args"].text(),
                        .grid = row.value("grid", ""),
                        .block = row.value("block", ""),
                        .shared = row.value("shared", ""),
                        .max_bytes = {}};
  if (row.contains("max_bytes")) request.max_bytes = row["max_bytes"].get<int64_t>();
  for (const auto& [name, layout] : row["arrays"].get<std::map<std::string, std::string>>()) {
    request.arrays.emplace_back(name, layout);
  }
  request.assumptions = row["assume"].get<std::vector<std::string>>();
  request.values = row["values"].get<std::vector<std::string>>();
  request.sources = row["source"].get<std::vector<std::string>>();
  request.laws = row["laws"].get<std::vector<std::string>>();
  return request;
}

std::string VerdictOf(const KernelProof& proof) {
  return proof.not_asked.empty() ? ProofVerdictName(proof.result.verdict) : "not asked";
}

// Asks every n-th question of a folder of the corpus, and returns how many it has.
size_t AskEveryNth(const std::string& name, size_t n) {
  const std::string folder = StrCat(LAYOUTCHECK_CORPUS, "/", name, "/");
  std::ifstream file(folder + "manifest.jsonl");
  size_t rows = 0;
  for (std::string line; std::getline(file, line); ++rows) {
    if (rows % n != 0) continue;
    const Json row = Json::Parse(line).value();
    KernelRequest request = Request(row);
    request.file = folder + row["file"].text();
    const auto results = ProveKernel(request);
    EXPECT_TRUE(results.has_value()) << line << "\n" << results.error().ToString();
    if (!results) continue;
    const auto wrong_at = row["counterexample"].get<std::map<std::string, int64_t>>();  // the sizes, if they are stated
    std::map<std::string, std::string> verdicts;
    std::string details;
    for (const KernelProof& proof : *results) {
      verdicts[proof.result.law] = VerdictOf(proof);
      std::map<std::string, int64_t> sizes;
      for (const auto& [variable, value] : proof.result.counterexample) {
        if (wrong_at.contains(variable)) sizes.emplace(variable, value);
      }
      if (proof.result.verdict == ProofVerdict::kRefuted) {
        EXPECT_EQ(sizes, wrong_at) << line;
      }
      const std::string right_while = row.value("right_while", "");
      if (proof.result.law == "accesses" && !right_while.empty()) {
        EXPECT_EQ(proof.right_while, right_while) << line;
      }
      StrAppend(details, "\n", proof.result.law, ": ", proof.result.reason, proof.result.subexpression);
    }
    for (const auto& [law, verdict] : row["verdicts"].get<std::map<std::string, std::string>>()) {
      EXPECT_EQ(verdicts[law], verdict) << law << " of " << line << details;
    }
  }
  return rows;
}

// Kernels with the headers, host code, loops, templates and arithmetic of real files.
TEST(ProveKernel, KernelsAsTheyAreWritten) { EXPECT_EQ(AskEveryNth("kernels", EveryNth(20, 40)), 249u); }

TEST(ProveKernel, KernelsOfTriton) { EXPECT_EQ(AskEveryNth("triton", EveryNth(9, 36)), 59u); }

TEST(ProveKernel, EachKernelOfTheCorpusGetsItsVerdicts) {
  std::ifstream file(kFolder + "kernels.jsonl");
  const size_t step = EveryNth(11, 37);
  size_t rows = 0;
  for (std::string line; std::getline(file, line); ++rows) {
    const Json row = Json::Parse(line).value();
    if (rows % step != 0) continue;
    const auto results = ProveKernel(Request(row));
    ASSERT_TRUE(results.has_value()) << line << "\n" << results.error().ToString();
    std::map<std::string, std::string> verdicts;
    std::string details;
    for (const KernelProof& proof : *results) {
      const ProofResult& result = proof.result;
      verdicts[result.law] = VerdictOf(proof);
      if (result.law == "accesses") {
        EXPECT_EQ(proof.right_while, row.value("right_while", "")) << line;
        EXPECT_EQ(proof.is_border_exact, row.contains("right_while")) << line;
      }
      StrAppend(details, "\n", result.law, ": ", result.reason, result.subexpression, result.disagreement);
      // Each refutation is confirmed by the machine, unless the launch has no thread.
      const bool is_llvm = row["file"].text().ends_with(".ll");
      const bool is_refuted = result.verdict == ProofVerdict::kRefuted;
      EXPECT_EQ(proof.machine.empty(), !is_refuted) << line << details;
      // On the host, atomic operations at any place are in a library.
      const bool is_atomic = result.subexpression.starts_with("an atomic operation");
      const bool has_no_thread = result.subexpression.find(", because ") != std::string::npos;
      EXPECT_EQ(proof.machine.starts_with("was not run"), is_refuted && (is_llvm || has_no_thread || is_atomic))
          << line << proof.machine;
    }
    EXPECT_EQ(verdicts, (row["verdicts"].get<std::map<std::string, std::string>>())) << line << details;
  }
  EXPECT_EQ(rows, 74u);
}

constexpr int64_t kSmallArrays = INT32_MAX;  // bytes, so that the indices of 32 bits do not overflow

const KernelProof* FirstProblemOf(const std::vector<KernelProof>& proofs) {
  const auto problem = std::ranges::find_if(
      proofs, [](const KernelProof& proof) { return proof.result.verdict != ProofVerdict::kProved; });
  return problem == proofs.end() ? nullptr : &*problem;
}

// Returns the first result that is not proved, as text.
std::string FirstProblem(const std::string& function, const std::string& out, const std::string& grid) {
  const auto results = ProveKernel({.file = kFolder + "kernels.cu",
                                    .function = function,
                                    .arrays = {{"in", "f32[M,N]{1,0}"}, {"out", out}},
                                    .arguments = "in,out,M,N",
                                    .grid = grid,
                                    .block = "32,8",
                                    .max_bytes = kSmallArrays});
  if (!results) return results.error().ToString();
  if (FirstProblemOf(*results) == nullptr) return "proved";
  const ProofResult& result = FirstProblemOf(*results)->result;
  std::string text = StrCat(result.law, " ", ProofVerdictName(result.verdict));
  for (const auto& [name, value] : result.counterexample) StrAppend(text, " ", name, "=", value);
  const std::string& why = result.subexpression;
  return StrCat(text, ": ", why.substr(0, why.find(", at ")), why.substr(std::min(why.rfind(':'), why.size())));
}

TEST(ProveKernel, CounterexamplesAreTheSmallestThreads) {
  EXPECT_EQ(
      FirstProblem("transpose", "f32[M,N]{1,0}", "N ceildiv 32, M ceildiv 8"),
      "relayout refuted M=2 N=2 thread_x=0 block_x=0 thread_y=1 block_y=0: element (1,0) of in is stored in out at "
      "byte 4, not at byte 8:30");
  EXPECT_EQ(
      FirstProblem("tile_2d", "f32[M,N]{1,0:T(8,128)}", "N / 32, M ceildiv 8"),
      "complete refuted M=1 N=1 i0=0 i1=0: no thread stores this element of out, because the grid has no block in "
      "x");
  EXPECT_EQ(FirstProblem("tile_2d", "f32[M,N]{1,0:T(8,128)}", "N ceildiv 33, M ceildiv 8"),
            "complete refuted M=1 N=33 i0=0 i1=32: no thread stores this element of out");
}

struct Launch {
  std::string grid;
  std::string block;
};

// Returns the verdict on a law of a kernel of kernels_launch.cu.
std::string Verdict(const std::string& function, const std::string& law, const std::string& in, const std::string& out,
                    const std::string& arguments, const Launch& launch,
                    std::optional<int64_t> max_bytes = kSmallArrays) {
  const auto results = ProveKernel({.file = kFolder + "kernels_launch.cu",
                                    .function = function,
                                    .arrays = {{"in", in}, {"out", out}},
                                    .arguments = arguments,
                                    .grid = launch.grid,
                                    .block = launch.block,
                                    .max_bytes = max_bytes});
  if (!results) return results.error().ToString();
  for (const KernelProof& proof : *results) {
    const ProofResult& result = proof.result;
    if (result.law != law) continue;
    std::string text = ProofVerdictName(result.verdict);
    for (const auto& [name, value] : result.counterexample) StrAppend(text, " ", name, "=", value);
    StrAppend(text, ": ", result.subexpression, result.reason);
    if (const size_t at = text.find(kFolder); at != std::string::npos) text.erase(at, kFolder.size());
    return text;
  }
  return "not asked";
}

TEST(ProveKernel, ALaunchThatNoGpuRunsStoresNothing) {
  const std::string transposed = "f32[M,N]{0,1}";
  EXPECT_EQ(Verdict("copy", "complete", "f32[N]{0}", "f32[N]{0}", "in,out,N", {"N/128", "256"}),
            "refuted N=1 i0=0: no thread stores this element of out, because the grid has no block in x");
  EXPECT_EQ(Verdict("row_block", "complete", "f32[M,N]{1,0}", transposed, "in,out,M,N", {"M", "N"}),
            "refuted M=1 N=1025 i0=0 i1=0: no thread stores this element of out, because a block has more than 1024 "
            "threads in x");
  EXPECT_EQ(Verdict("row_in_y", "complete", "f32[M,N]{1,0}", transposed, "in,out,M,N", {"(N+255)/256, M", "256"}),
            "refuted M=65536 N=1 i0=0 i1=0: no thread stores this element of out, because the grid has more than 65535 "
            "blocks in y");
}

TEST(ProveKernel, ThreadsThatStoreOneElementAreNamed) {
  EXPECT_EQ(Verdict("one_block", "distinct-stores", "f32[N]{0}", "f32[N]{0}", "in,out,N", {}),
            "refuted N=1 block_dim_x=4: element (0) of out is stored by thread (0,0,0) of block (0,0,0) and by thread "
            "(0,0,0) of block (1,0,0), at kernels_launch.cu:42");
  const std::string wraps = Verdict("late_widening", "distinct-stores", "s8[n]{0}", "s8[n]{0}", "in,out,n",
                                    {"(n+255)/256", "256"}, int64_t{1} << 40);
  EXPECT_TRUE(wraps.starts_with("refuted n=")) << wraps;
  EXPECT_NE(wraps.find(" of block (16777216,0,0), at kernels_launch.cu:26"), std::string::npos) << wraps;
}

// Every law that is asked gets a verdict, with a reason if it is not decided; "accesses" is added if the others lack
// it.
TEST(ProveKernel, EveryLawThatIsAskedHasAVerdict) {
  const auto verdicts = [](const std::string& file, const std::string& function, const std::string& in,
                           const std::string& out, std::vector<std::string> laws) {
    const auto results = ProveKernel({.file = kFolder + file,
                                      .function = function,
                                      .arrays = {{"in", in}, {"out", out}},
                                      .arguments = in.find(',') == std::string::npos ? "in,out,N" : "in,out,M,N",
                                      .grid = "N ceildiv 32",
                                      .block = "32",
                                      .laws = std::move(laws)});
    if (!results) return results.error().ToString();
    std::string text;
    for (const KernelProof& proof : *results) {
      StrAppend(text, proof.result.law, " ", ProofVerdictName(proof.result.verdict), ": ", proof.result.reason, "\n");
    }
    return text;
  };
  EXPECT_EQ(verdicts("kernels.cu", "no_guard", "f32[M,N]{1,0}", "f32[M,N]{0,1}", {"relayout", "complete"}),
            "accesses refuted: \nrelayout unknown: it rests on accesses, which is refuted\n"
            "complete unknown: it rests on accesses, which is refuted\n");
  EXPECT_EQ(verdicts("kernels_unknown.cu", "shared_small", "f32[N]{0}", "f32[N]{0}", {"distinct-stores", "complete"}),
            "distinct-stores proved: \ncomplete proved: \n");
  EXPECT_EQ(verdicts("kernels_unknown.cu", "atomic_add", "u32[N]{0}", "u32[N]{0}", {"distinct-stores"}),
            "distinct-stores unknown: out is changed by atomic operations\n");
  EXPECT_EQ(verdicts("kernels.cu", "copy_four", "f32[N]{0}", "f32[N]{0}", {"accesses", "onto"}),
            "--law: expected accesses, race-free, uniform-barriers, relayout, distinct-stores, complete, "
            "no-overflow, bank-conflicts; found 'onto'");
}

// Sizes for which no launch of CUDA has enough blocks in x are beyond what is asked by default.
TEST(ProveKernel, LargestLaunchesAreStatedOrRefuted) {
  const KernelRequest request{.file = kFolder + "kernels_launch.cu",
                              .function = "early_widening",
                              .arrays = {{"in", "s8[n]{0}"}, {"out", "s8[n]{0}"}},
                              .arguments = "in,out,n",
                              .grid = "(n+255)/256",
                              .block = "256",
                              .laws = {"complete"}};
  const auto stated = ProveKernel(request);
  ASSERT_TRUE(stated && stated->size() == 1);
  EXPECT_EQ((*stated)[0].result.verdict, ProofVerdict::kProved);
  EXPECT_EQ((*stated)[0].where, std::vector<std::string>{"(n+255)/256 <= 2147483647"});
  KernelRequest given = request;
  given.max_bytes = kLargestArray;
  const auto refuted = ProveKernel(given);
  ASSERT_TRUE(refuted && refuted->size() == 1);
  EXPECT_EQ((*refuted)[0].result.verdict, ProofVerdict::kRefuted);
  EXPECT_EQ((*refuted)[0].right_while, "(n+255)/256 <= 2147483647");
  EXPECT_TRUE((*refuted)[0].is_border_exact);
}

TEST(ProveKernel, AKernelThatStoresNothingSaysSo) {
  EXPECT_EQ(Verdict("stores_nothing", "relayout", "f32[N]{0}", "f32[N]{0}", "in,out,N", {}),
            "unknown: the kernel stores nothing");
  EXPECT_EQ(Verdict("stores_nothing", "complete", "f32[N]{0}", "f32[N]{0}", "in,out,N", {"N", "1"}),
            "refuted N=1 i0=0: no thread stores this element of out");
}

// Returns what the machine did at the last refutation.
std::string Machine(const std::string& file, const std::string& function, const std::string& in, const std::string& out,
                    const std::string& arguments = "in,out,M,N", const std::string& grid = "N ceildiv 32, M ceildiv 8",
                    std::vector<std::string> laws = {}) {
  const auto results = ProveKernel({.file = kFolder + file,
                                    .function = function,
                                    .arrays = {{"in", in}, {"out", out}},
                                    .arguments = arguments,
                                    .grid = grid,
                                    .block = "32,8",
                                    .max_bytes = kSmallArrays,
                                    .laws = std::move(laws)});
  if (!results) return results.error().ToString();
  const KernelProof* const problem = FirstProblemOf(*results);
  return problem == nullptr ? "proved" : problem->machine;
}

TEST(ProveKernel, TheMachineShowsTheRefutation) {
  EXPECT_EQ(Machine("kernels.cu", "no_guard", "f32[M,N]{1,0}", "f32[M,N]{0,1}"),
            "was killed by signal 11 (Segmentation fault) in thread (1,0,0) of block (0,0,0), at byte 4 of in, which "
            "has 4 bytes");
  EXPECT_EQ(Machine("kernels.hip", "transpose_no_guard", "f16[M,N]{1,0}", "f16[M,N]{0,1}"),
            "was killed by signal 11 (Segmentation fault) in thread (1,0,0) of block (0,0,0), at byte 2 of in, which "
            "has 2 bytes");
  EXPECT_EQ(Machine("kernels.cu", "misaligned", "f32[N]{0}", "f32[N]{0}", "in,out,N", "N"),
            "ran into undefined behavior (a trap of -fsanitize=undefined) in thread (1,0,0) of block (0,0,0)");
  EXPECT_EQ(Machine("kernels.cu", "transpose", "f32[M,N]{1,0}", "f32[M,N]{1,0}"),
            "stored element (1,0) of in at byte 4 of out");
  EXPECT_EQ(Machine("kernels.cu", "add_one", "f32[N]{0}", "f32[N]{0}", "in,out,N", "N ceildiv 32", {"relayout"}),
            "stored no element of an array at byte 0 of out");
  EXPECT_EQ(Machine("kernels.cu", "tile_2d", "f32[M,N]{1,0}", "f32[M,N]{1,0:T(8,128)}", "in,out,M,N",
                    "N ceildiv 33, M ceildiv 8"),
            "was stored by no thread");
  EXPECT_EQ(Machine("kernels_amdgpu.ll", "transpose", "f32[M,N]{1,0}", "f32[M,N]{1,0}"),
            "was not run: this is LLVM code for a GPU");
}

// Returns the verdict on the kernel `transpose` after a made-up refutation at M=2, N=3 was run.
std::string VerdictAfterRun(const std::string& law, const std::string& text, SimulationFault* fault = nullptr) {
  const KernelRequest request{.file = kFolder + "kernels.cu",
                              .function = "transpose",
                              .arrays = {{"in", "f32[M,N]{1,0}"}, {"out", "f32[M,N]{0,1}"}},
                              .arguments = "in,out,M,N",
                              .grid = "N ceildiv 32, M ceildiv 8",
                              .block = "32,8"};
  const auto module = CodeModule::Read(request.file, {.flags = {}, .for_device = true});
  const auto model = KernelModel::Make(request, *module);
  KernelProof proof{.result = {.law = law, .verdict = ProofVerdict::kRefuted}};
  proof.result.subexpression = text;
  proof.result.counterexample = {{"M", 2}, {"N", 3}, {"thread_x", 1}, {"thread_y", 1}, {"block_x", 0}, {"block_y", 0}};
  CheckKernelOnMachine(request, *model, fault, proof);
  EXPECT_EQ(proof.result.disagreement.empty(), proof.result.verdict == ProofVerdict::kRefuted);
  return ProofVerdictName(proof.result.verdict);
}

TEST(ProveKernel, WhatTheMachineDoesNotConfirmIsUnknown) {
  EXPECT_EQ(VerdictAfterRun("accesses", "a read outside of in at kernels.cu:30"), "unknown");
  EXPECT_EQ(VerdictAfterRun("accesses", "a write of out that is not aligned to 4 bytes at kernels.cu:30"), "unknown");
  // The machine need not trap all undefined behavior.
  EXPECT_EQ(VerdictAfterRun("accesses", "a value + a value overflows int32 at kernels.cu:30"), "refuted");
  SimulationFault fault{.values = {}, .text = "", .array = 1, .place = 4};
  fault.storing[1].thread[0] = 1;
  EXPECT_EQ(VerdictAfterRun("distinct-stores", "element (0,1) of out is stored by two threads", &fault), "unknown");
  EXPECT_EQ(VerdictAfterRun("complete", "no thread stores this element of out", &fault), "unknown");
}

// Returns the reason for which the last law of a kernel is unknown, without the folder.
std::string Reason(const std::string& function, const std::string& block = "32") {
  const auto results = ProveKernel({.file = kFolder + "kernels_unknown.cu",
                                    .function = function,
                                    .arrays = {{"in", "f32[N]{0}"}, {"out", "f32[N]{0}"}},
                                    .arguments = "in,out,N",
                                    .grid = "N ceildiv " + block,
                                    .block = block});
  if (!results) return results.error().ToString();
  const KernelProof* const problem = FirstProblemOf(*results);
  if (problem == nullptr) return "proved";
  std::string reason = problem->result.reason;
  for (size_t at = reason.find("kernels_unknown"); at != std::string::npos;
       at = reason.find("kernels_unknown", at + 1)) {
    const size_t begin = reason.rfind(' ', at) + 1;
    reason.erase(begin, at - begin);
    at = begin;
  }
  return reason;
}

TEST(ProveKernel, WhatIsNotFollowedHasAReasonWithItsLine) {
  EXPECT_EQ(Reason("shared_dynamic", "256"),
            "the shared memory tile, whose size the launch says: give it with --shared; at kernels_unknown.cu:66");
  EXPECT_EQ(Reason("atomic_add"), "out is changed by atomic operations");
  EXPECT_EQ(Reason("atomic_exchange"), "out is changed by atomic operations");
}

TEST(ProveKernel, ALaunchWithoutAThreadProvesNothing) {
  for (const char* block : {"2048", "64,32", "0"}) {
    const auto results = ProveKernel({.file = kFolder + "kernels.cu",
                                      .function = "copy_four",
                                      .arrays = {{"in", "f32[N]{0}"}, {"out", "f32[N]{0}"}},
                                      .arguments = "in,out,N",
                                      .grid = "N",
                                      .block = block});
    ASSERT_FALSE(results.has_value()) << block;
    EXPECT_TRUE(results.error().message.starts_with("no thread of such a launch was found")) << results.error().message;
  }
}

TEST(ProveKernel, WhatDoesNotFit) {
  EXPECT_EQ(FirstProblem("transpose", "f32[M,N]{0,1}", "K").substr(0, 38), "--grid: expected M, N, found 'K'");
  EXPECT_EQ(FirstProblem("transpose", "f6e3m2fn[M,N]{0,1:E(6)}", "M"),
            "--array out: expected elements of whole bytes, or of 1, 2 or 4 bits, found 6 bits");
  EXPECT_EQ(FirstProblem("nothing", "f32[M,N]{0,1}", "M").substr(kFolder.size(), 36),
            "kernels.cu: no function 'nothing' wi");
}

}  // namespace
}  // namespace layoutcheck
