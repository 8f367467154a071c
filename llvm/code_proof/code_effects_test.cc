// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Code whose memory changes in ways that are easily overlooked. Each function would be proved to return n if the change
// was.
#include <gtest/gtest.h>
#include <fstream>
#include <string>
#include <vector>
#include "layoutcheck/core/base/str_cat.h"
#include "layoutcheck/core/process/temporary_directory.h"
#include "layoutcheck/llvm/code_proof/prove_code.h"

namespace layoutcheck {
namespace {

struct EffectExample {
  std::string name;
  std::string source;  // of the function f, whose result is asked to be n
  ProofVerdict verdict = ProofVerdict::kRefuted;
  std::string text;  // a part of the reason why it is unknown or has no value
  std::string arguments = "n";
  std::string result = {};
  std::vector<std::string> flags = {};
};

void PrintTo(const EffectExample& example, std::ostream* out) { *out << example.name; }

Expected<CodeProof> Prove(const EffectExample& example) {
  const TemporaryDirectory directory;
  const CodeRequest request{.formula = "n",
                            .assumptions = {"n <= 100"},
                            .file = directory.path() + "/f.c",
                            .function = "f",
                            .arguments = example.arguments,
                            .result = example.result,
                            .compile = {.flags = example.flags}};
  std::ofstream(request.file) << "#include <string.h>\n#include <stdint.h>\n" << example.source;
  return ProveCode(request);
}

const EffectExample kEffectExamples[] = {
    {"AtomicAdd", "int f(int n) { int x = n; __atomic_fetch_add(&x, 1, __ATOMIC_RELAXED); return x; }",
     ProofVerdict::kUnknown, "an atomic operation"},
    {"CompareAndSwap", "int f(int n) { int x = n, e = n; __atomic_compare_exchange_n(&x, &e, 7, 0, 0, 0); return x; }",
     ProofVerdict::kUnknown, "an atomic operation"},
    {"WrittenByFloatingPointFunction",
     "double frexp(double, int*); int f(int n) { int e = n; double d = frexp(8.0, &e); return e; }",
     ProofVerdict::kUnknown, "a call of frexp, which has no body here"},
    {"WrittenByFunctionOfUnknown",
     "void set(float, int*); float g; int f(int n) { int e = n; set(g * 2, &e); return e; }", ProofVerdict::kUnknown,
     "a call of set, which has no body here"},
    {"FunctionThatMayBeReplaced", "__attribute__((weak)) int g(int n) { return n; } int f(int n) { return g(n); }",
     ProofVerdict::kUnknown, "in whose place another may be linked"},
    {"ConstantThatMayBeReplaced",
     "__attribute__((weak)) extern const int k; __attribute__((weak)) const int k = 0; int f(int n) { return n + k; }",
     ProofVerdict::kUnknown, "k, which may change"},
    // The machine still finds the expected value there, and no trap of clang says otherwise.
    {"LocalOfEndedFunction",
     "static int *g(int n) { int x = n; int *p = &x; return p; } int f(int n) { return *g(n); }",
     ProofVerdict::kUnknown, "x is read after it has ended"},
    {"LocalOfEndedBlock", "int f(int n) { int *p; { int x = n; p = &x; } return *p; }", ProofVerdict::kUnknown,
     "x is read after it has ended"},
    {"WriteToEndedBlock", "int f(int n) { int *p; { int x; p = &x; } *p = 1; return n; }", ProofVerdict::kUnknown,
     "a write to x, which has ended"},
    {"LocalOfLastIteration",
     "int f(int n) { int s = 0; for (int k = 0; k < 2; ++k) { int x; if (k == 0) x = n; s = x; } return s; }",
     ProofVerdict::kRefuted, "x is read before it is written"},
    {"FillOfMinusOne", "int f(int n) { char a[8]; memset(a, 0, (size_t)-1); return n; }", ProofVerdict::kRefuted,
     "a write of 2^63 bytes or more"},
    {"CopyOfMinusOne", "int f(int n) { char a[8], b[8] = {0}; memcpy(a, b, (size_t)-1); return n; }",
     ProofVerdict::kRefuted, "a write of 2^63 bytes or more"},
    {"WriteToConstant", "static const int k[2] = {1, 2}; int f(int n) { ((int *)k)[0] = n; return n; }",
     ProofVerdict::kRefuted, "a write to the constant k"},
    {"FillOfConstant", "static const int k[2] = {1, 2}; int f(int n) { memset((void *)k, 0, 4); return n; }",
     ProofVerdict::kRefuted, "a write to the constant k"},
    {"ResultInHalves", "void f(int n, int64_t *out) { ((int32_t *)out)[0] = n; ((int32_t *)out)[1] = 1; }",
     ProofVerdict::kRefuted, "", "n,out", "out[0]"},
    {"ResultInHalvesIsWhole", "void f(unsigned n, int64_t *out) { ((int32_t *)out)[0] = n; ((int32_t *)out)[1] = 0; }",
     ProofVerdict::kProved, "", "n,out", "out[0]"},
    {"CopyOfUnknown", "struct S { int a; }; int f(int n, const struct S *s) { struct S t = *s; return n + t.a; }",
     ProofVerdict::kUnknown, "what s points to", "n,_"},
    {"FloatInSecondHalf",
     "union U { int64_t l; float f[2]; }; int f(int n) { union U u; u.l = n; return (int)u.f[1] * 0 + n; }",
     ProofVerdict::kUnknown, "the bytes of u"},
    {"PointerOfTwoIntegers",
     "int f(int n) { int s[2] = {n, 0}; char *p; memcpy(&p, s, 8); return p == 0 ? n : (int)(intptr_t)p; }",
     ProofVerdict::kUnknown, "a number that is read as a pointer"},
    {"EmptyStruct", "int f(int n) { struct {} e[3], d = e[n & 1]; (void)d; return n; }", ProofVerdict::kProved, ""},
    {"BlockThatIsEnteredAgain",
     "int f(int n) { int s = 0; for (int k = 0; k < 3; ++k) { int x = k; s += x; } return n + s - 3; }",
     ProofVerdict::kProved, ""},
    // Clang takes an amount of 64 bits modulo 2^32 before there is code; its own check of the source sees it.
    {"AmountThatClangShortens", "unsigned f(unsigned n) { int64_t a = (int64_t)1 << 41; return n << a; }",
     ProofVerdict::kProved, ""},
    {"AmountThatClangChecks",
     "unsigned f(unsigned n) { int64_t a = (int64_t)1 << 41; return n << a; }",
     ProofVerdict::kRefuted,
     "a shift that is not defined at ",
     "n",
     "",
     {"-fsanitize=shift", "-fsanitize-trap=shift"}},
    {"IndexOutsideOfRow", "static const int t[2][2] = {{0, 0}}; int f(int n) { return n + t[0][n % 4]; }",
     ProofVerdict::kRefuted, "an index outside of its array at"},
    {"BitFieldsOfNewStruct",
     "int f(int n) { struct { unsigned a : 7, b : 25; } s; s.a = n; s.b = n >> 7; return s.b << 7 | s.a; }",
     ProofVerdict::kProved, ""},
    {"BitFieldsThatAreTooNarrow",
     "int f(int n) { struct { unsigned a : 7, b : 24; } s; s.a = n; s.b = n >> 7; return s.b << 7 | s.a; }",
     ProofVerdict::kRefuted, ""},
    {"BitFieldThatIsNotWritten",
     "int f(int n) { struct { unsigned a : 7, b : 25; } s; s.a = n; return (int)(s.b & 0) + (int)s.b + n; }",
     ProofVerdict::kRefuted, "s is read before it is written"},
    {"BitFieldNextToOneThatIsNotWritten", "int f(int n) { struct { int a : 3, b : 29; } s; s.b = n; return s.b; }",
     ProofVerdict::kRefuted, ""},
    {"BitFieldOfSmallNumbers",
     "int f(int n) { struct { int a : 3, b : 12; } s; s.b = n % 2048; return s.b + n / 2048 * 2048; }",
     ProofVerdict::kProved, ""},
    {"BitFieldsOfCopies",
     "struct S { unsigned a : 4, b : 30; }; int f(int n) { struct S s, t; s.b = n & 255; t = s; struct S u = t; return "
     "(int)u.b + (n & ~255); }",
     ProofVerdict::kProved, ""},
    {"BitFieldOfACopyThatIsNotWritten",
     "struct S { unsigned a : 4, b : 30; }; int f(int n) { struct S s, t; s.b = n; t = s; return (int)t.a + n; }",
     ProofVerdict::kRefuted, "is read before it is written"},
    {"BitsOfAnIntegerThatIsNotWritten",
     "int f(int n) { int x; x = (x & ~255) | (n & 255); return (x & 255) | (n & ~255); }", ProofVerdict::kUnknown,
     "bits of a unit of bit-fields of which some may not be written, at"},
    {"EndAndBeginOfArrays", "int f(int n) { int a[2], b[2]; return &a[2] == &b[0] ? 0 : n; }", ProofVerdict::kUnknown,
     "a comparison of pointers at"},
    {"ElementsOfTwoArrays", "int f(int n) { int a[2], b[2]; return &a[1] == &b[0] ? 0 : n; }", ProofVerdict::kProved,
     ""},
    {"BytesThatNeedNotBeAligned", "int f(int n) { char b[8]; memcpy(b, &n, 4); return *(int *)(b + 0); }",
     ProofVerdict::kUnknown, "which need not be a multiple of 4 bytes, at"},
    {"RemaindersOfRemainders",
     "unsigned f(unsigned n, unsigned m) { unsigned a = n, b = m; while (b) { unsigned t = a % b; a = b; b = t; } "
     "return n + a - a; }",
     ProofVerdict::kUnknown, "", "n,m"},
    {"FloatingPoint", "double ceil(double); int f(int n) { return (int)ceil(n / 2.0); }", ProofVerdict::kUnknown,
     "depends on floating point"},
    {"BitsOfAnyNumber", "int f(int n, int m) { return __builtin_bswap32(__builtin_bswap32(m)) - m + n; }",
     ProofVerdict::kUnknown, "an integer that takes many values is converted to a built-in type at ", "n,m"},
};

class CodeEffects : public testing::TestWithParam<EffectExample> {};

TEST_P(CodeEffects, AreNotOverlooked) {
  const auto proof = Prove(GetParam());
  ASSERT_TRUE(proof.has_value()) << proof.error().ToString();
  const ProofResult& result = proof->result;
  std::string why = result.reason;
  for (const auto& [side, reason] : result.without_value) StrAppend(why, " ", reason);
  EXPECT_EQ(result.verdict, GetParam().verdict) << why;
  EXPECT_NE(why.find(GetParam().text), std::string::npos) << why;
}

INSTANTIATE_TEST_SUITE_P(Examples, CodeEffects, testing::ValuesIn(kEffectExamples),
                         [](const auto& test) { return test.param.name; });

}  // namespace
}  // namespace layoutcheck
