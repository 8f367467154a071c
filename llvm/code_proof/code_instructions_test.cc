// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Known answers of single instructions and intrinsics in LLVM text, and files that cannot be followed.
#include <gtest/gtest.h>
#include <fstream>
#include <string>
#include "layoutcheck/core/base/str_cat.h"
#include "layoutcheck/core/process/temporary_directory.h"
#include "layoutcheck/llvm/code_proof/prove_code.h"

namespace layoutcheck {
namespace {

Expected<CodeProof> Prove(const std::string& text, const std::string& formula) {
  const TemporaryDirectory directory;
  const CodeRequest request{
      .formula = formula, .file = directory.path() + "/f.ll", .function = "f", .arguments = "n", .result = {}};
  std::ofstream(request.file) << text;
  return ProveCode(request);
}

struct InstructionExample {
  const char* name;
  const char* body;     // of i32 @f(i32 %n)
  const char* formula;  // for all n >= 0
  ProofVerdict verdict = ProofVerdict::kProved;
};

void PrintTo(const InstructionExample& example, std::ostream* out) { *out << example.name; }

constexpr const char* kDeclarations = R"(
@table = constant [4 x i16] [i16 1, i16 -2, i16 3, i16 4]
declare i32 @llvm.cttz.i32(i32, i1)
declare i32 @llvm.ctlz.i32(i32, i1)
declare i8 @llvm.ctlz.i8(i8, i1)
declare i32 @llvm.fshl.i32(i32, i32, i32)
declare i32 @llvm.fshr.i32(i32, i32, i32)
declare i16 @llvm.bswap.i16(i16)
declare i8 @llvm.bitreverse.i8(i8)
declare i8 @llvm.abs.i8(i8, i1)
declare i8 @llvm.sadd.sat.i8(i8, i8)
declare i8 @llvm.usub.sat.i8(i8, i8)
declare {i8, i1} @llvm.uadd.with.overflow.i8(i8, i8)
declare {i8, i1} @llvm.sadd.with.overflow.i8(i8, i8)
declare {i64, i1} @llvm.umul.with.overflow.i64(i64, i64)
declare void @llvm.assume(i1)
)";

const InstructionExample kInstructionExamples[] = {
    {"TrailingZerosOfZero", "%r = call i32 @llvm.cttz.i32(i32 0, i1 false)\nret i32 %r", "32"},
    {"TrailingZerosOfZeroAsPoison", "%r = call i32 @llvm.cttz.i32(i32 0, i1 true)\nret i32 %r", "32",
     ProofVerdict::kRefuted},
    {"LeadingZerosOfZero", "%r = call i32 @llvm.ctlz.i32(i32 0, i1 false)\nret i32 %r", "32"},
    {"LeadingZerosOfByte", "%c = call i8 @llvm.ctlz.i8(i8 1, i1 true)\n%r = zext i8 %c to i32\nret i32 %r", "7"},
    {"FunnelByWidth", "%r = call i32 @llvm.fshl.i32(i32 %n, i32 5, i32 32)\nret i32 %r", "n"},
    {"FunnelByZeroToTheRight", "%r = call i32 @llvm.fshr.i32(i32 5, i32 %n, i32 0)\nret i32 %r", "n"},
    {"Funnel", "%r = call i32 @llvm.fshl.i32(i32 3, i32 -2147483648, i32 33)\nret i32 %r", "7"},
    {"FunnelToTheRight", "%r = call i32 @llvm.fshr.i32(i32 3, i32 16, i32 4)\nret i32 %r", "3 * 2**28 + 1"},
    {"SwapOf16Bits", "%s = call i16 @llvm.bswap.i16(i16 258)\n%r = zext i16 %s to i32\nret i32 %r", "513"},
    {"ReversedByte", "%s = call i8 @llvm.bitreverse.i8(i8 19)\n%r = zext i8 %s to i32\nret i32 %r", "200"},
    {"AbsoluteOfLeast", "%s = call i8 @llvm.abs.i8(i8 -128, i1 false)\n%r = sext i8 %s to i32\nret i32 %r", "0 - 128"},
    {"AbsoluteOfLeastAsPoison", "%s = call i8 @llvm.abs.i8(i8 -128, i1 true)\n%r = sext i8 %s to i32\nret i32 %r",
     "0 - 128", ProofVerdict::kRefuted},
    {"SaturatedSum", "%s = call i8 @llvm.sadd.sat.i8(i8 -100, i8 -100)\n%r = sext i8 %s to i32\nret i32 %r", "0 - 128"},
    {"SaturatedDifference", "%s = call i8 @llvm.usub.sat.i8(i8 3, i8 -1)\n%r = zext i8 %s to i32\nret i32 %r", "0"},
    {"CarryOfUnsignedSum",
     "%p = call {i8, i1} @llvm.uadd.with.overflow.i8(i8 -1, i8 1)\n%b = extractvalue {i8, i1} %p, 1\n"
     "%r = zext i1 %b to i32\nret i32 %r",
     "1"},
    {"NoOverflowOfSignedSum",
     "%p = call {i8, i1} @llvm.sadd.with.overflow.i8(i8 -1, i8 1)\n%b = extractvalue {i8, i1} %p, 1\n"
     "%r = zext i1 %b to i32\nret i32 %r",
     "0"},
    {"OverflowOfLargestProduct",
     "%p = call {i64, i1} @llvm.umul.with.overflow.i64(i64 -1, i64 -1)\n%b = extractvalue {i64, i1} %p, 1\n"
     "%l = extractvalue {i64, i1} %p, 0\n%t = trunc i64 %l to i32\n%z = zext i1 %b to i32\n%r = add i32 %t, %z\n"
     "ret i32 %r",
     "2", ProofVerdict::kUnknown},
    {"SignOfOneBit", "%r = sext i1 true to i32\nret i32 %r", "0 - 1"},
    {"ValueOfOneBit", "%r = zext i1 true to i32\nret i32 %r", "1"},
    {"NegativeIndex",
     "%p = getelementptr inbounds i16, ptr @table, i64 3\n%q = getelementptr inbounds i16, ptr %p, i64 -2\n"
     "%v = load i16, ptr %q\n%r = sext i16 %v to i32\nret i32 %r",
     "0 - 2"},
    {"NegativeIndexOutOfBounds",
     "%p = getelementptr inbounds i16, ptr @table, i64 -1\n%q = getelementptr inbounds i16, ptr %p, i64 1\n"
     "%v = load i16, ptr %q\n%r = sext i16 %v to i32\nret i32 %r",
     "1", ProofVerdict::kRefuted},
    {"NegativeIndexThatReturns",
     "%p = getelementptr i16, ptr @table, i64 -1\n%q = getelementptr i16, ptr %p, i64 1\n%v = load i16, ptr %q\n"
     "%r = sext i16 %v to i32\nret i32 %r",
     "1"},
    {"FrozenPoison", "%p = add nuw i32 -1, 1\n%f = freeze i32 %p\nret i32 %f", "0", ProofVerdict::kUnknown},
    {"PoisonNotChosen", "%p = add nuw i32 -1, 1\n%r = select i1 true, i32 %n, i32 %p\nret i32 %r", "n"},
    {"PoisonChosen", "%p = add nuw i32 -1, 1\n%r = select i1 false, i32 %n, i32 %p\nret i32 %r", "0",
     ProofVerdict::kRefuted},
    {"PoisonChooses", "%p = add nuw i1 true, true\n%r = select i1 %p, i32 %n, i32 %n\nret i32 %r", "n",
     ProofVerdict::kRefuted},
    {"SwitchDefault",
     "switch i32 %n, label %d [i32 1, label %a\ni32 -1, label %b]\na:\nret i32 10\nb:\nret i32 20\nd:\nret i32 30",
     "n == 1 ? 10 : 30"},
    {"BytesAcrossStores",
     "%m = alloca [8 x i8], align 4\nstore i32 67305985, ptr %m\n%p = getelementptr i8, ptr %m, i64 4\nstore i32 "
     "134678021, ptr "
     "%p\n"
     "%q = getelementptr i8, ptr %m, i64 3\nstore i8 -1, ptr %q\n%s = getelementptr i8, ptr %m, i64 2\n"
     "%r = load i32, ptr %s, align 1\nret i32 %r",
     "3 + 255 * 2**8 + 5 * 2**16 + 6 * 2**24"},
    {"UnusedBitsOfMemory",
     "%m = alloca i32\n%t = trunc i32 %n to i20\nstore i20 %t, ptr %m\n%v = load i8, ptr %m\n%r = zext i8 %v to i32\n"
     "ret i32 %r",
     "n mod 256", ProofVerdict::kUnknown},
    {"OddWidthInMemory",
     "%m = alloca i32\n%t = trunc i32 %n to i20\nstore i20 %t, ptr %m\n%v = load i20, ptr %m\n%r = zext i20 %v to i32\n"
     "ret i32 %r",
     "n mod 2**20"},
    {"FalseAssumption", "%c = icmp ult i32 %n, 5\ncall void @llvm.assume(i1 %c)\nret i32 %n", "n",
     ProofVerdict::kRefuted},
    {"VectorWithPoison",
     "%v = insertelement <2 x i32> poison, i32 %n, i32 0\n%r = extractelement <2 x i32> %v, i32 0\nret i32 %r", "n"},
    {"PartOfAVectorThatIsNeverSet",
     "%v = insertelement <2 x i32> poison, i32 %n, i32 0\n%r = extractelement <2 x i32> %v, i32 1\nret i32 %r", "n",
     ProofVerdict::kUnknown},
    {"PartsOfTwoVectors",
     "%v = insertelement <2 x i32> poison, i32 %n, i32 0\n%w = insertelement <2 x i32> poison, i32 7, i32 1\n"
     "%x = shufflevector <2 x i32> %v, <2 x i32> %w, <2 x i32> <i32 3, i32 0>\n"
     "%a = extractelement <2 x i32> %x, i32 0\n%b = extractelement <2 x i32> %x, i32 1\n%r = and i32 %a, %b\n"
     "ret i32 %r",
     "n mod 8"},
    {"SumOfVectors",
     "%v = insertelement <2 x i32> poison, i32 %n, i32 0\n%w = add <2 x i32> %v, %v\n"
     "%r = extractelement <2 x i32> %w, i32 0\nret i32 %r",
     "n", ProofVerdict::kUnknown},
    {"HugeLocal", "%a = alloca [1099511627776 x i8]\nstore [1099511627776 x i8] zeroinitializer, ptr %a\nret i32 %n",
     "n", ProofVerdict::kUnknown},
    {"SizeThatOverflows", "%a = alloca [4611686018427387904 x i64]\nstore i64 1, ptr %a\nret i32 %n", "n",
     ProofVerdict::kUnknown},
    {"NothingAtSymbol",
     "%a = alloca [8 x i32]\n%e = zext i32 %n to i64\n%p = getelementptr i32, ptr %a, i64 %e\n%w = load {}, ptr %p\n"
     "store {} %w, ptr %p\nret i32 %n",
     "n"},
    {"WideInteger", "%x = zext i32 %n to i65\n%y = mul i65 %x, %x\n%r = trunc i65 %y to i32\nret i32 %r", "n",
     ProofVerdict::kUnknown},
};

class CodeInstructions : public testing::TestWithParam<InstructionExample> {};

TEST_P(CodeInstructions, HaveTheirKnownValues) {
  std::string formula = GetParam().formula;
  for (size_t at = formula.find("2**"); at != std::string::npos; at = formula.find("2**")) {
    const size_t end = formula.find_first_not_of("0123456789", at + 3);
    const int exponent = std::stoi(formula.substr(at + 3, end - at - 3));
    formula.replace(at, std::min(end, formula.size()) - at, std::to_string(int64_t{1} << exponent));
  }
  const auto proof = Prove(StrCat(kDeclarations, "define i32 @f(i32 %n) {\n", GetParam().body, "\n}\n"), formula);
  ASSERT_TRUE(proof.has_value()) << proof.error().ToString();
  const ProofResult& result = proof->result;
  std::string why = StrCat(result.reason, result.disagreement);
  for (const auto& [side, reason] : result.without_value) StrAppend(why, " ", reason);
  EXPECT_EQ(result.verdict, GetParam().verdict) << why;
}

INSTANTIATE_TEST_SUITE_P(Examples, CodeInstructions, testing::ValuesIn(kInstructionExamples),
                         [](const auto& test) { return std::string(test.param.name); });

TEST(CodeFiles, ThatAreBrokenAreRejected) {
  const auto use_before =
      Prove("define i32 @f(i32 %n) {\n%a = add i32 %b, 1\n%b = add i32 %n, 1\nret i32 %a\n}\n", "n");
  ASSERT_FALSE(use_before.has_value());
  EXPECT_NE(use_before.error().message.find("does not dominate all uses"), std::string::npos);
  const auto big_endian = Prove("target datalayout = \"E-i64:64\"\ndefine i32 @f(i32 %n) {\nret i32 %n\n}\n", "n");
  ASSERT_FALSE(big_endian.has_value());
  EXPECT_NE(big_endian.error().message.find("is big-endian"), std::string::npos);
}

}  // namespace
}  // namespace layoutcheck
