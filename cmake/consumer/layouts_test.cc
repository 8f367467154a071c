// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gtest/gtest.h>
#include <layoutcheck/properties/cxx/implementation.h>
#include <layoutcheck/properties/cxx/mapping.h>
#include <layoutcheck/properties/rapidcheck.h>
#include <rapidcheck/gtest.h>
#include <vector>
#include "my_layouts.h"

TEST(Blocked, IsTheTiling) { EXPECT_TRUE(layoutcheck::Check(Blocked{{{3, 5}}}, "f32[3,5]{1,0:T(2,2)}")); }

TEST(Blocked, IsAMappingWhereItHasNoPadding) { EXPECT_TRUE(layoutcheck::Check(Blocked{{{4, 6}}})); }

TEST(TwoOrders, KeepsEveryLaw) { EXPECT_TRUE(layoutcheck::Check(TwoOrders())); }

RC_GTEST_PROP(TwoOrders, BeginsAtZero, (const layoutcheck::Shape& shape)) {
  const auto offset = TwoOrders().offset(shape, std::vector<int64_t>(shape.dimensions.size()));
  if (offset) RC_ASSERT(*offset == 0);  // TwoOrders declines layouts with tiles
}
