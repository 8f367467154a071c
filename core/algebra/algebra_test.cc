// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Known answers and laws of the smaller operations of the algebra. algebra_scope_test.cc has the exhaustive scopes.
#include <gtest/gtest.h>
#include <cstdio>
#include <set>
#include "layoutcheck/core/algebra/complement.h"
#include "layoutcheck/core/algebra/composition.h"
#include "layoutcheck/core/algebra/divide_product.h"
#include "layoutcheck/core/algebra/inverse.h"
#include "layoutcheck/core/algebra/recast.h"
#include "layoutcheck/core/shape_stride/coordinate.h"
#include "layoutcheck/core/shape_stride/evaluate.h"
#include "layoutcheck/core/shape_stride/text.h"

namespace layoutcheck {
namespace {

ShapeStrideLayout L(std::string_view text) { return *ParseShapeStrideLayout(text); }
IntTuple C(std::string_view text) { return *ParseIntTuple(text); }
Tiler T(std::string_view text) { return *ParseTiler(text); }
std::vector<int64_t> Values(const ShapeStrideLayout& layout) { return *StridedOffsetTable(layout, 1 << 20); }
template <class Result>
std::string Text(const Result& result) {
  return result ? ToString(*result) : "rejected: " + result.error().message;
}

// Returns layouts of up to three modes, one of them nested, with zeros, ones and negative strides.
std::vector<ShapeStrideLayout> SmallLayouts() {
  std::vector<ShapeStrideLayout> layouts;
  const int64_t extents[] = {1, 2, 3, 4};
  const int64_t strides[] = {-2, 0, 1, 2, 3, 4, 8};
  for (const int64_t s0 : extents) {
    for (const int64_t s1 : extents) {
      for (const int64_t s2 : {1, 2, 4}) {
        for (const int64_t d0 : strides) {
          for (const int64_t d1 : strides) {
            for (const int64_t d2 : {0, 1, 4, 6}) {
              layouts.push_back(
                  {IntTuple::Tuple({s0, IntTuple::Tuple({s1, s2})}), IntTuple::Tuple({d0, IntTuple::Tuple({d1, d2})})});
            }
          }
        }
      }
    }
  }
  return layouts;
}

TEST(Algebra, CoalesceAndFilterKeepValues) {
  int64_t layouts = 0;
  for (const ShapeStrideLayout& layout : SmallLayouts()) {
    const ShapeStrideLayout coalesced = *Coalesce(layout);
    EXPECT_LE(Depth(coalesced.shape), 1);
    EXPECT_EQ(Values(coalesced), Values(layout)) << ToString(layout);
    EXPECT_EQ(*Coalesce(coalesced), coalesced) << ToString(layout);
    const ShapeStrideLayout by_mode = *CoalesceByMode(layout, IntTuple::Tuple({1, 1}));
    EXPECT_EQ(Rank(by_mode), 2);
    EXPECT_EQ(Values(by_mode), Values(layout));
    EXPECT_EQ(Values(*Coalesce(layout, Simplification::kStaticOnly)), Values(layout));
    const std::vector<int64_t> all = Values(layout);
    const std::vector<int64_t> filtered = Values(*Filter(layout));
    EXPECT_EQ(std::set(all.begin(), all.end()), std::set(filtered.begin(), filtered.end()));
    EXPECT_LE(filtered.size(), all.size());
    const ShapeStrideLayout nullspace = *Nullspace(layout);
    for (const int64_t index : Values(nullspace)) EXPECT_EQ(*Crd2Idx(index, layout), 0);
    EXPECT_EQ(*Size(nullspace) * *Size(*FilterZeros(layout)), *Size(layout));
    ++layouts;
  }
  std::printf("%lld layouts\n", static_cast<long long>(layouts));
}

// The laws of upcast and downcast hold wherever these accept their arguments.
TEST(Algebra, Recasts) {
  int64_t upcasts = 0;
  int64_t downcasts = 0;
  for (const ShapeStrideLayout& layout : SmallLayouts()) {
    for (const int64_t factor : {1, 2, 4}) {
      const std::vector<IntTuple> extents = Leaves(layout.shape);
      const std::vector<IntTuple> strides = Leaves(layout.stride);
      const std::vector<int64_t> values = Values(layout);
      if (const Expected<ShapeStrideLayout> up = Upcast(layout, factor)) {
        ++upcasts;
        for (size_t i = 0; i < values.size(); ++i) {
          std::vector<IntTuple> digits = Leaves(*Idx2Crd(static_cast<int64_t>(i), layout.shape));
          for (size_t k = 0; k < digits.size(); ++k) {
            const int64_t width = std::abs(strides[k].value());
            if (width != 0 && width < factor && extents[k].value() > 1)
              digits[k] = digits[k].value() / (factor / width);
          }
          ASSERT_EQ(*Crd2Idx(Unflatten(layout.shape, digits), *up), FloorDiv(values[i], factor)) << ToString(layout);
        }
      }
      if (const Expected<ShapeStrideLayout> down = Downcast(layout, factor); down && factor > 1) {
        ++downcasts;
        size_t contiguous = 0;
        while (strides[contiguous].value() != 1) ++contiguous;
        for (size_t i = 0; i < values.size(); ++i) {
          std::vector<IntTuple> digits = Leaves(*Idx2Crd(static_cast<int64_t>(i), layout.shape));
          const int64_t digit = digits[contiguous].value();
          for (int64_t t = 0; t < factor; ++t) {
            digits[contiguous] = digit * factor + t;
            ASSERT_EQ(*Crd2Idx(Unflatten(layout.shape, digits), *down), factor * values[i] + t) << ToString(layout);
          }
        }
        EXPECT_EQ(*Size(*down), factor * *Size(layout));
        EXPECT_EQ(Text(Upcast(*down, factor)).find("rejected"), std::string::npos);
      }
    }
    const int64_t alignment = *MaxAlignment(layout);
    const std::vector<int64_t> values = Values(layout);
    const std::set<int64_t> image(values.begin(), values.end());
    for (const int64_t value : image) {
      const int64_t block = FloorDiv(value, alignment) * alignment;
      for (int64_t t = 0; t < alignment; ++t) ASSERT_TRUE(image.contains(block + t)) << ToString(layout);
    }
  }
  std::printf("%lld upcasts, %lld downcasts\n", static_cast<long long>(upcasts), static_cast<long long>(downcasts));
  EXPECT_EQ(*MaxAlignment(L("(2,(3,2)):(3,(1,8))")), 2);
  EXPECT_FALSE(Upcast(L("(2,(3,2)):(3,(1,8))"), 2).has_value());
  EXPECT_EQ(Text(Upcast(L("(4,4):(1,2)"), 4)).substr(0, 8), "rejected");
  EXPECT_EQ(Text(Downcast(L("(1,8):(1,1)"), 4)).substr(0, 8), "rejected");
  EXPECT_EQ(Text(RecastLayout(L("(8,3):(1,8)"), 6, 8)), "(6,3):(1,6)");
  EXPECT_EQ(Text(RecastLayout(L("(8,3):(1,8)"), 8, 6)).substr(0, 8), "rejected");
  EXPECT_EQ(Text(RecastLayout(L("(12,3):(1,12)"), 8, 6)), "(16,3):(1,16)");
}

TEST(Algebra, MaxCommonVectorHoldsItsLaw) {
  const char* const texts[] = {"(4,8):(1,4)", "(4,8):(8,1)", "(2,2,8):(1,2,4)",    "(2,4,4):(0,1,4)",
                               "(4,8):(1,8)", "32:1",        "(4,(2,4)):(2,(1,8))"};
  for (const char* const a : texts) {
    for (const char* const b : texts) {
      const Expected<ShapeStrideLayout> common = MaxCommonLayout(L(a), L(b));
      if (!common) continue;
      EXPECT_EQ(*Size(*common), *MaxCommonVector(L(a), L(b)));
      const std::vector<int64_t> coordinates = Values(*common);
      for (size_t i = 0; i < coordinates.size(); ++i) {
        EXPECT_EQ(*Crd2Idx(coordinates[i], L(a)), static_cast<int64_t>(i)) << a << " " << b;
        EXPECT_EQ(*Crd2Idx(coordinates[i], L(b)), static_cast<int64_t>(i)) << a << " " << b;
      }
    }
  }
}

TEST(Algebra, DomainDistribute) {
  for (const char* const shape : {"(15,14)", "((64,3),(8,8))", "(1,6)", "7"}) {
    for (int64_t count = 1; count <= 64; ++count) {
      const ShapeStrideLayout result = *DomainDistribute(C(shape), count);
      const std::vector<int64_t> values = Values(result);
      for (size_t i = 1; i < values.size(); ++i) EXPECT_LT(values[i - 1], values[i]) << shape << " " << count;
      EXPECT_EQ(count % static_cast<int64_t>(values.size()), 0);
      EXPECT_TRUE(Divide({C(shape), *CompactColMajor(C(shape))}, Tiler::Of(result), Gather::kLogical).has_value());
    }
  }
}

TEST(Algebra, GatheredDivides) {
  EXPECT_EQ(Text(Divide(L("(8,64):(64,1)"), T("(4,16)"), Gather::kZipped)), "((4,16),(2,4)):((64,1),(256,16))");
  EXPECT_EQ(Text(Divide(L("(8,64):(64,1)"), T("(4,16)"), Gather::kTiled)), "((4,16),2,4):((64,1),256,16)");
  EXPECT_EQ(Text(Divide(L("(8,64):(64,1)"), T("(4,16)"), Gather::kFlat)), "(4,16,2,4):(64,1,256,16)");
  EXPECT_EQ(Text(Divide(L("(8,64):(64,1)"), T("(_,16)"), Gather::kLogical)), "(8,(16,4)):(64,(1,16))");
  EXPECT_EQ(Text(Divide(L("(8,64):(64,1)"), T("(_,16)"), Gather::kZipped)).substr(0, 8), "rejected");
  EXPECT_EQ(Text(Divide(L("24:1"), T("(2,2):(1,3)"), Gather::kLogical)).substr(0, 8),
            "rejected");  // loses 8 of 24 elements
  EXPECT_EQ(Text(Divide(L("8:1"), T("(2,2)"), Gather::kLogical)).substr(0, 8), "rejected");
}

TEST(Algebra, RankSensitiveProducts) {
  EXPECT_EQ(Text(BlockedProduct(L("(4,4):(4,1)"), L("(2,3):(1,2)"))), "((4,2),(4,3)):((4,16),(1,32))");
  EXPECT_EQ(Text(RakedProduct(L("(4,4):(4,1)"), L("(2,3):(1,2)"))), "((2,4),(3,4)):((16,4),(32,1))");
  EXPECT_EQ(Text(BlockedProduct(L("3:1"), L("4:1"))), "((3,4)):((1,3))");
  EXPECT_EQ(Text(BlockedProduct(L("(2,5):(5,1)"), L("4:1"))), "((2,4),(5,1)):((5,10),(1,0))");
  EXPECT_EQ(Text(Multiply(L("(2,2):(4,11)"), T("5:1"), Gather::kLogical)).substr(0, 8),
            "rejected");  // copies would overlap
  EXPECT_EQ(Text(TileToShape(L("(4,4):(4,1)"), C("(8,12)"))), "((4,2),(4,3)):((4,16),(1,32))");
  EXPECT_EQ(Text(TileToShape(L("(4,4):(4,1)"), C("(8,12)"), C("(1,0)"))), "((4,2),(4,3)):((4,48),(1,16))");
  EXPECT_EQ(Text(TileToShape(L("4:1"), 12)), "((4,(3))):((1,(4)))");
  EXPECT_EQ(Text(TileToShape(L("(4,4):(4,1)"), C("(6,8)"))).substr(0, 8), "rejected");
  EXPECT_EQ(Text(MakeOrderedLayout(C("(2,3,4)"), C("(1,0,0)"))).substr(0, 8), "rejected");
  for (const char* const order : {"(0,1)", "(1,0)"}) {
    const ShapeStrideLayout tiled = *TileToShape(L("((4,2),(4,3)):((4,16),(1,32))"), C("(16,24)"), C(order));
    EXPECT_TRUE(Compatible(C("(16,24)"), tiled.shape));
    const std::vector<int64_t> values = Values(tiled);
    EXPECT_EQ(std::set(values.begin(), values.end()).size(), 384u);
  }
}

// Results that CuTe's algorithm gets wrong are either right here or rejected.
TEST(Algebra, KnownDefects) {
  EXPECT_EQ(Text(Composition(L("(4,3):(3,1)"), L("6:1"))).substr(0, 8), "rejected");  // pycute: 4:3
  EXPECT_EQ(Text(Composition(L("(2,2):(1,10)"), L("(2,2):(1,1)"))).substr(0, 8), "rejected");
  EXPECT_EQ(Text(Composition(L("(4,8):(1,100)"), L("2:5"))), "2:101");  // CuTe rejects
  EXPECT_EQ(Text(LeftInverse(L("(2,2,2):(1,1,4)"))).substr(0, 8), "rejected");
  EXPECT_EQ(Text(LeftInverse(L("4:-1"))).substr(0, 8), "rejected");
  // The inverse is in a radix that no stride has: 0, 2, 3, 5 are 000, 010, 110, 101 with the lowest digit first.
  EXPECT_EQ(*Crd2Idx(5, *LeftInverse(L("(2,2):(2,3)"))), 3);
  // The first has no inverse in any radix, the second is too large to decide.
  EXPECT_EQ(LeftInverse(L("(6,6):(4,11)")).error().kind, ErrorKind::kInvalidArgument);
  EXPECT_EQ(LeftInverse(L("(4096,2):(2,8191)")).error().kind, ErrorKind::kUnavailable);
  EXPECT_EQ(Text(Complement(L("(2,2):(2,3)"), C("24"))).substr(0, 8), "rejected");
  EXPECT_FALSE(*HasExactComplement(L("(2,2):(1,3)")));
  EXPECT_EQ(Text(Composition(L("(8,8):(8,1)"), T("<2:1>"))), "(2):(8)");
}

TEST(Algebra, AnnotationIsCarriedWhereEveryNumberHasIt) {
  EXPECT_EQ(Text(Composition(L("(_4,_3):(_3,_1)"), L("_8:_1"))), "(_4,_2):(_3,_1)");
  EXPECT_EQ(Text(Composition(L("(_4,_3):(_3,_1)"), L("8:_1"))), "(4,2):(3,1)");
  EXPECT_EQ(Text(Coalesce(L("(_2,_1,6):(_1,_6,2)"), Simplification::kStaticOnly)), "(_2,6):(_1,2)");
  EXPECT_EQ(Text(Complement(L("_4:_2"), IntTuple::Static(16))), "(_2,_2):(_1,_8)");
}

TEST(Algebra, OverflowAndEmptyDomainsAreErrors) {
  const ShapeStrideLayout huge = L("(4,4):(4611686018427387904,1)");
  EXPECT_FALSE(Complement(huge, C("24")).has_value());
  EXPECT_FALSE(Composition(huge, L("3:2")).has_value());
  EXPECT_FALSE(Multiply(L("4611686018427387904:1"), T("4:1"), Gather::kLogical).has_value());
  EXPECT_FALSE(Composition(L("4:1"), L("2:-9223372036854775808")).has_value());
  EXPECT_FALSE(Upcast(L("2:-9223372036854775808"), 2).has_value());
  EXPECT_FALSE(RightInverse(L("(4611686018427387904,4):(1,1)")).has_value());
  for (const auto& result : {Composition(L("(0,4):(1,2)"), L("4:1")), Filter(L("0:1")), RightInverse(L("0:1")),
                             Complement(L("0:1")), Complement(L("4:1"), C("0"))}) {
    EXPECT_FALSE(result.has_value());
  }
}

}  // namespace
}  // namespace layoutcheck
