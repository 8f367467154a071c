// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/cli/claims/index_code.h"
#include <gtest/gtest.h>
#include "layoutcheck/core/base/str_cat.h"

namespace layoutcheck {
namespace {

#ifdef LAYOUTCHECK_HAS_LLVM
// Returns "NAME(PARAMETER, PARAMETER:f32)@LINE" of each function that is found; of a kernel with a `!`.
std::string Found(const std::string& source) {
  std::string found;
  for (const IndexCode& code : FindIndexCode(source)) {
    StrAppend(found, found.empty() ? "" : " ", code.name, code.is_kernel ? "!" : "", "(");
    for (const CodeParameter& parameter : code.parameters) {
      StrAppend(found, found.ends_with('(') ? "" : ",", parameter.name, parameter.element.empty() ? "" : ":",
                parameter.element);
    }
    StrAppend(found, ")@", code.line);
  }
  return found;
}

TEST(IndexCode, IsArithmeticInAResultOrASubscript) {
  EXPECT_EQ(Found("long at(long i, long j, long n) { return i * n + j; }\n"), "at(i,j,n)@1");
  EXPECT_EQ(Found("\nint up(int a,\n  int b) {\n  int c = a;\n  return (c + b - 1) / b;\n}"), "up(a,b)@2");
  EXPECT_EQ(Found("int get(const int* t, int i) { int x = t[i % 8]; return x; }"), "get(t:s32,i)@1");
  EXPECT_EQ(Found("int sum(int a, int b) { return a + b; }\nint load(int* a) { return *a; }"), "");
  EXPECT_EQ(Found("int f(int a) { /* return a * 2; */ const char* s = \"return a * 2;\"; return a; }"), "");
}

TEST(IndexCode, HasAnIntegerAsItsResult) {
  EXPECT_EQ(Found("void i(float* a, int n) { a[n * 2] = 0; }\nfloat dot(float* a) { return a[0] * a[1]; }\n"
                  "bool odd(int a) { return a % 2; }\nint none() { return 2 * 3; }\n"),
            "");
  EXPECT_EQ(Found("template <class T> size_t g(T a, int b = 3 * 2) { return a * b; }"), "g(a,b)@1");
}

TEST(IndexCode, HasKernelsWithTheirArrays) {
  EXPECT_EQ(Found("__global__ void scale(float* __restrict__ a, const __half* b, unsigned char c[], int n) {\n"
                  "  a[threadIdx.x] = n;\n}\n__global__ void nothing(int n) {}\n"),
            "scale!(a:f32,b:f16,c:s8,n)@1");
}

TEST(IndexCode, CanBeCutAnywhere) {
  const std::string source =
      "__global__ void k(float* a, int n) { a[n * (n + 1)] = '\"'; /* x */ }\n// y\nint f(int g, int b[2]) { "
      "return b[g % 2] * 2; }\n";
  for (size_t end = 0; end <= source.size(); ++end) {
    Found(source.substr(0, end));
    Found(source.substr(end));
  }
  EXPECT_EQ(Found(source), "k!(a:f32,n)@1 f(g,b:s32)@3");
}
#endif

}  // namespace
}  // namespace layoutcheck
