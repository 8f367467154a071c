// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/verify/formulas/strided.h"
#include <gtest/gtest.h>
#include <array>
#include <string>
#include <vector>
#include "layoutcheck/core/base/str_cat.h"
#include "layoutcheck/verify/verify_certificate.h"

namespace layoutcheck::verify {
namespace {

TEST(Strided, TheOffsetIsTheSumOfDigitsTimesStrides) {
  for (const auto& [text, over, offset, size] : std::vector<std::array<std::string, 4>>{
           {"(M,N):(N,1)", "i0 < M, i1 < N", "i0 * (N) + i1", "M * N"},
           {"((8,M),N):((N,8*N),1)", "i0 < 8 * M, i1 < N", "(i0 mod (8)) * (N) + (i0 floordiv (8)) * (8*N) + i1",
            "8 * M * N"},
           {"((M,2,K),3):((1,0,M),K+1)", "i0 < 2 * M * K, i1 < 3",
            "(i0 mod (M)) + (i0 floordiv (2 * M)) * (M) + i1 * (K+1)", "6 * M * K"},
           {"( (_4, (2,3)), M+1 ) : ( (0, (1,-2)), 5 )", "i0 < 24, i1 < (M+1)",
            "((i0 floordiv (4)) mod (2)) + (i0 floordiv (8)) * (-2) + i1 * (5)", "24 * (M+1)"},
           {"(M):(0)", "i0 < M", "0", "M"},
           {"4:1", "i0 < 4", "i0", "4"},
       }) {
    const auto layout = ReadStrided(text);
    ASSERT_TRUE(layout.has_value()) << text << ": " << layout.error();
    EXPECT_EQ(layout->over, over) << text;
    EXPECT_EQ(layout->offset, offset) << text;
    EXPECT_EQ(layout->size, size) << text;
  }
}

TEST(Strided, OtherTextsAreRefused) {
  for (const std::string& text : std::vector<std::string>{
           "(M,N)", "(M,N):(1)", "(M,N):1", "(M,(N)):(1,2)", "(M:(1)", "(M,N):(i0,1)", "(M,N):(d1,1)", "(M,N):(1,)",
           "(M,N):(1,2))", "(M,3x):(1,2)", "(M,N):(j0,1)", "():()", "(-2,3):(1,1)", "", ":", "(1,2):(1,2):(1,2)",
           "(4294967296,4294967296):(1,1)", std::string(200, '(') + "M"}) {
    EXPECT_FALSE(ReadStrided(text).has_value()) << text;
  }
  std::string many = "1";
  for (int k = 0; k < 200; ++k) many += ",1";
  EXPECT_FALSE(ReadStrided(StrCat("(", many, "):(", many, ")")).has_value());
}

TEST(Strided, ASwizzleAndAnOffsetAreBeforeNumbers) {
  for (const std::string text : {"Sw<3,4,-3> o -16 o (8,64):(64,1)", " S< 3 ,4,-3>o _-16 o (8,64) : (64,1)"}) {
    const auto layout = ReadStrided(text);
    ASSERT_TRUE(layout.has_value()) << text << ": " << layout.error();
    ASSERT_TRUE(layout->swizzle.has_value()) << text;
    EXPECT_EQ(layout->swizzle->bits, 3);
    EXPECT_EQ(layout->swizzle->base, 4);
    EXPECT_EQ(layout->swizzle->shift, -3);
    EXPECT_EQ(layout->start, -16);
    EXPECT_EQ(layout->leaves->size(), 2);
  }
  EXPECT_EQ(ReadStrided("Sw<3,4,3> o 4:1")->start, std::nullopt);
  EXPECT_EQ(ReadStrided("0 o 4:1")->swizzle, std::nullopt);
  EXPECT_TRUE(ReadStrided("0 o 4:1")->IsComposed());
  EXPECT_FALSE(ReadStrided("4:1")->IsComposed());
  for (const std::string text :
       {"Sw<3,4,2> o 0 o 4:1", "Sw<3,4,-2> o 0 o 4:1", "Sw<-1,4,2> o 0 o 4:1", "Sw<1,-1,2> o 0 o 4:1",
        "Sw<2,30,31> o 0 o 4:1", "Sw<9223372036854775807,0,-9223372036854775808> o 0 o 4:1", "Sw<1,0> o 0 o 4:1",
        "Sw<1,0,1,1> o 0 o 4:1", "Sw<1,0,1> 0 o 4:1", "Sw<1,0,1> o Sw<1,0,1> o 4:1", "1 o 2 o 4:1", "1 o",
        "9223372036854775808 o 4:1", "_ 1 o 4:1", "K o 4:1", "1 o (M,4):(4,1)", "Sw<1,0,1> o 0 o 4:N"}) {
    EXPECT_FALSE(ReadStrided(text).has_value()) << text;
  }
}

// As CuTe's composition of Sw<2,0,3> with the offsets 0, 8, 16, ..., and known answers of corpus/vectors.
TEST(Strided, ASwizzleMovesBits) {
  using Swizzle = StridedLayout::Swizzle;
  EXPECT_EQ(Swizzle(3, 4, 3).Apply(144), 128);
  EXPECT_EQ(Swizzle(3, 4, 3).Apply(1023), 911);
  EXPECT_EQ(Swizzle(2, 3, 3).Apply(64), 72);
  EXPECT_EQ(Swizzle(3, 0, 3).Apply(7 * 8 + 7), 56);
  EXPECT_EQ(Swizzle(3, 0, -3).Apply(3 * 8 + 5), 53);
  EXPECT_EQ(Swizzle(0, 0, 0).Apply(5), 5);
  EXPECT_EQ(Swizzle(1, 0, 61).Apply(int64_t{1} << 61), (int64_t{1} << 61) + 1);
  EXPECT_EQ(Swizzle(1, 0, -61).Apply(1), (int64_t{1} << 61) + 1);
}

Verdict CheckStrided(std::string_view law, std::string_view layout, std::string_view body) {
  const auto verdicts =
      VerifyCertificates(StrCat("layoutcheck certificate 1\nlaw ", law, "\nlayout ", layout, "\n", body, "end\n"));
  if (!verdicts || verdicts->size() != 1) return {.reason = "not one certificate"};
  return verdicts->front();
}

TEST(StridedLaws, MethodsDecideLayoutsOfNumbers) {
  for (const auto& [law, layout, method] : std::vector<std::array<std::string, 3>>{
           {"injective", "(4,5):(5,1)", "strides"},
           {"inverse", "(4,5):(-5,1)", "strides"},
           {"injective", "(3,3):(2,3)", "enumeration"},
           {"injective", "(0,3):(0,0)", "enumeration"},
           {"injective", "(4,1,2):(1,0,9223372036854775807)", "strides"},
           {"in-bounds", "(4,5,1):(5,0,-7)", "signs"},
           {"in-bounds", "(1,2):(-5,1)", "enumeration"},
           {"onto", "(4,5):(4,-1)", "reach"},
           {"onto", "(4,5):(4,-1)", "enumeration"},
           {"onto", "(0,3):(9,9)", "enumeration"},
           {"injective", "Sw<3,4,3> o 0 o (8,64):(64,1)", "strides"},
           {"inverse", "Sw<2,0,-2> o 3 o (2,4):(-3,8)", "strides"},
           {"injective", "Sw<1,0,1> o 0 o (3,3):(2,3)", "enumeration"},
           {"inverse", "-7 o (3,3):(2,3)", "enumeration"},
           {"in-bounds", "Sw<1,0,1> o 6 o (4,2):(-2,3)", "signs"},
           {"in-bounds", "6 o (4,2):(-2,3)", "signs"},
           {"in-bounds", "6 o (4,2):(-2,3)", "enumeration"},
           {"in-bounds", "4 o (_2,3):(_-4,4)", "signs"},
           {"onto", "-3 o (4,5):(4,-1)", "reach"},
           {"onto", "Sw<2,0,2> o 16 o (4,4):(1,4)", "enumeration"},
           {"onto", "Sw<1,0,1> o -5 o (0,3):(1,1)", "enumeration"},
           {"in-bounds", "Sw<1,0,61> o 9223372036854775807 o (2,1):(0,-1)", "signs"},
           {"injective", "Sw<1,0,61> o 4611686018427387904 o 2:1", "enumeration"},
       }) {
    const Verdict verdict = CheckStrided(law, layout, StrCat("by ", method, "\n"));
    EXPECT_TRUE(verdict.proved) << law << layout << method << verdict.reason;
  }
}

TEST(StridedLaws, WrongMethodsAreRefused) {
  for (const auto& [law, layout, method, reason] : std::vector<std::array<std::string, 4>>{
           {"injective", "(4,5):(4,1)", "strides", "expected strides that are greater"},
           {"injective", "(4,5):(-4,1)", "strides", "expected strides that are greater"},
           {"injective", "(3,3):(2,3)", "strides", "expected strides that are greater"},
           {"injective", "(4,2):(1,0)", "strides", "expected strides that are greater"},
           {"injective", "(4,0):(1,1)", "strides", "expected strides that are greater"},
           {"injective", "(4,5):(4,1)", "enumeration", "two coordinates have the offset 4"},
           {"inverse", "(2,2):(1,-1)", "enumeration", "two coordinates have the offset 0"},
           {"injective", "(1048577):(1)", "enumeration", "expected at most 1048576 coordinates"},
           {"in-bounds", "(4,5):(5,-1)", "signs", "expected a smallest offset that is at least 0"},
           {"in-bounds", "(4,5):(5,-1)", "enumeration", "a coordinate has the offset -4"},
           {"onto", "(4,5):(6,1)", "reach", "expected strides that are at most 1 more"},
           {"onto", "(2,2):(2,2)", "reach", "expected strides that are at most 1 more"},
           {"onto", "(4,0):(1,1)", "reach", "expected strides that are at most 1 more"},
           {"onto", "(4,5):(6,1)", "enumeration", "no coordinate has the offset 5"},
           {"onto", "(4,5):(5,1)", "strides", "expected a method for the law onto"},
           {"injective", "(4,5):(5,1)", "reach", "expected a method for the law injective"},
           {"in-bounds", "(4,5):(5,1)", "strides", "expected a method for the law in-bounds"},
           {"injective", "Sw<1,0,1> o 0 o (4,5):(4,1)", "strides", "expected strides that are greater"},
           {"injective", "Sw<1,0,1> o 0 o (4,5):(4,1)", "enumeration", "two coordinates have the offset 4"},
           {"injective", "Sw<1,0,1> o 5 o (4,2):(-2,1)", "strides", "expected offsets that are at least 0 before"},
           {"injective", "Sw<1,0,1> o 5 o (4,2):(-2,1)", "enumeration", "expected offsets that are at least 0 before"},
           {"in-bounds", "Sw<1,0,1> o -1 o 4:1", "signs", "expected offsets that are at least 0 before"},
           {"in-bounds", "5 o (4,2):(-2,3)", "signs", "expected a smallest offset that is at least 0"},
           {"in-bounds", "5 o (4,2):(-2,3)", "enumeration", "a coordinate has the offset -1"},
           {"onto", "Sw<1,0,1> o 0 o 3:1", "reach", "expected a method for the law onto"},
           {"onto", "Sw<1,0,1> o 0 o 3:1", "enumeration", "no coordinate has the offset 2"},
           {"onto", "Sw<2,0,2> o 9 o (4,4):(1,4)", "enumeration", "no coordinate has the offset 10"},
           {"injective", "(M,5):(5,1)", "strides", "expected a sequent, as not all integers"},
           {"injective", "(4,5):(N,1)", "enumeration", "expected a sequent, as not all integers"},
       }) {
    const Verdict verdict = CheckStrided(law, layout, StrCat("by ", method, "\n"));
    EXPECT_FALSE(verdict.proved) << law << layout << method;
    EXPECT_EQ(verdict.line, 4) << law << layout << method;
    EXPECT_TRUE(verdict.reason.starts_with(reason)) << law << layout << method << verdict.reason;
  }
  EXPECT_FALSE(CheckStrided("in-bounds", "Sw<1,0,1> o 0 o 4:1", "formula i0\nbelow 4\nby enumeration\n").proved);
  EXPECT_FALSE(CheckStrided("injective", "1 o 4:1", "sequent every two indices\npath\ngoal 6\n").proved);
  EXPECT_FALSE(CheckStrided("padding-minimal", "(4,5):(5,1)", "by strides\n").proved);
  EXPECT_FALSE(CheckStrided("injective", "(4,5):(5,1)", "").proved);
  EXPECT_FALSE(CheckStrided("injective", "(4,5):(5,1)", "by strides\nby strides\n").proved);
  EXPECT_FALSE(CheckStrided("injective", "(4,5):(5,1)", "equals 5\nby strides\n").proved);
}

TEST(StridedLaws, NamesHaveSequents) {
  const std::string injective = "sequent every two indices\npath\n+\n+\ngoal 4\ngoal 5\ngoal 6\n";
  const std::string below = "sequent every index\npath\n+\ngoal 3\ngoal 3\ngoal 2\n";
  EXPECT_EQ(CheckStrided("injective", "(M):(1)", injective).reason, "");
  EXPECT_EQ(CheckStrided("inverse", "(M):(1)", injective).reason, "");
  EXPECT_EQ(CheckStrided("onto", "(M):(1)", injective + below).reason, "");
  EXPECT_EQ(CheckStrided("onto", "(M):(1)", injective).reason, "expected 'sequent every index', found 'end'");
  EXPECT_EQ(CheckStrided("onto", "(M):(1)", below).reason,
            "expected 'sequent every two indices', found 'sequent every index'");
  EXPECT_TRUE(
      CheckStrided("onto", "(M):(2)", "sequent every two indices\npath\n+\n+\ngoal 4\ngoal 5\ngoal 1/2*6\n" + below)
          .reason.starts_with("goal 2, -1 + M - 2*i0 >= 0: the facts do not show it"));
  EXPECT_TRUE(
      CheckStrided("injective", "(M):(0)", injective).reason.starts_with("goal 1, i0 - j0 = 0: the facts do not"));
  EXPECT_EQ(CheckStrided("in-bounds", "(M):(1)", "sequent every index\npath\n+\nN\ngoal 3\nfalse 2\n").reason,
            "expected the path with Y before the one with N");
  EXPECT_EQ(CheckStrided("in-bounds", "(M):(1)",
                         "sequent every index\npath\n+\nY\ngoal 3\ngoal 2 | 4\npath\n+\nN\ngoal 3\ngoal\n")
                .reason,
            "");
}

TEST(StridedLaws, AFormulaIsComparedWithTheOffset) {
  EXPECT_EQ(CheckStrided("formula", "(M):(2)", "formula i0 + i0\npath\n+\ngoal 3\ngoal\n").reason, "");
  EXPECT_FALSE(CheckStrided("formula", "(M):(2)", "formula i0 + 1\npath\n+\ngoal 3\ngoal\n").proved);
  EXPECT_EQ(CheckStrided("in-bounds", "(M):(2)", "formula i0\nbelow M\npath\n+\ngoal 3\ngoal 3\ngoal 2\n").reason, "");
  EXPECT_FALSE(CheckStrided("onto", "(M):(2)", "formula i0\npath\n+\ngoal 3\ngoal\n").proved);
}

}  // namespace
}  // namespace layoutcheck::verify
