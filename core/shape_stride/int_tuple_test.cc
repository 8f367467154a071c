// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/core/shape_stride/int_tuple.h"
#include <gtest/gtest.h>
#include <cstdio>

namespace layoutcheck {
namespace {

IntTuple T(std::initializer_list<IntTuple> elements) { return IntTuple::Tuple(elements); }

// Returns every nested shape with leaves 1, 2, 3 and 6, up to three elements, and two levels.
std::vector<IntTuple> SmallShapes() {
  const std::vector<IntTuple> leaves = {1, 2, 3, 6};
  std::vector<IntTuple> flat = leaves;
  for (const IntTuple& a : leaves) {
    flat.push_back(T({a}));
    for (const IntTuple& b : leaves) flat.push_back(T({a, b}));
  }
  std::vector<IntTuple> shapes = flat;
  for (const IntTuple& a : flat) {
    for (const IntTuple& b : flat) shapes.push_back(T({a, b}));
  }
  return shapes;
}

TEST(IntTuple, StructureAndAccess) {
  const IntTuple t = T({T({4, 2}), IntTuple::Static(3), T({})});
  EXPECT_EQ(ToString(t), "((4,2),_3,())");
  EXPECT_EQ(Rank(t), 3);
  EXPECT_EQ(Rank(IntTuple(7)), 1);
  EXPECT_EQ(Depth(t), 2);
  EXPECT_EQ(Depth(IntTuple(7)), 0);
  EXPECT_EQ(Depth(T({})), 1);
  EXPECT_EQ(*Product(t), 24);
  EXPECT_EQ(*Product(T({})), 1);
  EXPECT_EQ(*Get(t, std::vector<int64_t>{0, 1}), IntTuple(2));
  EXPECT_EQ(*Get(IntTuple(7), 0), IntTuple(7));
  EXPECT_FALSE(Get(IntTuple(7), 1).has_value());
  EXPECT_FALSE(Get(t, -1).has_value());
  EXPECT_FALSE(Get(t, std::vector<int64_t>{2, 0}).has_value());
  EXPECT_EQ(Leaves(t).size(), 3u);
  EXPECT_EQ(Unflatten(t, std::vector<IntTuple>{1, 2, 3}), T({T({1, 2}), 3, T({})}));
}

TEST(IntTuple, ATupleOfOneIsNotItsElement) {
  EXPECT_FALSE(T({4}) == IntTuple(4));
  EXPECT_FALSE(Congruent(T({4}), 4));
  EXPECT_TRUE(WeaklyCongruent(4, T({4})));
  EXPECT_FALSE(WeaklyCongruent(T({4}), 4));
}

TEST(IntTuple, AnnotationIsKeptAndDoesNotChangeEquality) {
  EXPECT_EQ(IntTuple::Static(-3), IntTuple(-3));
  EXPECT_EQ(ToString(IntTuple::Static(-3)), "_-3");
  EXPECT_TRUE(IsStatic(T({IntTuple::Static(1), T({})})));
  EXPECT_FALSE(IsStatic(T({IntTuple::Static(1), 2})));
  EXPECT_EQ(ToString(WithStaticLeaves(T({1, T({2})}), true)), "(_1,(_2))");
}

TEST(IntTuple, BasisIsWrittenInnermostFirst) {
  EXPECT_EQ(ToString(IntTuple::Basis(1, {0, 1})), "1@1@0");
  EXPECT_TRUE(HasBasis(T({1, IntTuple::Basis(1, {0})})));
  EXPECT_FALSE(IntTuple::Basis(1, {0}) == IntTuple(1));
}

TEST(IntTuple, ProductOverflowIsAnError) {
  const int64_t big = int64_t{1} << 32;
  EXPECT_EQ(Product(T({big, big})).error().kind, ErrorKind::kOverflow);
  EXPECT_FALSE(Compatible(0, T({big, big})));
}

TEST(IntTuple, RelationsArePartialOrders) {
  const std::vector<IntTuple> shapes = SmallShapes();
  int64_t pairs = 0;
  int64_t compatible = 0;
  for (const IntTuple& a : shapes) {
    EXPECT_TRUE(Compatible(a, a));
    EXPECT_TRUE(WeaklyCongruent(a, a));
    for (const IntTuple& b : shapes) {
      ++pairs;
      EXPECT_EQ(Congruent(a, b), WeaklyCongruent(a, b) && WeaklyCongruent(b, a));
      if (!Compatible(a, b)) continue;
      ++compatible;
      EXPECT_TRUE(WeaklyCongruent(a, b));
      EXPECT_EQ(*Product(a), *Product(b));
      if (Compatible(b, a)) {
        EXPECT_EQ(a, b);
      }
      for (const IntTuple& c : shapes) {
        if (Compatible(b, c)) {
          EXPECT_TRUE(Compatible(a, c)) << ToString(a) << ToString(b) << ToString(c);
        }
      }
    }
  }
  std::printf("%zu shapes, %lld pairs, %lld compatible\n", shapes.size(), static_cast<long long>(pairs),
              static_cast<long long>(compatible));
}

TEST(IntTuple, Division) {
  EXPECT_EQ(*CeilDivShape(12, 5), IntTuple(3));
  EXPECT_EQ(*CeilDivShape(T({3, 4}), 36), T({1, 1}));
  EXPECT_EQ(*CeilDivShape(T({12, 8}), T({5, 3})), T({3, 3}));
  EXPECT_EQ(*CeilDivShape(T({12, 8}), T({5})), T({3, 8}));
  EXPECT_EQ(*CeilDivShape(24, T({2, 3})), IntTuple(4));
  EXPECT_EQ(*ShapeDiv(T({6, T({3, 4})}), 36), T({1, T({1, 2})}));
  EXPECT_FALSE(ShapeDiv(T({4, 6}), 3).has_value());
  EXPECT_FALSE(CeilDivShape(T({3}), T({1, 1})).has_value());
  EXPECT_FALSE(CeilDivShape(3, 0).has_value());
  EXPECT_FALSE(CeilDivShape(T({3, 0}), 2).has_value());
}

// If ShapeDiv is defined, it divides the size exactly or down to 1.
TEST(IntTuple, ShapeDivDividesTheSize) {
  for (const IntTuple& shape : SmallShapes()) {
    for (int64_t divisor = 1; divisor <= 36; ++divisor) {
      const Expected<IntTuple> quotient = ShapeDiv(shape, divisor);
      if (!quotient || *Product(shape) % divisor != 0) continue;
      EXPECT_TRUE(Congruent(*quotient, shape));
      EXPECT_EQ(*Product(*quotient) * divisor, *Product(shape)) << ToString(shape) << " / " << divisor;
    }
  }
}

TEST(IntTuple, EvenlyDivides) {
  EXPECT_TRUE(*EvenlyDivides(T({4, 6}), T({2, 3})));
  EXPECT_TRUE(*EvenlyDivides(T({4, 6}), 4));
  EXPECT_FALSE(*EvenlyDivides(T({4, 6}), T({2, 3, 1})));
  EXPECT_FALSE(*EvenlyDivides(T({4, 6}), T({3})));
}

}  // namespace
}  // namespace layoutcheck
