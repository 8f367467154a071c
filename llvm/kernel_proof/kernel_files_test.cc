// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tests what is asked of a file: a function of several, the launch that the kernel itself says, and a formula for its
// threads.
#include <gtest/gtest.h>
#include <fstream>
#include <string>
#include <string_view>
#include <vector>
#include "layoutcheck/core/base/str_cat.h"
#include "layoutcheck/core/process/temporary_directory.h"
#include "layoutcheck/llvm/kernel_proof/prove_kernel.h"

namespace layoutcheck {
namespace {

TEST(KernelFiles, ATritonKernelHasTheThreadsOfItsTensors) {
  KernelRequest request{.file = std::string(LAYOUTCHECK_CORPUS) + "/triton/add.ttir",
                        .function = "add",
                        .arrays = {{"x", "f32[N]{0}"}, {"y", "f32[N]{0}"}, {"out", "f32[N]{0}"}},
                        .arguments = "x,y,out,N",
                        .grid = "N ceildiv 1024",
                        .block = "1024"};
  EXPECT_EQ(ProveKernel(request).error().message,
            "--block: expected none for a Triton kernel, whose threads are the elements of its tensors");
  request.block = "";
  request.grid = "";
  request.laws = {"accesses"};
  const auto any_grid = ProveKernel(request);
  ASSERT_TRUE(any_grid.has_value()) << any_grid.error().ToString();
  EXPECT_EQ((*any_grid)[0].right_while, "programs_x <= 2097152");
  EXPECT_EQ((*any_grid)[0].machine, "was not run: this is a Triton kernel");
  request.function = "sub";
  EXPECT_EQ(ProveKernel(request).error().message,
            StrCat(request.file, ": no function 'sub' with a body; there are: add"));
}

// Whoever runs out of time has the verdicts so far.
TEST(KernelFiles, EachVerdictIsGivenBeforeTheNextIsAsked) {
  const KernelRequest request{.file = std::string(LAYOUTCHECK_CORPUS) + "/triton/add.ttir",
                              .function = "add",
                              .arrays = {{"x", "f32[N]{0}"}, {"y", "f32[N]{0}"}, {"out", "f32[N]{0}"}},
                              .arguments = "x,y,out,N",
                              .laws = {"accesses", "race-free", "distinct-stores"}};
  std::vector<std::string> given;
  const auto results = ProveKernel(request, {}, [&](const KernelProof& proof) {
    given.push_back(
        StrCat(proof.result.law, " ", ProofVerdictName(proof.result.verdict), " ", StrJoin(proof.where, ",")));
  });
  ASSERT_TRUE(results.has_value()) << results.error().ToString();
  EXPECT_EQ(given, std::vector<std::string>({"accesses refuted ", "race-free proved programs_x <= 2097152",
                                             "distinct-stores proved programs_x <= 2097152"}));
  ASSERT_EQ(results->size(), given.size());
}

// An operation that is not known may access memory through its pointers.
TEST(KernelFiles, ATritonKernelWithUnknownEffectsIsLeftOutAlone) {
  const TemporaryDirectory directory;
  const std::string file = directory.path() + "/effects.ttir";
  std::ofstream(file)
      << "module {\n"
         "  tt.func @unknown(%p: !tt.ptr<f32>) {\n    tt.launch_missiles %p : !tt.ptr<f32>\n    tt.return\n  }\n"
         "  tt.func @pure(%p: !tt.ptr<f32>) {\n    %c = arith.constant 1.0 : f32\n"
         "    tt.store %p, %c : !tt.ptr<f32>\n    tt.return\n  }\n}\n";
  KernelRequest request{.file = file, .function = "unknown", .arrays = {{"p", "f32[1]{0}"}}, .arguments = "p"};
  request.laws = {"accesses"};
  EXPECT_EQ(ProveKernel(request).error().message,
            StrCat(file, ": unknown is not followed: the operation tt.launch_missiles, at effects.ttir:3"));
  request.function = "pure";
  const auto pure = ProveKernel(request);
  ASSERT_TRUE(pure.has_value()) << pure.error().ToString();
  EXPECT_EQ((*pure)[0].result.verdict, ProofVerdict::kProved) << (*pure)[0].result.reason;
}

// A mask is decided where an access takes it, and one false part is enough. A part without a value is a mistake even
// so.
TEST(KernelFiles, APartOfAMaskDecidesAlone) {
  const TemporaryDirectory directory;
  const std::string file = directory.path() + "/masks.ttir";
  const auto accesses = [&](std::string_view part) {
    std::ofstream(file) << "module {\n  tt.func @f(%p: !tt.ptr<i32>, %n: i32) {\n"
                           "    %zero = arith.constant 0 : i32\n    %one = arith.constant 1 : i32\n"
                           "    %is_negative = arith.cmpi slt, %n, %zero : i32\n    %x = "
                        << part
                        << "\n    %is_positive = arith.cmpi sgt, %x, %zero : i32\n"
                           "    %mask = arith.andi %is_positive, %is_negative : i1\n"
                           "    %behind = tt.addptr %p, %one : !tt.ptr<i32>, i32\n"
                           "    tt.store %behind, %x, %mask : !tt.ptr<i32>\n    tt.return\n  }\n}\n";
    const auto proofs = ProveKernel({.file = file,
                                     .function = "f",
                                     .arrays = {{"p", "s32[1]{0}"}},
                                     .arguments = "p,N",
                                     .assumptions = {"N <= 100"},
                                     .laws = {"accesses"}});
    EXPECT_TRUE(proofs.has_value()) << proofs.error().ToString();
    return proofs ? (*proofs)[0].result : ProofResult{};
  };
  EXPECT_EQ(accesses("tt.load %p : !tt.ptr<i32>").verdict, ProofVerdict::kProved);
  const ProofResult no_value = accesses("arith.shli %one, %n : i32");
  ASSERT_EQ(no_value.verdict, ProofVerdict::kRefuted) << no_value.reason;
  EXPECT_EQ(no_value.counterexample[0], (std::pair<std::string, int64_t>("N", 32)));
}

// Rows of 64 elements share memory if their stride is less. Only launches of more than 64 elements show that, of which
// blocks of 512 threads allow few.
TEST(KernelFiles, RowsThatOverlapInOneBlockRace) {
  const TemporaryDirectory directory;
  const std::string file = directory.path() + "/rows.ttir";
  std::ofstream(file)
      << "module {\n  tt.func @f(%p: !tt.ptr<f32>, %s: i32, %n: i32) {\n"
         "    %width = arith.constant dense<64> : tensor<512xi32>\n"
         "    %zero = arith.constant dense<0.0> : tensor<512xf32>\n    %block = arith.constant 512 : i32\n"
         "    %program = tt.get_program_id x : i32\n    %first = arith.muli %program, %block : i32\n"
         "    %firsts = tt.splat %first : i32 -> tensor<512xi32>\n"
         "    %range = tt.make_range {end = 512 : i32, start = 0 : i32} : tensor<512xi32>\n"
         "    %i = arith.addi %firsts, %range : tensor<512xi32>\n"
         "    %ends = tt.splat %n : i32 -> tensor<512xi32>\n"
         "    %mask = arith.cmpi slt, %i, %ends : tensor<512xi32>\n"
         "    %row = arith.divsi %i, %width : tensor<512xi32>\n"
         "    %column = arith.remsi %i, %width : tensor<512xi32>\n"
         "    %strides = tt.splat %s : i32 -> tensor<512xi32>\n"
         "    %begin = arith.muli %row, %strides : tensor<512xi32>\n"
         "    %place = arith.addi %begin, %column : tensor<512xi32>\n"
         "    %ps = tt.splat %p : !tt.ptr<f32> -> tensor<512x!tt.ptr<f32>>\n"
         "    %at = tt.addptr %ps, %place : tensor<512x!tt.ptr<f32>>, tensor<512xi32>\n"
         "    tt.store %at, %zero, %mask : tensor<512x!tt.ptr<f32>>\n    tt.return\n  }\n}\n";
  KernelRequest request{.file = file,
                        .function = "f",
                        .arrays = {{"p", "f32[1099511627776,S]{1,0}"}},
                        .arguments = "p,S,N",
                        .assumptions = {"N <= 1024", "S <= 1024", "S >= 1", "programs_x <= 1024"},
                        .laws = {"race-free"}};
  const auto verdict = [&] {
    const auto proofs = ProveKernel(request);
    return proofs ? (*proofs)[0].result.verdict : ProofVerdict::kUnknown;
  };
  EXPECT_EQ(verdict(), ProofVerdict::kRefuted);
  request.assumptions.push_back("S >= 64");
  EXPECT_EQ(verdict(), ProofVerdict::kProved);
}

// The result of an operation with the type of its operand is another value.
TEST(KernelFiles, ATritonKernelThatComputesMovesNothing) {
  const TemporaryDirectory directory;
  const std::string file = directory.path() + "/computes.ttir";
  for (const std::string operation : {"math.exp", "arith.negf", "math.absf", "tt.precise_sqrt"}) {
    std::ofstream(file) << "module {\n  tt.func @f(%in: !tt.ptr<f32>, %out: !tt.ptr<f32>) {\n"
                           "    %a = tt.load %in : !tt.ptr<f32>\n    %b = "
                        << operation << " %a : f32\n    tt.store %out, %b : !tt.ptr<f32>\n    tt.return\n  }\n}\n";
    const auto proofs = ProveKernel({.file = file,
                                     .function = "f",
                                     .arrays = {{"in", "f32[1]{0}"}, {"out", "f32[1]{0}"}},
                                     .arguments = "in,out",
                                     .grid = "1",
                                     .max_bytes = 1024});
    ASSERT_TRUE(proofs.has_value()) << proofs.error().ToString();
    EXPECT_EQ((*proofs)[1].result.law, "relayout");
    EXPECT_EQ((*proofs)[1].not_asked, "out is computed") << operation;
  }
}

// Each of three loops would be two ways per iteration. An address is followed both ways, as before.
TEST(KernelFiles, AChoiceOfAValueInALoopIsOnePath) {
  const TemporaryDirectory directory;
  const std::string file = directory.path() + "/choices.cu";
  const auto accesses = [&](int loops, std::string_view bound, std::string_view last) {
    std::string body = "float most = 0; int at = 0;";
    for (int loop = 0; loop < loops; ++loop) {
      StrAppend(body, " for (int k = 0; k < ", bound,
                "; ++k) { float x = in[k]; if (x > most) { most = x; at = k; } }");
    }
    std::ofstream(file) << "__global__ void f(const float* in, int* out, int n) { " << body << last << " }\n";
    const auto proofs = ProveKernel({.file = file,
                                     .function = "f",
                                     .arrays = {{"in", "f32[N]{0}"}, {"out", "s32[1]{0}"}},
                                     .arguments = "in,out,N",
                                     .grid = "1",
                                     .block = "1",
                                     .max_bytes = 1 << 20,
                                     .laws = {"accesses"}});
    return proofs ? (*proofs)[0].result.verdict : ProofVerdict::kRefuted;
  };
  EXPECT_EQ(accesses(3, "n", " out[0] = at;"), ProofVerdict::kProved);
  EXPECT_NE(accesses(1, "2", " out[at] = 1;"), ProofVerdict::kProved);
}

// A search steps over iterations as if the place grew in each. A refutation needs a run of all iterations.
TEST(KernelFiles, ALoopThatChangesItsStepsIsRefutedOnlyWhereItIsWrong) {
  const TemporaryDirectory directory;
  const std::string file = directory.path() + "/steps.cu";
  std::ofstream(file) << "__global__ void f(const char* in, char* out, int n) {\n  int at = 0;\n"
                         "  for (int i = 0; i < n; ++i) { out[at] = in[i]; at += i < 5000 ? 1 : 0; }\n}\n";
  const auto accesses = [&](const std::string& out) {
    const auto proofs = ProveKernel({.file = file,
                                     .function = "f",
                                     .arrays = {{"in", "s8[N]{0}"}, {"out", out}},
                                     .arguments = "in,out,N",
                                     .grid = "1",
                                     .block = "1",
                                     .max_bytes = 1 << 20,
                                     .laws = {"accesses"}});
    return proofs ? (*proofs)[0].result : ProofResult{.reason = proofs.error().ToString()};
  };
  EXPECT_NE(accesses("s8[5001]{0}").verdict, ProofVerdict::kRefuted);
  const ProofResult short_by_one = accesses("s8[5000]{0}");
  ASSERT_EQ(short_by_one.verdict, ProofVerdict::kRefuted) << short_by_one.reason;
  EXPECT_EQ(short_by_one.counterexample[0], (std::pair<std::string, int64_t>("N", 5001)));
}

TEST(KernelFiles, AFunctionThatDoesNotCompileCostsItselfAlone) {
  KernelRequest request{.file = std::string(LAYOUTCHECK_CORPUS) + "/kernels/grid_stride.cu",
                        .function = "block_sums",
                        .arrays = {{"in", "f32[N]{0}"}, {"out", "f32[N]{0}"}},
                        .arguments = "in,out,N"};
  const auto left_out = ProveKernel(request);
  ASSERT_FALSE(left_out.has_value());
  EXPECT_NE(left_out.error().message.find("block_sums does not compile: "), std::string::npos);
  EXPECT_NE(left_out.error().message.find("grid_stride.cu:63:11: error: use of undeclared identifier 'cub'"),
            std::string::npos)
      << left_out.error().message;
  request.file = std::string(LAYOUTCHECK_CORPUS) + "/kernels/arithmetic.cu";
  request.function = "gelu<no_type, 256>";
  const auto no_type = ProveKernel(request);
  ASSERT_FALSE(no_type.has_value());
  EXPECT_NE(no_type.error().message.find("use of undeclared identifier 'no_type'"), std::string::npos)
      << no_type.error().message;
}

// Where the formula of the request is wrong, its proof fails and those of small launches are tried.
TEST(ThreadOfTheRequest, IsConfirmedByTheProof) {
  KernelRequest request{.file = std::string(LAYOUTCHECK_CORPUS) + "/kernels/in_sequence.cu",
                        .function = "copy_tiles",
                        .arrays = {{"in", "f32[N]{0}"}, {"out", "f32[N]{0}"}},
                        .arguments = "in,out,N",
                        .grid = "N ceildiv 256",
                        .block = "256",
                        .max_bytes = int64_t{1} << 31,
                        .laws = {"distinct-stores", "complete"}};
  for (const char* const thread : {"block_x = i0 floordiv 256, thread_x = i0 mod 256", "block_x = i0"}) {
    request.thread = thread;
    const auto proofs = ProveKernel(request);
    ASSERT_TRUE(proofs.has_value()) << proofs.error().ToString();
    for (const KernelProof& proof : *proofs) EXPECT_EQ(proof.result.verdict, ProofVerdict::kProved) << proof.result.law;
  }
}

}  // namespace
}  // namespace layoutcheck
