// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tests the texts of --values and --source, and the contents of arrays in runs on numbers.
#include "layoutcheck/llvm/kernel/array_numbers.h"
#include <gtest/gtest.h>
#include <set>
#include <string>
#include <vector>
#include "layoutcheck/llvm/kernel/source_map.h"
#include "layoutcheck/solver/paths/function_run.h"

namespace layoutcheck {
namespace {

const std::vector<std::string> kArrays{"in", "idx", "bytes"};
const std::vector<std::string> kNames{"M", "N"};

std::vector<ArrayLayout> Layouts() {
  return {ParseArrayLayout("f32[M,N]{1,0}").value(), ParseArrayLayout("s32[N]{0}").value(),
          ParseArrayLayout("u8[N]{0}").value()};
}

std::string WhyNotAdded(const std::string& text) {
  ArrayNumbers numbers;
  const auto added = numbers.Add(text, kArrays, Layouts(), kNames);
  return added ? "" : added.error().message;
}

TEST(ArrayNumbers, ARangeIsOfAnArrayOfIntegersAndHasFormulasOfSizes) {
  EXPECT_EQ(WhyNotAdded("idx=0:M*N"), "");
  EXPECT_EQ(WhyNotAdded("idx=-1:min(M,N):distinct"), "");
  EXPECT_EQ(WhyNotAdded("idx=0"), "--values: expected NAME=LOW:HIGH or NAME=LOW:HIGH:distinct, found 'idx=0'");
  EXPECT_EQ(WhyNotAdded("=0:1"), "--values: expected NAME=LOW:HIGH or NAME=LOW:HIGH:distinct, found '=0:1'");
  EXPECT_EQ(WhyNotAdded("idx=0:1:2"), "--values: expected NAME=LOW:HIGH or NAME=LOW:HIGH:distinct, found 'idx=0:1:2'");
  EXPECT_EQ(WhyNotAdded("table=0:M"), "--values table: expected the name of an --array");
  EXPECT_EQ(WhyNotAdded("in=0:M"), "--values in: expected an array of integers of 8 to 64 bits, found f32[M,N]{1,0}");
  EXPECT_EQ(WhyNotAdded("idx=0:K"), "--values idx: expected M, N, found 'K'");
  EXPECT_NE(WhyNotAdded("idx=0:"), "");
  EXPECT_NE(WhyNotAdded("idx=:M"), "");
  ArrayNumbers numbers;
  ASSERT_TRUE(numbers.Add("idx=0:M", kArrays, Layouts(), kNames).has_value());
  EXPECT_EQ(numbers.Add("idx=0:N", kArrays, Layouts(), kNames).error().message,
            "--values idx: expected one range per array");
}

TEST(ArrayNumbers, PatternsStayInTheRangeAndAreDistinctIfTheyMustBe) {
  const SymbolicValues values{{"M", 7}, {"N", 5}};
  for (const std::string range : {"idx=2:M", "idx=2:M:distinct", "bytes=0:1000"}) {
    ArrayNumbers numbers;
    ASSERT_TRUE(numbers.Add(range, kArrays, Layouts(), kNames).has_value());
    const size_t array = numbers.arrays().at(0);
    const int64_t low = array == 1 ? 2 : 0;
    const int64_t high = array == 1 ? 7 : 256;  // as many as a byte has
    for (int64_t number = 0; number < kPatterns; ++number) {
      const NumberPattern pattern = numbers.PatternOf(array, number, 5, values);
      std::set<int64_t> seen;
      for (int64_t element = 0; element < 5; ++element) {
        EXPECT_GE(pattern.At(element), low) << range << number;
        EXPECT_LT(pattern.At(element), high) << range << number;
        seen.insert(pattern.At(element));
      }
      const bool is_distinct = range.ends_with("distinct");
      EXPECT_EQ(seen.size() == 5 || !is_distinct, true) << number;
    }
    EXPECT_EQ(numbers.PatternOf(array, 1, 5, values).At(0), high - 1) << range;
  }
}

TEST(ArrayNumbers, ImpossibleContentsAreNotTakenForAny) {
  ArrayNumbers numbers;
  ASSERT_TRUE(numbers.Add("idx=0:M:distinct", kArrays, Layouts(), kNames).has_value());
  EXPECT_THROW(numbers.PatternOf(1, 0, 5, {{"M", 4}, {"N", 5}}), FunctionUnknown);
  EXPECT_THROW(numbers.PatternOf(1, 0, 1, {{"M", 0}, {"N", 1}}), FunctionUnknown);
  EXPECT_NO_THROW(numbers.PatternOf(1, 0, 0, {{"M", 0}, {"N", 0}}));
}

std::string WhyNoMap(const std::string& text) {
  const auto map = ParseSourceMap(text, kArrays, Layouts(), kNames);
  return map ? "" : map.error().ToString();
}

TEST(SourceMap, HasAFormulaPerIndexOfTheSource) {
  const auto map = ParseSourceMap("in[r, n] = in[idx[bytes[r]/2], N-1-n]", kArrays, Layouts(), kNames).value();
  EXPECT_EQ(map.to, 0u);
  EXPECT_EQ(map.index, (std::vector<std::string>{"r", "n"}));
  ASSERT_EQ(map.lookups.size(), 2u);
  EXPECT_EQ(map.lookups[0].array, 2u);
  EXPECT_EQ(map.lookups[1].array, 1u);
  EXPECT_EQ(FormulaText(map.from.index[1]), "N - 1 - n");
}

TEST(SourceMap, ErrorsNameWhatWasExpected) {
  const std::string begin = "--source '";
  EXPECT_EQ(WhyNoMap("in"), begin + "in': expected NAME[INDEX,...]=NAME[FORMULA,...]");
  EXPECT_EQ(WhyNoMap("out[r]=in[r,0]"), begin + "out[r]=in[r,0]': expected the name of an --array, found 'out'");
  EXPECT_EQ(WhyNoMap("in[r]=in[r,0]"), begin + "in[r]=in[r,0]': expected 2 indices of in, found 1");
  EXPECT_EQ(WhyNoMap("in[r,M]=in[r,0]"),
            begin + "in[r,M]=in[r,0]': expected a new name for each index of in, found 'M'");
  EXPECT_EQ(WhyNoMap("in[r,r]=in[r,0]"),
            begin + "in[r,r]=in[r,0]': expected a new name for each index of in, found 'r'");
  EXPECT_EQ(WhyNoMap("in[r,n]=in[k,0]"), begin + "in[r,n]=in[k,0]': expected M, N, r, n, found 'k'");
  EXPECT_EQ(WhyNoMap("in[r,n]=in[in[r,n],0]"),
            begin + "in[r,n]=in[in[r,n],0]': expected an array of integers, found in");
  EXPECT_EQ(WhyNoMap("in[r,n]=bytes[r]"), begin + "in[r,n]=bytes[r]': expected elements of 32 bits in bytes, too");
  EXPECT_EQ(WhyNoMap("in[r,n]=in[lookup_0,0]"), begin + "in[r,n]=in[lookup_0,0]': expected no name with 'lookup_'");
  for (const char* text :
       {"in[r,n]=in[idx[r,0]", "in[r,n]=in[,0]", "in[r,n]=", "=in[0,0]", "in[]=in[0,0]", "in[r,n]=in[(r,0]"}) {
    EXPECT_NE(WhyNoMap(text), "") << text;
  }
}

}  // namespace
}  // namespace layoutcheck
