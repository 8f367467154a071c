// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Loops that end by a name. Their closed forms are guessed from two iterations, so each guess that a later iteration
// breaks must be found out. corpus/code/loops.c has loops as authors of kernels write them.
#include <gtest/gtest.h>
#include <fstream>
#include <string>
#include "layoutcheck/core/base/str_cat.h"
#include "layoutcheck/core/process/temporary_directory.h"
#include "layoutcheck/core/testing/share.h"
#include "layoutcheck/llvm/code_proof/prove_code.h"

namespace layoutcheck {
namespace {

// Returns the verdict on the question whether f(N), or f(N, X) is equal to the formula for N and X in [0, 10000), with
// the counterexample or the reason.
std::string AskedText(const std::string& source, const std::string& formula, const std::string& arguments = "N",
                      const std::string& level = "-O0") {
  const TemporaryDirectory directory;
  CodeRequest request{.formula = formula, .assumptions = {"0 <= N && N < 10000"}, .arguments = arguments};
  if (arguments.contains('X')) request.assumptions.emplace_back("0 <= X && X < 10000");
  request.file = directory.path() + "/f.c";
  request.function = "f";
  request.compile.flags = {level};
  std::ofstream(request.file) << source;
  const auto proof = ProveCode(request);
  if (!proof) return proof.error().ToString();
  std::string text = ProofVerdictName(proof->result.verdict);
  for (const auto& [name, value] : proof->result.counterexample) StrAppend(text, " ", name, "=", value);
  return StrCat(text, proof->result.reason.empty() ? "" : ": ", proof->result.reason);
}

std::string Verdict(const std::string& source, const std::string& formula, const std::string& arguments = "N",
                    const std::string& level = "-O0") {
  const std::string text = AskedText(source, formula, arguments, level);
  return text.substr(0, text.find_first_of(" :"));
}

struct LoopExample {
  std::string body;     // of f, which has the parameter n
  std::string formula;  // the value
};

const LoopExample kFollowed[] = {
    {"int s = 0; for (int k = 0; k < n; ++k) s += 3; return s;", "3*N"},
    {"int s = 0; for (int k = 0; k <= n; ++k) s += 3; return s;", "3*N+3"},
    {"int s = 0; for (int k = n; k > 0; --k) s += 3; return s;", "3*N"},
    {"int s = 0; for (int k = n; k >= 0; k -= 2) s += 3; return s;", "3*(N/2+1)"},
    {"int s = 0; for (int k = 0; k != n; ++k) s += 3; return s;", "3*N"},
    {"int s = 0; for (int k = 3; k < n; k += 5) s += 2; return s;", "2*max((N+1)/5,0)"},
    {"int s = 1, k = 0; do { s += 2; } while (++k < n); return s;", "1+2*max(N,1)"},
    {"unsigned s = 0; for (unsigned k = 0; k < (unsigned)n; k += 4) ++s; return (int)s;", "(N+3)/4"},
    {"int s = 0; for (int k = 0; k < n; ++k) s += k; return s;", "N*(N-1)/2"},
    {"int s = 0; for (int k = 0; k < n; ++k) { int t = k % 7; if (t < 0) break; s += 5; } return s;", "5*N"},
    {"int s = 0; for (int k = 0; k < n; ++k) for (int l = 0; l < n; ++l) s += 2; return s;", "2*N*N"},
    {"int s = 0; for (int k = 0; k < n; ++k) for (int l = 0; l < k; ++l) ++s; return s;", "N*(N-1)/2"},
    {"int t[3] = {0, 1, 2}; for (int k = 0; k < n; ++k) t[1] += 4; return t[0] + t[1] + t[2];", "3+4*N"},
};

std::string Function(const std::string& body) { return StrCat("int f(int n) {\n", body, "\n}\n"); }

TEST(CodeLoops, Followed) {
  for (size_t k = 0; k < std::size(kFollowed); k += EveryNth(3, 7)) {
    const LoopExample& example = kFollowed[k];
    for (const char* level : {"-O0", "-O1", "-O2"}) {
      EXPECT_EQ(AskedText(Function(example.body), example.formula, "N", level), "proved") << example.body << level;
      EXPECT_EQ(Verdict(Function(example.body), StrCat("(", example.formula, ")+(N==21)"), "N", level), "refuted")
          << example.body << level;
    }
  }
}

// Wrong, or not known, although two iterations or more agree with the formula.
const LoopExample kNotProved[] = {
    {"int s = 0; for (int k = 0; k < n; ++k) s += k == 5000 ? 4 : 3; return s;", "3*N"},
    {"int s = 0; for (int k = 0; k < n; ++k) { if (k == 40) break; s += 3; } return s;", "3*N"},
    {"int s = 0; for (int k = 0; k < n; ++k) s += k * k; return s;", "N*(N-1)/2"},
    {"int s = 0; for (int k = 0; k < n; ++k) s += k / 3; return s;", "0*N"},
    {"int a = 0, b = 1; for (int k = 0; k < n; ++k) { int t = a; a = b; b = t; } return a;", "N"},
    {"int s = 1; for (int k = 0; k < n; ++k) s *= 1 + (k > 100); return s;", "1+0*N"},
    {"int t[64] = {0}; int s = 0; for (int k = 0; k < n; ++k) s += t[k]; return s;", "0*N"},
    {"int t[64] = {0}; for (int k = 0; k < n; ++k) t[k] = 1; return t[50];", "0*N"},
    {"int s = 0; for (int k = 0; k < n; ++k) s += 1000000; return s;", "1000000*N"},
    {"signed char s = 0; for (int k = 0; k < n; ++k) ++s; return s;", "N"},
    {"int s = 0; for (unsigned char k = 0; k < n; ++k) ++s; return s;", "N"},
    {"int s = 0; for (int k = 0; k < n; ++k) s += 100 / (200 - k); return s;", "0*N"},
    {"int s = 0; for (int k = 0; k < n; k += 3) if (k + 3 > 5000) s = 1; return s;", "0*N"},
    {"int s = 0; int *p = &s, x = 0; for (int k = 0; k < n; ++k) { *p += 1; if (k == 60) p = &x; } return s;", "N"},
};

TEST(CodeLoops, NotProvedByTwoIterations) {
  for (size_t k = 0; k < std::size(kNotProved); k += EveryNth(5, 7)) {
    const LoopExample& example = kNotProved[k];
    for (const char* level : {"-O0", "-O1"}) {
      const std::string verdict = Verdict(Function(example.body), example.formula, "N", level);
      EXPECT_TRUE(verdict == "refuted" || verdict == "unknown") << verdict << " " << example.body << level;
    }
  }
}

// The loop ends at the first of two tests.
TEST(CodeLoops, TwoExits) {
  const std::string source =
      "int f(int n, int x) {\n  for (int k = 0; k < n; ++k) if (k == x) return k;\n  return -1;\n}\n";
  EXPECT_EQ(AskedText(source, "X < N ? X : -1", "N,X"), "proved");
  EXPECT_EQ(Verdict(source, "X <= N ? X : -1", "N,X"), "refuted");
}

// Where variables end between the test and the end of the loop, clang stores a number that says where to go on; && and
// || pass a constant on.
TEST(CodeLoops, TestsThatEndALoopAtADistance) {
  for (const auto& [body, formula] : std::vector<LoopExample>{
           {"int s = 0; for (int k = 0; k < 64; ++k) { int b = k * 8; if (n < b + 8) break; s = b + 8; } return s;",
            "min(N/8*8,512)"},
           {"for (int k = 0; k < 64; ++k) { int b = k * 8; if (n < b + 8) return b; } return 512;", "min(N/8*8,512)"},
           {"int k = 0; while (k < n && k < 100) ++k; return k;", "min(N,100)"},
           {"int k = 0; while (!(k >= n || k == 100)) ++k; return k;", "min(N,100)"},
           {"int k = 0; while (k < n && k != 77 && k < 100) ++k; return k;", "min(N,77)"},
           {"int k = 0; for (;;) { int b = k * 3; if (b >= n) break; int c = b; if (c == 300) break; ++k; } return k;",
            "min((N+2)/3,100)"},
       }) {
    EXPECT_EQ(AskedText(Function(body), formula), "proved") << body;
    EXPECT_EQ(Verdict(Function(body), StrCat("(", formula, ")+(N==60)")), "refuted") << body;
  }
}

// An iteration overflows under a condition of its own, not wherever there is such an iteration.
TEST(CodeLoops, TheFormulaHasNoValueWhereAnIterationOverflows) {
  const TemporaryDirectory directory;
  CodeRequest request{.assumptions = {"0 <= N"}, .arguments = "N"};
  request.file = directory.path() + "/f.c";
  request.function = "f";
  std::ofstream(request.file) << Function("int s = 0; for (int k = 0; k < n; ++k) s += n; return s;");
  const auto emitted = EmitCodeFormula(request);
  ASSERT_TRUE(emitted.has_value());
  EXPECT_TRUE(emitted->function.text.contains("N * N")) << emitted->function.text;
  EXPECT_FALSE(emitted->function.no_value.empty());
  for (const auto& [where, reason] : emitted->function.no_value) {
    EXPECT_TRUE(where.contains("2147483648 <= ")) << where;
  }
}

TEST(CodeLoops, TheReasonNamesTheLoopAndTheVariable) {
  const std::string text = AskedText(
      "int f(int n) {\n  int s = 0;\n  for (int k = 0; k < n; ++k)\n    s += k == 5000 ? 4 : 3;\n  return s;\n}\n",
      "3*N");
  EXPECT_EQ(text.substr(0, 7), "unknown") << text;
  EXPECT_NE(text.find("f.c:3 changes s by"), std::string::npos) << text;
}

}  // namespace
}  // namespace layoutcheck
