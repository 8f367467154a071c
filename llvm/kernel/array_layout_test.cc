// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tests the texts of arrays with strides, and the assumptions that they make.
#include "layoutcheck/llvm/kernel/array_layout.h"
#include <gtest/gtest.h>
#include <string>
#include <vector>
#include "layoutcheck/core/base/str_cat.h"
#include "layoutcheck/llvm/kernel/kernel_tensor.h"

namespace layoutcheck {
namespace {

std::vector<std::string> Assumed(const std::string& layout, const std::string& earlier = "s8[1]{0}") {
  KernelRequest request;
  request.arrays = {{"in", layout}};
  request.earlier_arrays = {{"tiles", earlier}};
  request.derived = {{"size_1", "2*N"}};
  return AssumeNestedStrides(request).value().assumptions;
}

TEST(ArrayLayout, AssumesThatStridesAreNestedInTheOrderOfTheLayout) {
  using Texts = std::vector<std::string>;
  EXPECT_EQ(Assumed("f32[M,N]{1,0}"), Texts{});
  EXPECT_EQ(Assumed("f32[M,N]{1,0}:(LD,1)"), Texts{"N <= LD"});
  EXPECT_EQ(Assumed("f32[M,N]:(LD,1)"), Texts{"N <= LD"});
  EXPECT_EQ(Assumed("f32[M,N]{0,1}:(1,LD)"), Texts{"M <= LD"});
  EXPECT_EQ(Assumed("f32[M,N]{1,0}:(N,1)"), Texts{});
  EXPECT_EQ(Assumed("f32[A,B,C]{2,1,0}:(x,y,z)"), (Texts{"1 <= z", "C * z <= y", "B * y <= x"}));
  EXPECT_EQ(Assumed("f32[M,size_1]{1,0}:(LD + 1,2)"), (Texts{"1 <= 2", "(2*N) * 2 <= LD + 1"}));
  EXPECT_EQ(Assumed("s8[1]{0}", "f32[M,N]{1,0}:(LD,1)"), Texts{"N <= LD"});
}

TEST(ArrayLayout, WrongTextsAreTold) {
  const auto message = [](const char* text) { return ParseArrayLayout(text).error().message; };
  EXPECT_EQ(message("f32[M,N]{1,0}:(LD)"),
            "expected one stride per dimension, of which there are 2, found 1 in '(LD)'");
  EXPECT_EQ(message("f32[M,N]{1,0:T(8,128)}:(LD,1)"),
            "expected strides or tiles, found both in 'f32[M,N]{1,0:T(8,128)}:(LD,1)'");
  EXPECT_EQ(message("f6e3m2fn[N]{0:E(6)}"), "expected elements of whole bytes, or of 1, 2 or 4 bits, found 6 bits");
  EXPECT_NE(message("f32[M,N]{1,0}:(LD,"), "");
  EXPECT_NE(message("f32[M,N]{1,0}:(LD,)"), "");
  EXPECT_NE(message("f32[M,N:(LD,1)"), "");
}

TEST(ArrayLayout, ElementsLieAtTheSumOfIndicesTimesStrides) {
  const KernelTensor tensor(ParseArrayLayout("f32[2,3]{1,0}:(LD,2)").value(), {{"LD", 7}});
  EXPECT_EQ(NumberOf(tensor.bytes()), (7 + 2 * 2 + 1) * 4);
  for (int64_t i = 0; i < 2; ++i) {
    for (int64_t j = 0; j < 3; ++j) {
      const SymbolicInteger place = tensor.PlaceOf(std::vector<SymbolicInteger>{i, j});
      EXPECT_EQ(NumberOf(place), (7 * i + 2 * j) * 4);
      const auto element = tensor.ElementAt(place);
      ASSERT_TRUE(element.has_value());
      EXPECT_EQ(NumberOf((*element)[0]), i);
      EXPECT_EQ(NumberOf((*element)[1]), j);
      EXPECT_FALSE(tensor.ElementAt(place + 4).has_value());
    }
  }
  EXPECT_EQ(NumberOf(KernelTensor(ParseArrayLayout("f32[2,0]{1,0}:(LD,2)").value(), {{"LD", 7}}).bytes()), 0);
}

TEST(ArrayLayout, ElementsOfLessThanAByteShareBytes) {
  for (const int64_t bits : {1, 2, 4}) {
    const std::string type = StrCat("u", bits, "[3,5]{1,0");
    const KernelTensor packed(ParseArrayLayout(StrCat(type, ":E(", bits, ")}")).value(), {});
    const KernelTensor apart(ParseArrayLayout(StrCat(type, "}")).value(), {});
    EXPECT_EQ(NumberOf(packed.bytes()), (15 * bits + 7) / 8);
    EXPECT_EQ(NumberOf(apart.bytes()), 15);
    EXPECT_EQ(packed.value_bits(), bits);
    EXPECT_EQ(apart.value_bits(), bits);
    EXPECT_EQ(packed.place_bits(), bits);
    EXPECT_EQ(apart.place_bits(), 8);
    for (int64_t i = 0; i < 3; ++i) {
      for (int64_t j = 0; j < 5; ++j) {
        const SymbolicInteger place = packed.PlaceOf(std::vector<SymbolicInteger>{i, j});
        EXPECT_EQ(NumberOf(place), 5 * i + j);
        EXPECT_EQ(NumberOf(apart.PlaceOf(std::vector<SymbolicInteger>{i, j})), 5 * i + j);
        const auto element = packed.ElementAt(place);
        ASSERT_TRUE(element.has_value());
        EXPECT_EQ(NumberOf((*element)[0]), i);
        EXPECT_EQ(NumberOf((*element)[1]), j);
      }
    }
    EXPECT_FALSE(packed.ElementAt(15).has_value());
  }
}

}  // namespace
}  // namespace layoutcheck
