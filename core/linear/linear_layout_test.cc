// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/core/linear/linear_layout.h"
#include <gtest/gtest.h>
#include <chrono>
#include <cstdio>
#include <random>
#include <set>
#include "layoutcheck/core/linear/linear_text.h"
#include "layoutcheck/core/testing/random_linear_layout.h"

namespace layoutcheck {
namespace {

// Known answers: Triton's unittest/Tools/LinearLayoutTest.cpp, test Apply.
TEST(LinearLayout, Applies) {
  const LinearLayout layout = *ParseLinearLayout("ll{in1:[(4,2),(2,1),(1,0)],in2:[(1,2),(2,1)]} -> [out1:8,out2:4]");
  const auto at = [&](int64_t in1, int64_t in2) {
    return layout.OutputParts(static_cast<uint64_t>(layout.Index(std::vector{in1, in2})));
  };
  EXPECT_EQ(at(0, 0), (std::vector<int64_t>{0, 0}));
  EXPECT_EQ(at(1, 0), (std::vector<int64_t>{4, 2}));
  EXPECT_EQ(at(0, 1), (std::vector<int64_t>{1, 2}));
  EXPECT_EQ(at(3, 3), (std::vector<int64_t>{4 ^ 2 ^ 1 ^ 2, 2 ^ 1 ^ 2 ^ 1}));
}

TEST(LinearLayout, NumbersAndCoordinatesAreInverse) {
  const LinearLayout layout = *ParseLinearLayout("ll{a:[(0,1),(0,2)],b:[],c:[(0,4),(1,0),(2,0)]} -> [x:4,y:8]");
  for (uint64_t number = 0; number < 32; ++number) {
    EXPECT_EQ(layout.InputNumber(layout.InputCoordinate(number)), number);
    EXPECT_EQ(layout.OutputIndex(layout.OutputParts(number)), number);
    EXPECT_EQ(layout.Apply(number), number);  // the first input is fastest, and so is the last output
  }
}

TEST(LinearLayout, RejectsWhatIsNoLayout) {
  const auto message = [](std::vector<LinearInput> inputs, std::vector<LinearOutput> outputs) {
    return LinearLayout::Create(std::move(inputs), std::move(outputs)).error().message;
  };
  EXPECT_EQ(message({{"a", {}}, {"a", {}}}, {}), "expected different names, found two inputs named 'a'");
  EXPECT_EQ(message({}, {{"a", 1}, {"a", 1}}), "expected different names, found two outputs named 'a'");
  EXPECT_EQ(message({{"a", {4}}}, {{"x", 2}}), "the image 4 is outside the outputs: expected 0 to 3");
  EXPECT_EQ(message({{"a", std::vector<uint64_t>(63)}}, {}),
            "expected at most 62 bits of all inputs together, found 63");
  EXPECT_EQ(message({}, {{"x", 60}, {"y", 3}}), "expected at most 62 bits of all outputs together, found 63");
}

// Rank, kernel, image and inverse of small layouts agree with a look at every input.
TEST(LinearLayout, PropertiesAgreeWithEnumeration) {
  std::mt19937_64 random(3);
  int injective = 0;
  int onto = 0;
  for (int n = 0; n < 3000; ++n) {
    const LinearLayout layout = RandomLinearLayout(random, {.max_bits = 7});
    const F2Span span = layout.Span();
    std::set<uint64_t> values;
    std::optional<uint64_t> smallest_in_kernel;
    for (uint64_t x = 0; x < uint64_t{1} << layout.input_bits(); ++x) {
      values.insert(layout.Apply(x));
      if (x > 0 && !smallest_in_kernel && layout.Apply(x) == 0) smallest_in_kernel = x;
    }
    EXPECT_EQ(values.size(), uint64_t{1} << span.rank());
    EXPECT_EQ(layout.IsInjective(), !smallest_in_kernel);
    EXPECT_EQ(span.kernel().size(), layout.input_bits() - span.rank());
    if (smallest_in_kernel) {
      EXPECT_EQ(span.kernel().front(), *smallest_in_kernel);
    }
    for (const uint64_t vector : span.kernel()) EXPECT_EQ(layout.Apply(vector), 0u);
    std::optional<uint64_t> outside;
    for (uint64_t y = 0; y < uint64_t{1} << layout.output_bits(); ++y) {
      const std::optional<uint64_t> x = span.Combination(y);
      EXPECT_EQ(x.has_value(), values.contains(y));
      if (x) {
        EXPECT_EQ(layout.Apply(*x), y);
        EXPECT_EQ(*x & span.dependent(), 0u);
      } else if (!outside) {
        outside = y;
      }
    }
    EXPECT_EQ(span.SmallestOutside(layout.output_bits()), outside);
    EXPECT_EQ(layout.IsOnto(), !outside);
    injective += layout.IsInjective() ? 1 : 0;
    onto += layout.IsOnto() ? 1 : 0;
  }
  EXPECT_GT(injective, 300);
  EXPECT_GT(onto, 300);
}

TEST(LinearLayout, DecidesSixtyTwoBitsInMicroseconds) {
  std::mt19937_64 random(4);
  std::vector<uint64_t> images;
  for (int k = 0; k < 62; ++k) images.push_back(random() >> 2);
  const LinearLayout layout = LinearLayout::Create({{"a", images}}, {{"x", 62}}).value();
  const auto begin = std::chrono::steady_clock::now();
  const F2Span span = layout.Span();
  const std::chrono::duration<double, std::micro> time = std::chrono::steady_clock::now() - begin;
  std::printf("rank %zu of 62 bits in %.1f us\n", span.rank(), time.count());
  EXPECT_GE(span.rank(), 55u);  // a random square matrix lacks more than seven with probability below 2^-49
  EXPECT_EQ(span.kernel().size() + span.rank(), 62u);
  for (int n = 0; n < 100; ++n) {
    const uint64_t x = random() >> 2;
    const std::optional<uint64_t> back = span.Combination(layout.Apply(x));
    ASSERT_TRUE(back.has_value());
    EXPECT_EQ(layout.Apply(*back), layout.Apply(x));
  }
}

}  // namespace
}  // namespace layoutcheck
