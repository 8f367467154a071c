// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// That the claims hold is what the laws of properties/algebra/axis_laws.cc check on random expressions. These tests say
// how much is claimed.
#include "layoutcheck/properties/axis/axis_analysis.h"
#include <gtest/gtest.h>
#include <limits>

namespace layoutcheck {
namespace {

using Claims = std::vector<AxisClaim>;

Claims ClaimsOf(std::string_view text) {
  const auto expression = AxisExpression::Parse(text);
  if (!expression) {
    ADD_FAILURE() << text << ": " << expression.error().ToString();
    return {};
  }
  const AxisInfo info = AnalyzeAxes(*expression);
  Claims claims;
  for (size_t d = 0; d < expression->sizes.size(); ++d) {
    claims.push_back({info.contiguity[d], info.divisibility[d], info.constancy[d]});
  }
  return claims;
}

constexpr int64_t kZero = kLargestAxisDivisor;

TEST(AxisAnalysis, LeavesAreKnownExactly) {
  EXPECT_EQ(ClaimsOf("range(0,8)"), (Claims{{8, kZero, 1}}));
  EXPECT_EQ(ClaimsOf("range(12,16)"), (Claims{{4, 4, 1}}));
  EXPECT_EQ(ClaimsOf("constant(-24,[4])"), (Claims{{1, 8, 4}}));
  EXPECT_EQ(ClaimsOf("constant(-2147483648,[4])"), (Claims{{1, int64_t{1} << 31, 4}}));
  EXPECT_EQ(ClaimsOf("argument(a,16,[4,2])"), (Claims{{1, 16, 4}, {1, 16, 2}}));
}

// The address of a tile: pid * 128 + range, as most kernels compute it.
TEST(AxisAnalysis, AddressesOfTilesAreRuns) {
  EXPECT_EQ(ClaimsOf("addi(muli(argument(pid,1,[128]),constant(128,[128])),range(0,128))"), (Claims{{128, 128, 1}}));
  const std::string rows = "broadcast(expand_dims(muli(range(0,4),argument(stride,16,[4])),1),[4,32])";
  const std::string columns = "broadcast(expand_dims(range(0,32),0),[4,32])";
  EXPECT_EQ(ClaimsOf("addi(" + rows + "," + columns + ")"), (Claims{{1, 1, 1}, {32, 16, 1}}));
}

TEST(AxisAnalysis, QuotientsAndRemaindersHaveEvenGroupsUnlessTheDividendMayBeNegative) {
  EXPECT_EQ(ClaimsOf("divsi(range(0,16),constant(4,[16]))"), (Claims{{1, 1, 4}}));
  EXPECT_EQ(ClaimsOf("divsi(range(0,16),constant(-12,[16]))"), (Claims{{1, 1, 4}}));
  EXPECT_EQ(ClaimsOf("remsi(range(0,16),constant(4,[16]))"), (Claims{{4, 4, 1}}));
  EXPECT_EQ(ClaimsOf("divsi(addi(range(0,16),argument(a,16,[16])),constant(4,[16]))"), (Claims{{1, 1, 1}}));
  EXPECT_EQ(ClaimsOf("remsi(addi(range(0,16),argument(a,16,[16])),constant(4,[16]))"), (Claims{{1, 1, 1}}));
  EXPECT_EQ(ClaimsOf("shrsi(addi(range(0,16),argument(a,16,[16])),constant(2,[16]))"), (Claims{{1, 1, 4}}));
  EXPECT_EQ(ClaimsOf("divsi(argument(a,16,[16]),constant(-4,[16]))"), (Claims{{1, 4, 16}}));
}

TEST(AxisAnalysis, MasksHaveTheGroupsOfTheirBounds) {
  EXPECT_EQ(ClaimsOf("slt(range(0,16),argument(n,8,[16]))"), (Claims{{1, 1, 8}}));
  EXPECT_EQ(ClaimsOf("sle(range(0,16),argument(n,8,[16]))"), (Claims{{1, 1, 1}}));
  EXPECT_EQ(ClaimsOf("sle(argument(n,8,[16]),range(0,16))"), (Claims{{1, 1, 8}}));
  const std::string both = "andi(slt(range(0,16),argument(n,8,[16])),sge(range(0,16),argument(m,2,[16])))";
  EXPECT_EQ(ClaimsOf(both), (Claims{{1, 1, 2}}));
  EXPECT_EQ(ClaimsOf("select(" + both + ",range(0,16),range(32,48))"), (Claims{{2, 2, 1}}));
}

TEST(AxisAnalysis, JoinsOfGroupsOfDifferentSizesBeginAtSmallerMultiples) {
  const std::string runs_of_four = "remsi(range(0,8),constant(4,[8]))";
  EXPECT_EQ(ClaimsOf("branch(p,range(16,24)," + runs_of_four + ")"), (Claims{{4, 4, 1}}));
  EXPECT_EQ(ClaimsOf("loop(n,range(16,24),constant(12,[8]))"), (Claims{{8, 4, 1}}));
  EXPECT_EQ(ClaimsOf("loop(n,range(16,24),range(0,8))"), (Claims{{1, 1, 1}}));
}

TEST(AxisAnalysis, ConstantsAreFolded) {
  EXPECT_EQ(ClaimsOf("muli(constant(65536,[2]),constant(65536,[2]))"), (Claims{{1, kZero, 2}}));
  EXPECT_EQ(ClaimsOf("extui(constant(-1,[2]))"), (Claims{{1, 1, 2}}));
  EXPECT_EQ(ClaimsOf("muli(range(0,8),subi(constant(3,[8]),constant(2,[8])))"), (Claims{{8, kZero, 1}}));
  EXPECT_EQ(ClaimsOf("divsi(constant(4,[8]),constant(0,[8]))"), (Claims{{1, 1, 8}}));
}

TEST(AxisAnalysis, DivisorsArePowersOfTwo) {
  const int64_t least = std::numeric_limits<int64_t>::min();
  const std::pair<int64_t, int64_t> known[] = {{0, kZero}, {1, 1}, {-1, 1}, {12, 4}, {-8, 8}, {least, kZero}};
  for (const auto& [value, divisor] : known) EXPECT_EQ(AxisDivisorOf(value), divisor) << value;
}

}  // namespace
}  // namespace layoutcheck
