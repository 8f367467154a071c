// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Types of arguments and results: what is known without debug information, and questions that do not fit.
#include <gtest/gtest.h>
#include <fstream>
#include <string>
#include <vector>
#include "layoutcheck/core/base/str_cat.h"
#include "layoutcheck/core/process/temporary_directory.h"
#include "layoutcheck/llvm/code_proof/prove_code.h"

namespace layoutcheck {
namespace {

struct TypeExample {
  std::string name;
  std::string source;  // of the function f
  std::string ending;
  std::string arguments;
  std::string formula;
  std::string verdict;  // or a part of the error's message
  std::vector<std::string> assumptions = {};
};

void PrintTo(const TypeExample& example, std::ostream* out) { *out << example.name; }

std::string Verdict(const TypeExample& example) {
  const TemporaryDirectory directory;
  const CodeRequest request{.formula = example.formula,
                            .assumptions = example.assumptions,
                            .file = StrCat(directory.path(), "/f", example.ending),
                            .function = "f",
                            .arguments = example.arguments,
                            .result = {}};
  std::ofstream(request.file) << example.source;
  const auto proof = ProveCode(request);
  return proof ? ProofVerdictName(proof->result.verdict) : proof.error().message;
}

// Returns a function that returns element `number` of integers of so many bits.
std::string ElementOf(int bits, int number) {
  const std::string type = StrCat("i", bits);
  const std::string load =
      StrCat("%p = getelementptr ", type, ", ptr %s, i64 ", number, "\n%v = load ", type, ", ptr %p\n");
  const std::string end = bits == 64 ? "ret i64 %v" : StrCat("%r = sext ", type, " %v to i64\nret i64 %r");
  return StrCat("define i64 @f(ptr %s) {\n", load, end, "\n}\n");
}

constexpr const char* kSum = "define i32 @f(i32 %r, i32 %n) {\n%x = mul i32 %r, %n\nret i32 %x\n}\n";

const TypeExample kTypeExamples[] = {
    {"ElementsOf64Bits", ElementOf(64, 1), ".ll", "[A,B]", "B", "proved", {"B < 1000000"}},
    {"OtherElementOf64Bits", ElementOf(64, 1), ".ll", "[A,B]", "A", "refuted"},
    {"ElementsOf16Bits", ElementOf(16, 1), ".ll", "[A,B]", "B", "proved"},
    {"OtherElementOf16Bits", ElementOf(16, 0), ".ll", "[A,B]", "B", "refuted"},
    {"ElementsOfTwoWidths", "define i32 @f(ptr %s) {\n%a = load i32, ptr %s\n%b = load i8, ptr %s\nret i32 %a\n}\n",
     ".ll", "[A,B]", "A", "the type of the elements is not known"},
    {"ElementsThatEscape", "declare i32 @g(ptr)\ndefine i32 @f(ptr %s) {\n%a = call i32 @g(ptr %s)\nret i32 %a\n}\n",
     ".ll", "[A,B]", "A", "the type of the elements is not known"},
    {"ElementsInVariable",
     "define i64 @f(ptr %s) {\n%v = alloca ptr\nstore ptr %s, ptr %v\n%p = load ptr, ptr %v\n%q = getelementptr i64, "
     "ptr %p, i64 1\n%a = load i64, ptr %q\nret i64 %a\n}\n",
     ".ll",
     "[A,B]",
     "B",
     "proved",
     {"B < 1000000"}},
    {"PointersToPointers", "int f(const int *const *s) { return *s[0]; }", ".c", "[A]", "A", "it points to '"},
    {"FloatingPointElements", "int f(const float *s) { return (int)s[0]; }", ".c", "[A]", "A", "it points to 'float'"},
    {"UnsignedOrSignedResult", kSum, ".ll", "r,n", "r*n mod 4294967296", "proved"},
    {"SignedOrUnsignedResult", "define i32 @f(i32 %n) {\n%x = sub nsw i32 0, %n\nret i32 %x\n}\n", ".ll", "n", "-n",
     "proved"},
    {"NeitherSignedNorUnsignedResult", kSum, ".ll", "r,n", "r*n", "refuted"},
    {"NumberAboveBytes", "int f(unsigned char n) { return n; }", ".c", "300", "300",
     "300 does not fit its type, whose values are 0 to 255"},
    {"LargestByte", "int f(unsigned char n) { return n; }", ".c", "255", "255", "proved"},
    {"NumberAboveInt", "long f(int n) { return n; }", ".c", "2147483648", "2147483648", "2147483648 does not fit"},
    {"NegativeNumberInArray", "long f(const unsigned *n) { return n[0]; }", ".c", "[-1]", "1", "-1 does not fit"},
};

class CodeTypes : public testing::TestWithParam<TypeExample> {};

TEST_P(CodeTypes, AreKnownOrAskedFor) {
  const std::string verdict = Verdict(GetParam());
  EXPECT_NE(verdict.find(GetParam().verdict), std::string::npos) << verdict;
}

INSTANTIATE_TEST_SUITE_P(Examples, CodeTypes, testing::ValuesIn(kTypeExamples),
                         [](const auto& test) { return test.param.name; });

// Returns the ranges of the names and the verdict.
std::string Ranges(const std::string& source, const std::string& ending, const std::string& arguments,
                   const std::string& formula, std::vector<std::string> signed_names = {}) {
  const TemporaryDirectory directory;
  CodeRequest request{.formula = formula, .signed_names = std::move(signed_names)};
  request.file = StrCat(directory.path(), "/f", ending);
  request.function = "f";
  request.arguments = arguments;
  std::ofstream(request.file) << source;
  const auto proof = ProveCode(request);
  if (!proof) return proof.error().message;
  return StrCat(ForAllText(proof->result.for_all, proof->result.ranges), ": ", ProofVerdictName(proof->result.verdict));
}

TEST(CodeTypes, NamesRangeOverTheirTypes) {
  EXPECT_EQ(Ranges("int f(signed char a, unsigned short b, _Bool c) { return a + b; }", ".c", "A,B,C", "A+B"),
            "for every int8 A, every uint16 B, every C from 0 to 1 and every index: proved");
  EXPECT_EQ(Ranges("long f(long a, unsigned long b) { return a; }", ".c", "A,B", "A"),
            "for every int64 A, every uint64 B and every index: proved");
  EXPECT_EQ(Ranges("int f(int i, int n, int u) { return i; }", ".c", "i0,d0,_", "i0"),
            "for all d0 >= 0, every int32 _3 and every index: proved");
  EXPECT_EQ(Ranges("int f(int a, unsigned char b) { return a; }", ".c", "A,A", "A"),
            "for every uint8 A and every index: proved");
  EXPECT_EQ(Ranges("int f(int a, unsigned b) { return a; }", ".c", "A,A", "A"),
            "for every A from 0 to 2147483647 and every index: proved");
  EXPECT_EQ(Ranges("int f(unsigned a) { return (int)a; }", ".c", "A", "A", {"A"}),
            "--signed: expected a name in --args that is no size, no index and not unsigned, found 'A'");
}

// Without debug information the sign of an integer is not known: only values that both types have are asked.
TEST(CodeTypes, TheSignMayBeOpen) {
  const std::string source = "define i32 @f(i32 %n) {\n%r = sdiv i32 %n, 4\nret i32 %r\n}\n";
  EXPECT_EQ(Ranges(source, ".ll", "N", "N floordiv 4"), "for every N from 0 to 2147483647 and every index: proved");
  EXPECT_EQ(Ranges(source, ".ll", "N", "N floordiv 4", {"N"}), "for every int32 N and every index: refuted");
  EXPECT_EQ(Ranges(source, ".ll", "N", "N / 4", {"N"}), "for every int32 N and every index: proved");
}

}  // namespace
}  // namespace layoutcheck
