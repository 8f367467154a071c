// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gtest/gtest.h>
#include <fstream>
#include <string>
#include "layoutcheck/core/base/str_cat.h"
#include "layoutcheck/core/process/temporary_directory.h"
#include "layoutcheck/llvm/code_proof/code_question.h"
#include "layoutcheck/solver/formula_proof/formula_point.h"

namespace layoutcheck {
namespace {

struct FormulaExample {
  std::string source;  // of the function f
  std::string arguments;
  std::string formula;  // the text that is printed
  std::string layout = {};
  std::vector<std::string> no_value = {};  // the conditions
  std::string proved_where = {};           // a condition under which the text is proved; empty for none
};

const FormulaExample kFormulaExamples[] = {
    {"int f(int i, int j, int n) { return i * n + j; }", "i0,i1,N", "i0 * N + i1", "f32[M,N]{1,0}"},
    {"int f(int i, int j, int n) { return i * n + j; }",
     "i0,i1,N",
     "i0 * N + i1",
     "",
     {"2147483648 <= i0 * N + i1", "i0 * N < -2147483648", "2147483648 <= i0 * N"}},
    {"unsigned f(unsigned i, unsigned j, unsigned n) { return i * n + j; }",
     "i0,i1,N",
     "uint32(i0 * N + i1)",
     "",
     {},
     "i0 < 65536 && N < 65536 && i1 < 65536"},
    {"unsigned long f(unsigned long i, unsigned long j, unsigned long n) { return i * n + j; }",
     "i0,i1,N",
     "uint64(i0 * N + i1)",
     "",
     {},
     "i0 < 4294967296 && N < 4294967296 && i1 < 65536"},
    {"int f(int i, int j, int n) { int t = (n + 127) / 128; return (i / 8 * t + j / 128) * 1024 + i % 8 * 128 + j % "
     "128; }",
     "i0,i1,N", "(i0 floordiv 8 * (N ceildiv 128) + i1 floordiv 128) * 1024 + i0 mod 8 * 128 + i1 mod 128",
     "f32[M,N]{1,0:T(8,128)}"},
    {"int f(int i, int n) { return i >= n ? i - n : i; }",
     "i,N",
     "N <= i ? i - N : i",
     "",
     {"N <= i && 2147483648 <= i - N"}},
    {"int f(int i, int n) { return i < n ? i : n; }", "i,N", "min(i, N)"},
    {"int f(int i, int n) { return i < n ? n : i; }", "i,N", "max(i, N)"},
    {"int f(int i, int j) { return i & j; }", "i,j", "i & j"},
    {"short f(int i) { return (short)(i + 0); }", "i", "(i + 32768) mod 65536 - 32768"},
    {"int f(int i) { static const int t[4] = {3, 1, 2, 0}; return t[i & 3]; }", "i",
     "i mod 4 * 4 <= 4 ? i mod 4 * 4 <= 0 ? 3 : 1 : i mod 4 * 4 <= 8 ? 2 : 0"},
    {"int f(int i, int j) { return i / (j - 5); }",
     "i,j",
     "j - 5 < 0 ? j - 5 < -1 ? 0 <= i ? -(i floordiv -(j - 5)) : int32(-i floordiv -(j - 5)) : -i : 0 <= i ? i "
     "floordiv "
     "(j - 5) : int32(-(-i floordiv (j - 5)))",
     "",
     {"j - 5 < 0 && -1 <= j - 5 && i <= -2147483648", "0 <= j - 5 && j - 5 <= 0", "j - 5 < -2147483648"}},
    {"void f(int i, int *out) { out[0] = i; out[1] = i / 2; }", "i,out", "0 <= i ? i floordiv 2 : -(-i floordiv 2)"},
};

class EmitFormula : public testing::TestWithParam<FormulaExample> {
 protected:
  EmitFormula() {
    request_.file = directory_.path() + "/f.c";
    request_.function = "f";
    request_.layout = GetParam().layout;
    request_.arguments = GetParam().arguments;
    if (request_.arguments.ends_with("out")) request_.result = "out[1]";
    std::ofstream(request_.file) << GetParam().source;
  }

  TemporaryDirectory directory_;
  CodeRequest request_;
};

TEST_P(EmitFormula, PrintsTheFormula) {
  const auto emitted = EmitCodeFormula(request_);
  ASSERT_TRUE(emitted.has_value()) << emitted.error().ToString();
  EXPECT_EQ(emitted->function.text, GetParam().formula) << emitted->function.reason;
  std::vector<std::string> no_value;
  for (const auto& none : emitted->function.no_value) no_value.push_back(none.where);
  EXPECT_EQ(no_value, GetParam().no_value);
}

// The code is proved to have the value of the text, wherever it has one, and both have it at points.
TEST_P(EmitFormula, TheTextIsWhatTheCodeComputes) {
  request_.formula = GetParam().formula;
  for (const std::string& condition : GetParam().no_value) request_.assumptions.push_back(StrCat("!(", condition, ")"));
  if (!GetParam().proved_where.empty()) request_.assumptions.push_back(GetParam().proved_where);
  const auto proof = ProveCode(request_);
  ASSERT_TRUE(proof.has_value()) << proof.error().ToString();
  EXPECT_EQ(proof->result.verdict, ProofVerdict::kProved) << proof->result.reason;
  const auto code = LoadCode(request_);
  ASSERT_TRUE(code.has_value());
  const auto question = MakeCodeQuestion(*code, request_);
  ASSERT_TRUE(question.has_value());
  PointEvaluator evaluator(*question);
  int64_t points = 0;
  FormulaPoint point(question->variables.size());
  for (int64_t a = 0; a < 300; a += 7) {
    for (int64_t b = 0; b < 2000; b += 53) {
      for (size_t k = 0; k < point.size(); ++k) {
        const bool is_size = question->variables[k].kind != FormulaVariable::Kind::kIndex;
        point[k] = is_size ? 2000 + b : k % 2 == 0 ? a : b;
      }
      if (!evaluator.IsInDomain(point)) continue;
      ++points;
      EXPECT_TRUE(evaluator.Compare(point).Agrees()) << "point " << testing::PrintToString(point);
    }
  }
  EXPECT_GT(points, 100);
}

INSTANTIATE_TEST_SUITE_P(Examples, EmitFormula, testing::ValuesIn(kFormulaExamples));

TEST(EmitFormula, IsUnknownWhereTheCodeCannotBeFollowed) {
  const TemporaryDirectory directory;
  const std::string file = directory.path() + "/f.c";
  std::ofstream(file) << "int f(int i) { return (int)(i * 1.5); }\nint g(int i) { return i / 0; }";
  const auto of_floats = EmitCodeFormula({.file = file, .function = "f", .arguments = "i"});
  ASSERT_TRUE(of_floats.has_value());
  EXPECT_EQ(of_floats->function.text, "");
  EXPECT_NE(of_floats->function.reason.find("f.c:1"), std::string::npos) << of_floats->function.reason;
  const auto without_value = EmitCodeFormula({.file = file, .function = "g", .arguments = "i"});
  ASSERT_TRUE(without_value.has_value());
  EXPECT_EQ(without_value->function.text, "");
  EXPECT_EQ(without_value->function.reason.substr(0, 27), "it has no value anywhere: a");
}

}  // namespace
}  // namespace layoutcheck
