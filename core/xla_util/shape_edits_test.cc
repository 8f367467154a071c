// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/core/xla_util/shape_edits.h"
#include <gtest/gtest.h>
#include <algorithm>
#include <cstdio>
#include "layoutcheck/core/base/index_stepper.h"
#include "layoutcheck/core/hlo/equality.h"
#include "layoutcheck/core/hlo/parser.h"
#include "layoutcheck/core/hlo/printer.h"
#include "layoutcheck/core/hlo/validate.h"
#include "layoutcheck/core/testing/small_scopes.h"
#include "layoutcheck/core/tiling/tiled_index.h"
#include "layoutcheck/core/xla_util/permutation.h"

namespace layoutcheck {
namespace {

using Numbers = std::vector<int64_t>;

std::string Text(const Expected<Shape>& shape) { return shape ? ToString(*shape) : shape.error().ToString(); }

int64_t At(const Shape& shape, const Numbers& index) { return (*MakeTiledIndex(shape))(index); }

// Calls visit(shape) for every array of rank <= 3 with these sizes and every dimension order.
template <class Visitor>
int64_t ForEachArray(const Numbers& sizes, const Visitor& visit) {
  int64_t arrays = 0;
  for (size_t rank = 0; rank <= 3; ++rank) {
    for (const Numbers& order : AllPermutations(rank)) {
      ForEachTuple(rank, sizes, [&](const Numbers& dimensions) {
        visit(Shape::Array(ElementType::kF32, dimensions, Layout(order)));
        ++arrays;
      });
    }
  }
  return arrays;
}

TEST(ShapeEdits, PermuteDimensionsMovesNoElement) {
  int64_t cases = 0;
  const int64_t arrays = ForEachArray({1, 2, 3}, [&](Shape shape) {
    if (shape.rank() > 0) shape.dynamic_dimensions[0] = true;
    for (const Numbers& permutation : AllPermutations(shape.dimensions.size())) {
      const Shape permuted = *PermuteDimensions(permutation, shape);
      EXPECT_EQ(permuted.dimensions, *Permute(shape.dimensions, permutation));
      EXPECT_EQ(permuted.dynamic_dimensions, *Permute(shape.dynamic_dimensions, permutation));
      ForEachIndex(shape.dimensions, [&](std::span<const int64_t> index) {
        const Numbers at(index.begin(), index.end());
        EXPECT_EQ(At(permuted, *Permute(at, permutation)), At(shape, at));
      });
      EXPECT_EQ(*PermuteDimensions(*InversePermutation(permutation), permuted), shape);
      Shape layout_kept = *PermuteDimensionsIgnoringLayout(permutation, shape);
      EXPECT_EQ(layout_kept.layout, shape.layout);
      EXPECT_EQ(layout_kept.dimensions, permuted.dimensions);
      ++cases;
    }
    const Shape descending = *MakeShapeWithDescendingLayoutAndSamePhysicalLayout(shape);
    EXPECT_EQ(*descending.layout, MakeDescendingLayout(shape.rank()));
    for (int64_t p = 0; p < shape.rank(); ++p) {
      const auto d = static_cast<size_t>(shape.layout->Major(p));
      EXPECT_EQ(descending.dimensions[static_cast<size_t>(p)], shape.dimensions[d]);
      EXPECT_EQ(descending.dynamic_dimensions[static_cast<size_t>(p)], shape.dynamic_dimensions[d]);
    }
  });
  std::printf("%lld arrays, %lld permutations of them\n", static_cast<long long>(arrays),
              static_cast<long long>(cases));
}

TEST(ShapeEdits, PermutationKnownAnswers) {
  EXPECT_EQ(Text(PermuteDimensions(Numbers{1, 2, 0}, *ParseShape("f32[10,20,30]{2,1,0}"))), "f32[20,30,10]{1,0,2}");
  EXPECT_EQ(Text(PermuteDimensions(Numbers{2, 0, 1}, *ParseShape("f32[10,100,1000]{0,1,2}"))),
            "f32[1000,10,100]{1,2,0}");
  EXPECT_EQ(
      Text(PermuteDimensions(Numbers{1, 2, 0}, *ParseShape("bf16[10,<=100,1000]{0,1,2:T(8,128)(2,1)S(1)SC(0:3)}"))),
      "bf16[<=100,1000,10]{2,0,1:T(8,128)(2,1)S(1)SC(0:3)}");
  EXPECT_EQ(Text(PermuteDimensionsIgnoringLayout(Numbers{1, 2, 0}, *ParseShape("f32[10,100,1000]{2,1,0}"))),
            "f32[100,1000,10]{2,1,0}");
  EXPECT_EQ(Text(MakeShapeWithDescendingLayoutAndSamePhysicalLayout(*ParseShape("f32[128,24,?,48,48]{2,4,3,1,0}"))),
            "f32[128,24,48,48,?]{4,3,2,1,0}");
  EXPECT_EQ(Text(MakeShapeWithDescendingLayoutAndSamePhysicalLayout(
                *ParseShape("s4[3,<=5]{0,1:T(2,2)L(8)E(4)S(1)SC(0:2)M(8)}"))),
            "s4[<=5,3]{1,0:T(2,2)L(8)E(4)S(1)}");
}

TEST(ShapeEdits, DeletingDimensions) {
  // Dropping dimensions of size 1 moves no element, and the order of the list does not matter.
  const int64_t arrays = ForEachArray({1, 2, 3}, [&](const Shape& shape) {
    const Shape dropped = *DropDegenerateDimensions(shape);
    Numbers ones;
    for (int64_t d = 0; d < shape.rank(); ++d) {
      if (shape.dimensions[static_cast<size_t>(d)] == 1) ones.push_back(d);
    }
    EXPECT_EQ(*DeleteDimensions(ones, shape), dropped);
    std::ranges::reverse(ones);
    EXPECT_EQ(*DeleteDimensions(ones, shape), dropped);
    ForEachIndex(shape.dimensions, [&](std::span<const int64_t> index) {
      Numbers rest;
      for (size_t d = 0; d < index.size(); ++d) {
        if (shape.dimensions[d] != 1) rest.push_back(index[d]);
      }
      EXPECT_EQ(At(dropped, rest), At(shape, {index.begin(), index.end()}));
    });
    for (int64_t d = 0; d < shape.rank(); ++d) {
      const Shape deleted = *DeleteDimension(d, shape);
      EXPECT_EQ(deleted.layout, *DeleteDimension(*shape.layout, d));
      EXPECT_TRUE(ValidateShape(deleted, MissingLayout::kRejected).has_value());
    }
  });
  std::printf("%lld arrays\n", static_cast<long long>(arrays));
  EXPECT_EQ(Text(DeleteDimension(1, *ParseShape("f32[10,<=20,<=30]{0,2,1:T(2)S(1)SC(0:3)(1:4)}"))),
            "f32[10,<=30]{0,1:T(2)S(1)SC(0:4)}");
  EXPECT_EQ(DeleteDimensions(Numbers{1, 1}, *ParseShape("f32[3,4]")).error().message, "dimension 1 is deleted twice");
  EXPECT_FALSE(DeleteDimension(2, *ParseShape("f32[3,4]")).has_value());
  EXPECT_FALSE(DeleteDimension(-1, *ParseShape("f32[3,4]")).has_value());
  EXPECT_FALSE(DeleteDimensions(Numbers{0}, Shape::Token()).has_value());
}

TEST(ShapeEdits, AddingDimensions) {
  // Deleting the new dimension gives the array back, and the new dimension is where it should be.
  const int64_t arrays = ForEachArray({0, 1, 3}, [&](const Shape& shape) {
    const int64_t rank = shape.rank();
    const auto check = [&](const Expected<Shape>& added, int64_t d, int64_t position) {
      ASSERT_TRUE(added.has_value());
      EXPECT_EQ(added->dimensions[static_cast<size_t>(d)], 7);
      EXPECT_EQ(added->layout->Major(position), d);
      EXPECT_EQ(*DeleteDimension(d, *added), shape);
      EXPECT_TRUE(ValidateShape(*added, MissingLayout::kRejected).has_value());
    };
    check(AppendMajorDimension(7, shape), rank, 0);
    check(AppendMinorDimension(7, shape), rank, rank);
    check(PrependMajorDimension(7, shape), 0, 0);
    for (int64_t at = 0; at <= rank; ++at) {
      const auto minor = std::ranges::find(shape.layout->minor_to_major, at) - shape.layout->minor_to_major.begin();
      const int64_t position = at == rank ? rank : rank - 1 - minor;
      check(InsertDimensionAtIndex(shape, at, 7), at, position);
      EXPECT_EQ(*InsertDimensionsAtIndex(shape, at, Numbers{}), shape);
      // The first of two new dimensions is next to the second one and more major.
      const Shape two = *InsertDimensionsAtIndex(shape, at, Numbers{7, 8});
      EXPECT_EQ(two.layout->Major(position), at);
      EXPECT_EQ(two.layout->Major(position + 1), at + 1);
      EXPECT_EQ(*DeleteDimensions(Numbers{at, at + 1}, two), shape);
    }
  });
  std::printf("%lld arrays\n", static_cast<long long>(arrays));
}

TEST(ShapeEdits, AddingDimensionsKnownAnswers) {
  EXPECT_EQ(Text(AppendMinorDimension(40, *ParseShape("f32[10,20,30]{0,2,1}"))), "f32[10,20,30,40]{3,0,2,1}");
  EXPECT_EQ(Text(AppendMajorDimension(40, *ParseShape("f32[10,20,30]{0,2,1:T(2)SC(0:1)}"))),
            "f32[10,20,30,40]{0,2,1,3:T(2)SC(1:1)}");
  EXPECT_EQ(Text(AppendMajorDimension(int64_t{1} << 33, *ParseShape("pred[]"))), "pred[8589934592]{0}");
  EXPECT_EQ(Text(PrependMajorDimension(40, *ParseShape("f32[10,20,30]{0,2,1}"))), "f32[40,10,20,30]{1,3,2,0}");
  EXPECT_EQ(Text(InsertDimensionAtIndex(*ParseShape("f32[]"), 0, 10)), "f32[10]{0}");
  EXPECT_EQ(Text(InsertDimensionAtIndex(*ParseShape("f32[10,20,30]{0,2,1}"), 1, 40)), "f32[10,40,20,30]{0,3,2,1}");
  EXPECT_EQ(Text(InsertDimensionsAtIndex(*ParseShape("f32[]"), 0, Numbers{10, 20})), "f32[10,20]{1,0}");
  EXPECT_EQ(Text(InsertDimensionsAtIndex(*ParseShape("f32[10,20,30]{0,2,1}"), 1, Numbers{40, 50})),
            "f32[10,40,50,20,30]{0,4,3,2,1}");
  EXPECT_EQ(Text(InsertDimensionAtIndex(*ParseShape("f32[<=10,?]{0,1:T(8)E(32)}"), 1, 40)), "f32[<=10,40,?]{0,2,1}");
  EXPECT_FALSE(InsertDimensionAtIndex(*ParseShape("f32[10]"), 2, 1).has_value());
  EXPECT_FALSE(InsertDimensionAtIndex(*ParseShape("f32[10]"), 0, -1).has_value());
  EXPECT_FALSE(AppendMajorDimension(Shape::kUnboundedSize, *ParseShape("f32[10]")).has_value());
  EXPECT_FALSE(PrependMajorDimension(3, *ParseShape("(f32[10])")).has_value());
}

TEST(ShapeEdits, EqualAndCompatible) {
  const auto equal = [](const char* lhs, const char* rhs, ShapeEqualOptions options = {}) {
    const bool result = Equal(*ParseShape(lhs), *ParseShape(rhs), options);
    EXPECT_EQ(Equal(*ParseShape(rhs), *ParseShape(lhs), options), result);
    return result;
  };
  EXPECT_TRUE(equal("f32[<=4,3]", "f32[<=4,3]"));
  EXPECT_FALSE(equal("f32[<=4,3]", "f32[4,3]"));
  EXPECT_FALSE(equal("f32[?]", "f32[4]"));
  EXPECT_FALSE(equal("f32[?]", "f32[<=4]"));
  EXPECT_TRUE(equal("f32[?]", "f32[4]", {.ignore_dynamic_dimension = true}));
  EXPECT_FALSE(equal("b(s32[3,4]{1,0})", "s32[3,4]{1,0}"));
  EXPECT_TRUE(equal("b(s32[3,4]{1,0})", "s32[3,4]{1,0}", {.ignore_buffer = true}));
  EXPECT_TRUE(equal("(b(s32[3]), b(s32[3]))", "(s32[3], b(s32[3]))", {.ignore_buffer = true}));
  EXPECT_FALSE(equal("b(s32[3])", "s32[4]", {.ignore_buffer = true}));
  EXPECT_FALSE(equal("f32[2,2]{0,1}", "f32[2,2]{1,0}"));
  EXPECT_TRUE(equal("f32[2,2]{0,1}", "f32[2,2]{1,0}", {.ignore_layout = true}));
  EXPECT_TRUE(equal("f32[2,2]{1,0:T(2,2)}", "f32[2,2]{1,0}", {.layout = {.ignore_tiles = true}}));
  EXPECT_TRUE(equal("f32[2]{0:M(8)}", "f32[2]"));
  EXPECT_FALSE(equal("f32[2]", "s32[2]"));
  EXPECT_TRUE(equal("f32[2]", "s32[2]", {.ignore_element_type = true}));
  EXPECT_TRUE(equal("f32[2]", "bf16[2]", {.ignore_fp_precision = true}));
  EXPECT_FALSE(equal("f32[2]", "s32[2]", {.ignore_fp_precision = true}));
  EXPECT_FALSE(equal("c64[2]", "f64[2]", {.ignore_fp_precision = true}));
  EXPECT_TRUE(equal("f32[2]", "f32[3,4]", {.ignore_layout = true, .ignore_dimensions = true}));
  EXPECT_FALSE(equal("(f32[2])", "(f32[2], f32[2])"));
  EXPECT_FALSE(equal("(f32[2])", "f32[2]"));
  EXPECT_FALSE(equal("f32[]", "()"));
  EXPECT_FALSE(equal("token[]", "opaque[]"));
  EXPECT_FALSE(equal("f32[]", "token[]", {.ignore_element_type = true}));
  EXPECT_TRUE(Compatible(*ParseShape("f32[<=4,3]{1,0}"), *ParseShape("f32[4,<=3]{0,1}")));
  EXPECT_TRUE(Compatible(*ParseShape("f32[?]"), *ParseShape("f32[3]")));
  EXPECT_TRUE(Compatible(*ParseShape("(f32[2], token[])"), *ParseShape("(f32[?], token[])")));
  EXPECT_FALSE(Compatible(*ParseShape("f32[2]"), *ParseShape("f32[3]")));
  EXPECT_FALSE(Compatible(*ParseShape("f32[2]"), *ParseShape("s32[2]")));
  EXPECT_FALSE(Compatible(*ParseShape("f32[]"), *ParseShape("()")));
  EXPECT_TRUE(CompatibleIgnoringElementType(*ParseShape("f32[2]"), *ParseShape("s32[2]")));
}

}  // namespace
}  // namespace layoutcheck
