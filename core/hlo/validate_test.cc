// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/core/hlo/validate.h"
#include <gtest/gtest.h>
#include <functional>
#include <limits>
#include <string>
#include <vector>

namespace layoutcheck {
namespace {

constexpr int64_t kMax = std::numeric_limits<int64_t>::max();
constexpr int64_t kHuge = int64_t{1} << 62;

Shape F32(std::vector<int64_t> dimensions, std::vector<int64_t> order, std::vector<Tile> tiles = {}) {
  return Shape::Array(ElementType::kF32, std::move(dimensions), Layout(std::move(order), std::move(tiles)));
}

Shape Edited(Shape shape, const std::function<void(Shape&)>& edit) {
  edit(shape);
  return shape;
}

std::string ErrorOf(const Shape& shape, MissingLayout missing = MissingLayout::kAllowed) {
  const Expected<void> result = ValidateShape(shape, missing);
  if (result) return "";
  EXPECT_EQ(result.error().kind, ErrorKind::kInvalidLayout);
  return result.error().message;
}

struct Row {
  Shape shape;
  std::string_view error;  // part of the message; empty for a valid shape
};

TEST(Validate, Layouts) {
  const auto scalar = [](auto edit) { return Edited(F32({}, {}), edit); };
  const auto vector4 = [](auto edit) { return Edited(F32({4}, {0}), edit); };
  const auto split = [](std::vector<SplitConfig> splits) {
    return Edited(F32({4, 8}, {0, 1}), [&](Shape& s) { s.layout->split_configs = splits; });
  };
  const Row rows[] = {
      {F32({2, 3}, {1, 0}), ""},
      {F32({}, {}, {{{128}}}), ""},
      {F32({3}, {0}, {{{8, 128}}}), ""},
      {F32({4}, {0}, {{{8, 128}}, {{2, 1}}, {{4}}}), ""},
      {F32({4}, {0}, {{{Tile::kCombineDimension}}}), ""},
      {F32({4}, {0}, {{{kMax, kMax}}}), ""},
      {F32({2, 3}, {0, 1, 2}), "layout minor_to_major field contains 3 elements, but shape has 2 dimensions: {0,1,2}"},
      {F32({2, 3}, {}), "contains 0 elements, but shape has 2 dimensions"},
      {F32({2, 3}, {0, 2}), "has out-of-bounds value 2 at position 1: expected 0 to 1"},
      {F32({2, 3}, {-1, 0}), "has out-of-bounds value -1 at position 0"},
      {F32({2, 3}, {1, 1}), "has duplicate values: dimension 1 again at position 1"},
      {F32({2, 3, 4}, {1, 1, 7}), "has duplicate values"},
      {F32({2, 3, 4}, {7, 1, 1}), "has out-of-bounds value 7"},
      {vector4([](Shape& s) { s.layout->tail_padding_alignment_in_elements = 1024; }), ""},
      {vector4([](Shape& s) { s.layout->tail_padding_alignment_in_elements = 0; }),
       "layout tail_padding_alignment_in_elements field is <= 0: {0}"},
      {vector4([](Shape& s) { s.layout->tail_padding_alignment_in_elements = -1; }), "is <= 0: {-1}"},
      {vector4([](Shape& s) { s.layout->index_primitive_type = ElementType::kU32; }),
       "layout has a index_primitive_type"},
      {vector4([](Shape& s) { s.layout->pointer_primitive_type = ElementType::kU32; }), "pointer_primitive_type"},
      {vector4([](Shape& s) { s.layout->physical_shape.push_back(Shape::Token()); }), "physical_shape"},
      {F32({4}, {0}, {{{2}}, {{}}}), "layout has invalid tiles: tile 1 has no dimensions"},
      {F32({8, 8}, {1, 0}, {{{2, -2}}}),
       "layout has invalid tiles: tile dimension -2 must be positive or '*' (tile 0, position 1)"},
      {F32({8, 8}, {1, 0}, {{{0, 2}}}), "tile dimension 0 must be positive"},
      {vector4([](Shape& s) { s.layout->element_size_in_bits = 1000000; }), ""},
      {vector4([](Shape& s) { s.layout->element_size_in_bits = -1; }),
       "layout element_size_in_bits field is negative: -1"},
      {vector4([](Shape& s) { s.layout->memory_space = -7; }), ""},
      {vector4([](Shape& s) { s.layout->dynamic_shape_metadata_prefix_bytes = -5; }), ""},
      {split({{0, {}}}), ""},
      {split({{0, {7}}, {1, {3}}}), ""},
      {split({{1, {4}}}), "split config split index is out of bounds: 4 in physical dimension 1 of size 4"},
      {split({{2, {1}}}), "split config has out-of-bounds physical dimension 2: expected 0 to 1"},
      {split({{-1, {1}}}), "out-of-bounds physical dimension -1"},
      {split({{0, {1}}, {0, {1}}}), "split config has duplicate physical dimension 0"},
      {split({{1, {1}}, {0, {1}}, {0, {1}}}), "split config has duplicate physical dimension 0"},
      {split({{0, {0}}}), "split config split indices must be strictly increasing and positive: 0"},
      {split({{0, {2, 2}}}), "strictly increasing and positive: 2 after 2"},
      {split({{0, {3, 1}}}), "strictly increasing and positive: 1 after 3"},
      {scalar([](Shape& s) { s.layout->split_configs = {{0, {}}}; }), "the shape has no dimensions"},
  };
  for (const Row& row : rows) {
    if (row.error.empty()) {
      EXPECT_EQ(ErrorOf(row.shape), "");
    } else {
      EXPECT_NE(ErrorOf(row.shape).find(row.error), std::string::npos) << ErrorOf(row.shape) << "\nnot: " << row.error;
    }
  }
}

// If several rules are broken, the error is that of the earliest rule in XLA's order.
TEST(Validate, FirstRuleFirst) {
  const std::vector<std::pair<std::function<void(Shape&)>, std::string>> breaks_in_order = {
      {[](Shape& s) { s.dimensions[0] = -1; }, "Negative dimension"},
      {[](Shape& s) { s.layout->minor_to_major = {0, 0}; }, "duplicate values"},
      {[](Shape& s) { s.layout->tail_padding_alignment_in_elements = 0; }, "tail_padding"},
      {[](Shape& s) { s.layout->index_primitive_type = ElementType::kU8; }, "index_primitive_type"},
      {[](Shape& s) { s.layout->pointer_primitive_type = ElementType::kU8; }, "pointer_primitive_type"},
      {[](Shape& s) { s.layout->physical_shape.push_back(Shape::Token()); }, "physical_shape"},
      {[](Shape& s) { s.layout->tiles = {{{0}}}; }, "invalid tiles"},
      {[](Shape& s) { s.layout->element_size_in_bits = -1; }, "element_size_in_bits"},
      {[](Shape& s) { s.layout->split_configs = {{5, {}}}; }, "split config"},
  };
  for (size_t first = 0; first < breaks_in_order.size(); ++first) {
    Shape shape = F32({4, 4}, {1, 0});
    for (size_t i = first; i < breaks_in_order.size(); ++i) breaks_in_order[i].first(shape);
    EXPECT_NE(ErrorOf(shape).find(breaks_in_order[first].second), std::string::npos) << ErrorOf(shape);
  }
}

TEST(Validate, Dimensions) {
  const auto dynamic = [](std::vector<int64_t> dimensions, std::vector<bool> flags) {
    Shape shape = Shape::Array(ElementType::kF32, std::move(dimensions));
    shape.dynamic_dimensions = std::move(flags);
    return shape;
  };
  const auto f32 = [](std::vector<int64_t> dimensions) {
    return Shape::Array(ElementType::kF32, std::move(dimensions));
  };
  const Row rows[] = {
      {f32({}), ""},
      {f32({0, kHuge, 8}), ""},
      {f32({kHuge, 8, 0}), "Dimensions overflow: int64 cannot hold their product up to index 1"},
      {f32({kMax}), "shape size may overflow int64"},
      {f32({kMax / 4}), ""},
      {f32({kMax / 4 + 1}), "shape size may overflow int64"},
      {Shape::Array(ElementType::kS4, {kMax}), ""},
      {f32({2, -3}), "Negative dimension at index 1: -3"},
      {dynamic({5, Shape::kUnboundedSize}, {true, true}), ""},
      {dynamic({kHuge, Shape::kUnboundedSize, 8}, {false, true, false}), "Dimensions overflow"},
      {dynamic({Shape::kUnboundedSize, Shape::kUnboundedSize}, {true, false}), "Invalid dimension size at index 1"},
      {dynamic({5}, {}), "1 dimensions, but 0 dynamic flags"},
      {Edited(Shape::Token(), [](Shape& s) { s.dimensions = {1}; }), "token shape must have no dimensions"},
      {Edited(Shape::Opaque(), [](Shape& s) { s.elements.push_back(Shape::Token()); }), "opaque shape has no elements"},
      {Edited(Shape::Tuple({}), [](Shape& s) { s.dimensions = {1}; }), "tuple shape must have no dimensions"},
      {Edited(f32({2}), [](Shape& s) { s.elements.push_back(Shape::Token()); }), "an array shape has no elements"},
      {Edited(Shape::Token(), [](Shape& s) { s.element_type = static_cast<ElementType>(2000); }),
       "invalid element type 2000"},
      {Edited(Shape::Token(), [](Shape& s) { s.element_type = static_cast<ElementType>(-562); }),
       "invalid element type -562"},
      {Edited(Shape::Token(), [](Shape& s) { s.element_type = static_cast<ElementType>(0); }),
       "invalid element type 0"},
      {Shape::Buffer(f32({2})), ""},
      {Shape::Buffer(Shape::Token()), "buffer shape must hold one array"},
      {Edited(Shape::Tuple({}), [](Shape& s) { s.element_type = ElementType::kBuffer; }),
       "buffer shape must hold one array"},
      {Shape::Token(), ""},
      {Shape::Opaque(), ""},
      {Shape::Tuple({}), ""},
  };
  for (const Row& row : rows) {
    if (row.error.empty()) {
      EXPECT_EQ(ErrorOf(row.shape), "");
    } else {
      EXPECT_NE(ErrorOf(row.shape).find(row.error), std::string::npos) << ErrorOf(row.shape) << "\nnot: " << row.error;
    }
  }
}

TEST(Validate, TuplesAndMissingLayouts) {
  const Shape plain = Shape::Array(ElementType::kF32, {1, 2});
  const Shape nested =
      Shape::Tuple({Shape::Tuple({Shape::Tuple({F32({1, 2}, {1, 0})}), plain}), Shape::Tuple({F32({9}, {0, 2, 3})})});
  EXPECT_EQ(ErrorOf(nested),
            "layout minor_to_major field contains 3 elements, but shape has 1 dimensions: {0,2,3} (element 1.0)");
  EXPECT_EQ(ErrorOf(nested, MissingLayout::kRejected), "shape f32[1,2] does not have a layout (element 0.1)");
  EXPECT_EQ(ErrorOf(plain), "");
  EXPECT_EQ(ErrorOf(plain, MissingLayout::kRejected), "shape f32[1,2] does not have a layout");
  EXPECT_EQ(ErrorOf(Shape::Buffer(plain), MissingLayout::kRejected),
            "shape f32[1,2] does not have a layout (element 0)");
  EXPECT_EQ(ErrorOf(Shape::Tuple({Shape::Token(), Shape::Opaque(), Shape::Tuple({})}), MissingLayout::kRejected), "");
  EXPECT_EQ(ErrorOf(Shape::Tuple({Shape::Token(), Shape::Buffer(Shape::Tuple({plain}))})),
            "buffer shape must hold one array (element 1)");
  Shape deep = plain;
  for (int depth = 0; depth < 8; ++depth) deep = Shape::Tuple({std::move(deep)});
  EXPECT_EQ(ErrorOf(deep, MissingLayout::kRejected), "shape f32[1,2] does not have a layout (element 0.0.0.0.0.0.0.0)");
  deep = Shape::Tuple({std::move(deep)});
  EXPECT_EQ(ErrorOf(deep, MissingLayout::kRejected),
            "shape f32[1,2] does not have a layout (element 0.0.0.0.0.0.0.0...)");
  // Dimensions are checked everywhere before any layout.
  EXPECT_EQ(ErrorOf(Shape::Tuple({F32({9}, {}), F32({-9}, {0})})), "Negative dimension at index 0: -9 (element 1)");
  EXPECT_FALSE(ValidateLayoutForShape(Layout(), Shape::Tuple({})).has_value());
  EXPECT_TRUE(ValidateLayoutForShape(Layout({5}, {{{0}}}), Shape::Token()).has_value());
  EXPECT_TRUE(ValidateLayoutForShape(Layout({1, 0}), Shape::Buffer(plain)).has_value());
  EXPECT_FALSE(ValidateLayoutForShape(Layout({1}), Shape::Buffer(plain)).has_value());
  // A buffer without an array and an array with an element are not valid themselves.
  Shape nothing;
  nothing.element_type = ElementType::kBuffer;
  EXPECT_TRUE(ValidateLayoutForShape(Layout({1}), nothing).has_value());
  Shape with_element = F32({2}, {0});
  with_element.elements = {plain};
  EXPECT_TRUE(ValidateLayoutForShape(Layout({0}), with_element).has_value());
}

TEST(Validate, ManyDimensions) {
  constexpr int64_t kRank = 1000;
  Shape shape = Shape::Array(ElementType::kF32, std::vector<int64_t>(kRank, 1), MakeDescendingLayout(kRank));
  EXPECT_EQ(ErrorOf(shape), "");
  for (const size_t position : {size_t{5}, size_t{63}, size_t{64}, size_t{65}, size_t{998}}) {
    Shape twice = shape;
    twice.layout->minor_to_major[position + 1] = twice.layout->minor_to_major[position];
    EXPECT_NE(ErrorOf(twice).find("duplicate values"), std::string::npos) << position;
  }
}

}  // namespace
}  // namespace layoutcheck
