// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gtest/gtest.h>
#include <fstream>
#include <string>
#include "layoutcheck/core/base/str_cat.h"
#include "layoutcheck/core/process/temporary_directory.h"
#include "layoutcheck/llvm/code_proof/prove_code.h"

namespace layoutcheck {
namespace {

// Returns the sizes of the counterexample and the border, for a function f of this C file.
std::string BorderOf(const std::string& source, CodeRequest request) {
  const TemporaryDirectory directory;
  request.file = directory.path() + "/f.c";
  request.function = "f";
  std::ofstream(request.file) << source;
  const auto proof = ProveCode(request);
  if (!proof) return proof.error().ToString();
  std::string text = ProofVerdictName(proof->result.verdict);
  for (const auto& [name, value] : proof->result.counterexample) {
    if (name[0] >= 'A' && name[0] <= 'Z') StrAppend(text, " ", name, "=", value);
  }
  if (proof->right_while.empty()) return text;
  return StrCat(text, proof->is_border_exact ? " right exactly while " : " right while ", proof->right_while);
}

TEST(CodeBorder, OfAttention) {
  const std::string source =
      "long f(int b, int t, int h, int k, int T, int H, int K) { return b * T * H * K + (long)t * H * K + h * K + k; }";
  EXPECT_EQ(BorderOf(source, {.layout = "f32[16,T,64,128]{3,2,1,0}", .arguments = "i0,i1,i2,i3,T,64,128"}),
            "refuted T=17477 right exactly while T <= 17476");
}

TEST(CodeBorder, OfProducts) {
  EXPECT_EQ(BorderOf("long f(int i, int j, int n) { return i * n + j; }",
                     {.layout = "f32[M,N]{1,0}", .arguments = "i0,i1,N"}),
            "refuted M=3 N=715827883 right exactly while N * M <= 2147483648");
  EXPECT_EQ(BorderOf("long f(int i, int j, int n) { return i * n + (long)j; }",
                     {.layout = "f32[M,N]{1,0}", .arguments = "i0,i1,N"}),
            "refuted M=3 N=1073741824 right exactly while N * M - N <= 2147483647");
}

// Names that may be negative overflow at both ends.
TEST(CodeBorder, OfBothEnds) {
  EXPECT_EQ(BorderOf("int f(int a, int b) { return a + b; }", {.formula = "A + B", .arguments = "A,B"}),
            "refuted A=-1 B=-2147483648 right exactly while A + B <= 2147483647 && A + B >= -2147483648");
  EXPECT_EQ(BorderOf("long f(long a) { return a - 65536; }", {.formula = "A - 65536", .arguments = "A"}),
            "refuted A=-9223372036854775808 right exactly while A >= -9223372036854710272");
}

TEST(CodeBorder, OfTiles) {
  EXPECT_EQ(BorderOf("long f(int i, int j, int n) { int t = (n + 127) / 128, tile = i / 8 * t + j / 128;\n"
                     "return tile * 1024 + i % 8 * 128 + j % 128; }",
                     {.layout = "f32[M,N]{1,0:T(8,128)}", .arguments = "i0,i1,N", .max_bytes = int64_t{1} << 40}),
            "refuted M=16777217 N=1 right exactly while N ceildiv 128 * (M ceildiv 8) <= 2097152");
}

TEST(CodeBorder, OfValuesThatWrap) {
  EXPECT_EQ(BorderOf("long f(unsigned i, unsigned j, unsigned n) { return i * n + j; }",
                     {.layout = "f32[M,N]{1,0}", .arguments = "i0,i1,N", .max_bytes = int64_t{1} << 50}),
            "refuted M=65537 N=65536 right exactly while N * M <= 4294967296");
}

// A function that is wrong for small arrays has no border, nor has one whose limit is not all that is wrong.
TEST(CodeBorder, IsNotClaimedForOtherMistakes) {
  EXPECT_EQ(BorderOf("long f(int i, int j, int n) { return i * n + j + 1; }",
                     {.layout = "f32[M,N]{1,0}", .arguments = "i0,i1,N"}),
            "refuted M=1 N=1");
  EXPECT_EQ(BorderOf("long f(int i, int j, int n) { return n == 70000 ? 0 : i * n + j; }",
                     {.layout = "f32[M,N]{1,0}", .arguments = "i0,i1,N"}),
            "refuted M=1 N=70000");
}

}  // namespace
}  // namespace layoutcheck
