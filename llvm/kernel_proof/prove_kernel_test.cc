// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/llvm/kernel_proof/prove_kernel.h"
#include <gtest/gtest.h>
#include <algorithm>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include "layoutcheck/core/base/str_cat.h"

namespace layoutcheck {
namespace {

const std::string kFolder = std::string(LAYOUTCHECK_CORPUS) + "/code/";

KernelRequest Request(const nlohmann::json& row) {
  KernelRequest request{.file = kFolder + row["file"].get<std::string>(),
                        .function = row["function"],
                        .arguments = row["args"],
                        .grid = row.value("grid", ""),
                        .block = row.value("block", ""),
                        .max_bytes = row.value("max_bytes", int64_t{INT32_MAX})};
  for (const auto& [name, layout] : row["arrays"].items()) request.arrays.emplace_back(name, layout);
  for (const auto& assumption : row.value("assume", nlohmann::json::array())) request.assumptions.push_back(assumption);
  return request;
}

TEST(ProveKernel, EachKernelOfTheCorpusGetsItsVerdicts) {
  std::ifstream file(kFolder + "kernels.jsonl");
  int rows = 0;
  for (std::string line; std::getline(file, line); ++rows) {
    const nlohmann::json row = nlohmann::json::parse(line);
#ifdef LAYOUTCHECK_SANITIZED
    if (rows % 5 != 0) continue;
#endif
    const auto results = ProveKernel(Request(row));
    ASSERT_TRUE(results.has_value()) << line << "\n" << results.error().ToString();
    std::map<std::string, std::string> verdicts;
    std::string details;
    for (const ProofResult& result : *results) {
      verdicts[result.law] = ProofVerdictName(result.verdict);
      StrAppend(details, "\n", result.law, ": ", result.reason, result.subexpression);
    }
    EXPECT_EQ(verdicts, (row["verdicts"].get<std::map<std::string, std::string>>())) << line << details;
  }
  EXPECT_EQ(rows, 29);
}

// Returns the first result that is not proved, as text.
std::string FirstProblem(const std::string& function, const std::string& out, const std::string& grid) {
  const auto results = ProveKernel({.file = kFolder + "kernels.cu",
                                    .function = function,
                                    .arrays = {{"in", "f32[M,N]{1,0}"}, {"out", out}},
                                    .arguments = "in,out,M,N",
                                    .grid = grid,
                                    .block = "32,8"});
  if (!results) return results.error().ToString();
  const ProofResult& result = results->back();
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
  EXPECT_EQ(FirstProblem("tile_2d", "f32[M,N]{1,0:T(8,128)}", "N / 32, M ceildiv 8"),
            "complete refuted M=1 N=33 i0=0 i1=32: no thread stores this element of out");
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
  EXPECT_EQ(FirstProblem("transpose", "s4[M,N]{0,1:E(4)}", "M"), "--array out: elements of less than a byte");
  EXPECT_EQ(FirstProblem("nothing", "f32[M,N]{0,1}", "M").substr(kFolder.size(), 36),
            "kernels.cu: no function 'nothing' wi");
}

}  // namespace
}  // namespace layoutcheck
