// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/llvm/code_proof/prove_code.h"
#include <gtest/gtest.h>
#include <fstream>
#include <optional>
#include <string>
#include <vector>
#include "layoutcheck/core/base/str_cat.h"
#include "layoutcheck/core/process/temporary_directory.h"

namespace layoutcheck {
namespace {

// Returns the verdict with its counterexample, reason and what the machine did, for a function f of this C file.
std::string Asked(const std::string& source, CodeRequest request) {
  const TemporaryDirectory directory;
  request.file = directory.path() + "/f.c";
  request.function = "f";
  std::ofstream(request.file) << source;
  const auto proof = ProveCode(request);
  if (!proof) {
    std::string text = proof.error().ToString();
    for (size_t at = 0; (at = text.find(directory.path() + "/", at)) != std::string::npos;) {
      text.erase(at, directory.path().size() + 1);
    }
    return text;
  }
  const ProofResult& result = proof->result;
  std::string text = ProofVerdictName(result.verdict);
  for (const auto& [name, value] : result.counterexample) StrAppend(text, " ", name, "=", value);
  for (const auto& [side, why] : result.without_value) {
    StrAppend(text, ", ", side, ": ", why.substr(0, why.find(" at ") + 4), "line ", why.substr(why.rfind(':') + 1));
  }
  if (result.verdict == ProofVerdict::kUnknown) StrAppend(text, ": ", result.reason, result.disagreement);
  if (!proof->machine.empty()) StrAppend(text, "; ", proof->machine);
  return text;
}

// Asks whether f is the linear index of a row-major array.
std::string RowMajor(const std::string& source, const std::string& arguments = "i0,i1,N",
                     const std::string& result = "") {
  return Asked(source, {.layout = "f32[M,N]{1,0}", .arguments = arguments, .result = result});
}

TEST(ProveCode, OfTiles) {
  const std::string source = R"(int f(int i, int j, int n) {
  int tiles = (n + 127) / 128;
  return (i / 8 * tiles + j / 128) * 1024 + i % 8 * 128 + j % 128;
})";
  EXPECT_EQ(Asked(source, {.layout = "f32[M,N]{1,0:T(8,128)}", .arguments = "i0,i1,N"}), "proved");
  EXPECT_EQ(Asked(source, {.layout = "f32[M,N]{1,0:T(8,64)}", .arguments = "i0,i1,N"}),
            "refuted M=2 N=1 i0=1 i1=0 expected=64 actual=128; returned 128");
  EXPECT_EQ(Asked(source, {.formula = "i0*128+i1", .assumptions = {"i0 < 8 && i1 < 128"}, .arguments = "i0,i1,128"}),
            "proved");
}

// The array of a shape:stride layout has a byte for each offset from the smallest to the largest.
TEST(ProveCode, OfShapesAndStrides) {
  const std::string source = "int f(int i, int j, int ld) { return i * ld + j; }";
  const auto asked = [&](const char* layout, const char* arguments, std::optional<int64_t> max_bytes = std::nullopt) {
    return Asked(source, {.layout = layout, .arguments = arguments, .max_bytes = max_bytes});
  };
  constexpr int64_t kFourGiB = int64_t{1} << 32;
  EXPECT_EQ(asked("(M,N):(N,1)", "i0,i1,N"), "proved");
  EXPECT_EQ(asked("(M,N):(N,1)", "i0,i1,N", kFourGiB).substr(0, 10), "refuted M=");
  EXPECT_EQ(asked("(M,N):(LD,1)", "i0,i1,LD"), "proved");
  EXPECT_EQ(asked("(M,N):(LD,1)", "i0,i1,LD", kFourGiB).substr(0, 10), "refuted M=");
  EXPECT_EQ(asked("((8,M),N):((N,8*N),1)", "i0,i1,N"), "proved");
  EXPECT_EQ(asked("(65536,N):(32768,1)", "i0,i1,32768"), "proved");
  // The largest offset is 2^31 - 1, and the next larger one does not fit.
  EXPECT_EQ(asked("(2,2):(2147483646,1)", "i0,i1,2147483646", kFourGiB), "proved");
  EXPECT_EQ(asked("(2,3):(2147483646,1)", "i0,i1,2147483646", kFourGiB).substr(0, 15), "refuted i0=1 i1");
  EXPECT_EQ(asked("(100000,100000):(100000,1)", "i0,i1,100000"),
            "the assumptions contradict each other or leave no element: there is nothing to prove in arrays of at most "
            "2147483647 bytes");
}

// A parameter's type bounds a name that the size of the array does not bound.
TEST(ProveCode, LimitsOfShapesAndStrides) {
  const TemporaryDirectory directory;
  CodeRequest request{.layout = "(M,N):(LD,1)", .arguments = "i0,i1,LD"};
  request.file = directory.path() + "/f.c";
  request.function = "f";
  std::ofstream(request.file) << "long f(long i, long j, int ld) { return i * ld + j; }";
  const auto padded = ProveCode(request);
  ASSERT_TRUE(padded.has_value());
  EXPECT_EQ(padded->result.verdict, ProofVerdict::kProved);
  EXPECT_EQ(padded->limits, std::vector<std::string>{"LD <= 2147483647"});
  request.layout = "(M,N):(N,1)";
  request.arguments = "i0,i1,N";
  request.max_bytes = 1 << 30;
  EXPECT_EQ(ProveCode(request)->limits, std::vector<std::string>{});
  EXPECT_EQ(ProveCode(request)->max_bytes, 1 << 30);
}

TEST(ProveCode, AsKernelAuthorsWrite) {
  for (const char* source : {
           "#include <stdlib.h>\nint f(int i, int j, int n) { return abs(-i) * n + j; }",
           "static const int t[8] = {0,1,2,3,4,5,6,7};\nint f(int i, int j, int n) { return (i - i % 8 + t[i % 8]) * n "
           "+ j; }",
           "int f(int i, int j, int n) { int s[2] = {n, 1}, x[2] = {i, j}, r = 0; for (int k = 0; k < 2; ++k) r += "
           "s[k] * x[k]; return r; }",
           "int f(int i, int j, int n) { switch (i & 1) { case 0: return i * n + j; default: return j + n * i; } }",
           "static int g(int a, int b) { return a * b; }\nint f(int i, int j, int n) { return g(i, n) + g(j, 1); }",
           "int f(int i, int j, int n) { return (i >> 3 << 3 | (i & 7)) * n + j; }",
           "unsigned f(unsigned i, unsigned char b, unsigned n);\nunsigned f(unsigned i, unsigned char b, unsigned n) "
           "{ return i * n + b; }",
           "long f(short i, int j, long n) { return i * n + j; }",
       }) {
    EXPECT_EQ(RowMajor(source), "proved") << source;
  }
}

TEST(ProveCode, Arguments) {
  EXPECT_EQ(
      RowMajor("struct s { int x, y, z; };\nunsigned f(int i, int j, struct s d) { return (unsigned)i * d.y + j; }",
               "i0,i1,{M,N,1}"),
      "proved");
  EXPECT_EQ(RowMajor("struct s { long x, y, z; };\nlong f(int i, int j, struct s d) { return i * d.y + j; }",
                     "i0,i1,{M,N,1}"),
            "proved");
  EXPECT_EQ(RowMajor("long f(const int *x, const long *s) { long r = 0; for (int k = 0; k < 2; ++k) r = r * s[k] + "
                     "x[k]; return r; }",
                     "[i0,i1],[M,N]"),
            "proved");
  EXPECT_EQ(RowMajor("void f(int i, int j, int n, float *a, long *out) { out[0] = i; out[1] = (long)i * n + j; }",
                     "i0,i1,N,_,out", "out[1]"),
            "proved");
  EXPECT_EQ(RowMajor("int f(int i, int j, int n, int unused) { return i * n + j; }", "i0,i1,N,_"), "proved");
  EXPECT_EQ(RowMajor("int f(int i, int j, int n, int k) { return i * n + j + (k == 77); }", "i0,i1,N,_"),
            "refuted _4=77 M=1 N=1 i0=0 i1=0 expected=0 actual=1; returned 1");
}

TEST(ProveCode, UndefinedBehaviorRefutes) {
  EXPECT_EQ(RowMajor("long f(int i, int j, int n) { return i * n + j; }"),
            "refuted M=3 N=715827883 i0=2 i1=715827882 expected=2147483648, actual: 1431655766 + 715827882 overflows "
            "int32 at line 1; ran into undefined behavior (a trap of -fsanitize=undefined)");
  EXPECT_EQ(RowMajor("int f(int i, int j, int n) { int r; if (i > 0) r = i * n; return r + j; }").substr(0, 40),
            "refuted M=1 N=1 i0=0 i1=0 expected=0, ac");
  EXPECT_EQ(RowMajor("int f(int i, int j, int n) { int t[4] = {0, 1, 2, 3}; return t[i] * n + j; }").substr(0, 71),
            "refuted M=5 N=1 i0=4 i1=0 expected=4, actual: an index outside of its a");
  EXPECT_EQ(
      RowMajor("#include <assert.h>\nint f(int i, int j, int n) { assert(i < 9); return i * n + j; }").substr(0, 69),
      "refuted M=10 N=1 i0=9 i1=0 expected=9, actual: an assertion fails at ");
  EXPECT_EQ(RowMajor("int f(int i, int j, int n) { return i * n + j + 7 / (i - 5) * 0; }").substr(0, 79),
            "refuted M=6 N=1 i0=5 i1=0 expected=5, actual: 7 / 0 divides by zero at line 1; ");
}

// C says so of an operation, not of the use of its result. The neighbor is unsigned.
TEST(ProveCode, UndefinedBehaviorOfAnUnusedResultRefutes) {
  EXPECT_EQ(RowMajor("int f(int i, int j, int n) { int unused = i - j - 2147483647; return i * n + j; }"),
            "refuted M=1 N=3 i0=0 i1=2 expected=2, actual: -2 - 2147483647 overflows int32 at line 1; "
            "ran into undefined behavior (a trap of -fsanitize=undefined)");
  EXPECT_EQ(RowMajor("int f(int i, int j, int n) { unsigned unused = 0u - i - j; return i * n + j; }"), "proved");
}

TEST(ProveCode, ACertificateIsAboutTheFormulaThatWasRead) {
  const TemporaryDirectory directory;
  CodeRequest request{
      .layout = "f32[M,N]{1,0}", .file = directory.path() + "/f.c", .function = "f", .arguments = "i0,i1,N"};
  std::ofstream(request.file) << "int f(int i, int j, int n) { return n * i + j; }";
  const auto proof = ProveCode(request, {.certificates = true});
  ASSERT_TRUE(proof.has_value());
  EXPECT_EQ(proof->certified_formula, "N * i0 + i1");
  const std::string claim =
      StrCat("layoutcheck certificate 1\nlaw formula\nlayout f32[M,N]{1,0}\nformula N * i0 + i1\nsource ", request.file,
             ": f(i0,i1,N)\npath\n");
  EXPECT_TRUE(proof->result.certificate.starts_with(claim)) << proof->result.certificate;
  // Right for the arrays in question, whose rows are short, and for no others.
  request.max_bytes = 1000;
  std::ofstream(request.file) << "int f(int i, int j, int n) { return n < 300 ? n * i + j : 0; }";
  const auto short_rows = ProveCode(request, {.certificates = true});
  ASSERT_TRUE(short_rows.has_value());
  EXPECT_EQ(short_rows->result.verdict, ProofVerdict::kProved);
}

TEST(ProveCode, IsUnknownWhereItCannotFollow) {
  EXPECT_EQ(RowMajor("int s;\nint f(int i, int j, int n) { return i * n + j + s; }").substr(0, 8), "unknown:");
  EXPECT_EQ(RowMajor("int f(int i, int j, int n) { return (int)((double)i * n) + j; }").substr(0, 8), "unknown:");
  EXPECT_EQ(RowMajor("int f(int i, int j, int n) { static int seen; return seen++ ? 0 : i * n + j; }").substr(0, 8),
            "unknown:");
  // Atomic operations: what they change is not known, and a counter that the result does not depend on is left out.
  const std::string add = "{ __atomic_fetch_add(&x, 1, 0); return i * n + j";
  EXPECT_EQ(RowMajor("int f(int i, int j, int n) { int x = 0; __atomic_fetch_add(&x, 1, 0); return i * n + j + x; }")
                .substr(0, 34),
            "unknown: an atomic operation on x ");
  EXPECT_EQ(RowMajor(StrCat("int x;\nint f(int i, int j, int n) ", add, "; }")), "proved");
  EXPECT_EQ(RowMajor(StrCat("int x;\nint f(int i, int j, int n) ", add, " + x; }")).substr(0, 8), "unknown:");
  EXPECT_EQ(RowMajor("int g(int);\nint f(int i, int j, int n) { return g(i * n + j); }").substr(0, 8), "unknown:");
}

TEST(ProveCode, NamesTheLoopThatANameBounds) {
  // A loop with two entries.
  const std::string source =
      "int f(int n) {\n  int k = 0;\n  if (n == 77) goto inside;\n  while (k < n) {\n    ++k;\n  inside:;\n  }\n"
      "  return k;\n}";
  const std::string unknown = Asked(source, {.formula = "N", .assumptions = {"N >= 0"}, .arguments = "N"});
  EXPECT_EQ(unknown.substr(0, 8), "unknown:");
  EXPECT_NE(unknown.find("f.c:4 runs as often as N says"), std::string::npos) << unknown;
  EXPECT_NE(unknown.find("such as --assume 'N <= 8'"), std::string::npos) << unknown;
  EXPECT_EQ(Asked(source, {.formula = "N", .assumptions = {"N >= 0", "N <= 8"}, .arguments = "N"}), "proved");
}

TEST(ProveCode, WhatDoesNotFit) {
  const std::string source = "int f(int i, int j, int n) { return i * n + j; }";
  EXPECT_EQ(RowMajor(source, "i0,i1"), "f.c: f takes 3 arguments, found 2");
  EXPECT_EQ(RowMajor(source, "i0,K,N").substr(0, 27), "--args: column 4: expected ");
  EXPECT_EQ(RowMajor(source, "i0,[i1],N"), "f.c: argument 2: [...] is bound to a pointer, and the parameter is none");
  EXPECT_EQ(RowMajor(source, "i0,[i1,N").substr(0, 30), "--args: column 9: expected ','");
}

// Functions whose names the caller could hide, a file with a function that is defined elsewhere, and bool.
TEST(ProveCode, MachineConfirmsWhateverTheNames) {
  const std::string wrong = "refuted M=1 N=1 i0=0 i1=0 expected=0 actual=1; returned 1";
  const std::string body = "(int i, int j, int n) { return i * n + j + 1; }\nint f(int i, int j, int n) { return ";
  for (const char* name : {"p1", "values", "result", "m0"}) {
    EXPECT_EQ(RowMajor(StrCat("int ", name, body, name, "(i, j, n); }\n#define ", name, " 3")), wrong) << name;
  }
  EXPECT_EQ(RowMajor(StrCat("int ext(int);\nint other(int i) { return ext(i); }\nint g", body, "g(i, j, n); }")),
            wrong);
  const CodeRequest less{.formula = "i0 < N", .arguments = "i0,N"};
  EXPECT_EQ(Asked("_Bool f(int i, int n) { return i < n; }", less), "proved");
  EXPECT_EQ(Asked("_Bool f(int i, int n) { return i <= n; }", less),
            "refuted N=0 i0=0 expected=0 actual=1; returned 1");
}

TEST(ProveCode, ElementsOfTheResultHaveTheirType) {
  const auto asked = [](const std::string& body, const std::string& type = "int") {
    return RowMajor(
        StrCat("struct t { long tile; int in; };\nvoid f(int i, int j, int n, ", type, " *out) { ", body, " }"),
        "i0,i1,N,out", "out[1]");
  };
  EXPECT_EQ(asked("out->tile = i; out->in = i * n + j;", "struct t"), "proved");
  EXPECT_EQ(asked("long u = (long)(i * n + j) << 32 | 7; __builtin_memcpy(out, &u, 8);"), "proved");
  EXPECT_EQ(asked("out[1] = 9; ((char*)out)[1] = 0;"), "refuted M=1 N=1 i0=0 i1=0 expected=0 actual=9; returned 9");
  EXPECT_EQ(asked("out->tile = i; out->in = i * n + j + 1;", "struct t"),
            "refuted M=1 N=1 i0=0 i1=0 expected=0 actual=1; returned 1");
}

// Of a read before a write by the compiler's own code, the machine sees nothing.
TEST(ProveCode, NobodyIsAccusedOfWhatTheMachineDoesNotConfirm) {
  const std::string asked = RowMajor(
      "int f(int i, int j, int n) { struct { unsigned lo : 7, hi : 25; } b; b.lo = j; b.hi = j >> 7;\n"
      "return i * n + (int)(b.hi << 7 | b.lo); }");
  EXPECT_NE(asked.substr(0, 7), "refuted") << asked;
}

TEST(ProveCode, StridedLayouts) {
  const std::string source = "int f(int i, int j, int n) { return i * n + j; }";
  EXPECT_EQ(Asked(source, {.layout = "(3,4):(4,1)", .arguments = "i0,i1,4"}), "proved");
  EXPECT_EQ(Asked(source, {.layout = "(M,N):(N,1)", .assumptions = {"M * N <= 2147483648"}, .arguments = "i0,i1,N"}),
            "proved");
  EXPECT_EQ(Asked(source, {.layout = "(3,4):(1,3)", .arguments = "i0,i1,4"}).substr(0, 8), "refuted ");
}

}  // namespace
}  // namespace layoutcheck
