// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/core/hlo/shape.h"
#include <gtest/gtest.h>
#include <functional>
#include <vector>

namespace layoutcheck {
namespace {

// Returns edits that each change one field of a shape or of its layout.
const std::vector<std::function<void(Shape&)>>& FieldEdits() {
  static const std::vector<std::function<void(Shape&)>> edits = {
      [](Shape& s) { s.element_type = ElementType::kBF16; },
      [](Shape& s) { s.dimensions[0] = 7; },
      [](Shape& s) { s.dynamic_dimensions[1] = true; },
      [](Shape& s) { s.layout.reset(); },
      [](Shape& s) { s.elements.push_back(Shape::Token()); },
      [](Shape& s) { s.layout->minor_to_major = {0, 1}; },
      [](Shape& s) { s.layout->tiles[0].dimensions[1] = 64; },
      [](Shape& s) { s.layout->tiles.push_back({{2, 1}}); },
      [](Shape& s) { s.layout->tail_padding_alignment_in_elements = 1024; },
      [](Shape& s) { s.layout->index_primitive_type = ElementType::kU32; },
      [](Shape& s) { s.layout->pointer_primitive_type = ElementType::kU32; },
      [](Shape& s) { s.layout->element_size_in_bits = 4; },
      [](Shape& s) { s.layout->memory_space = 1; },
      [](Shape& s) { s.layout->split_configs.push_back({0, {1}}); },
      [](Shape& s) { s.layout->physical_shape.push_back(Shape::Token()); },
      [](Shape& s) { s.layout->dynamic_shape_metadata_prefix_bytes = 32; },
  };
  return edits;
}

Shape Example() { return Shape::Array(ElementType::kF32, {3, 5}, Layout({1, 0}, {{{8, 128}}})); }

TEST(Shape, EqualityAndHashLookAtEveryField) {
  std::vector<Shape> variants = {Example()};
  for (const auto& edit : FieldEdits()) {
    variants.push_back(Example());
    edit(variants.back());
  }
  for (size_t i = 0; i < variants.size(); ++i) {
    for (size_t j = 0; j < variants.size(); ++j) {
      EXPECT_EQ(variants[i] == variants[j], i == j) << i << " " << j;
      EXPECT_EQ(HashValue(variants[i]) == HashValue(variants[j]), i == j) << i << " " << j;
    }
    const Shape copy = variants[i];
    EXPECT_EQ(std::hash<Shape>()(copy), HashValue(variants[i]));
  }
}

TEST(Shape, OnlyArraysHaveARank) {
  EXPECT_EQ(Shape::Array(ElementType::kF32, {1, 3, 0, 1, 2}).rank(), 5);
  EXPECT_EQ(Shape::Token().rank(), 0);
}

TEST(Shape, ConventionalDimensionLetters) {
  const auto names = [](int64_t rank) {
    std::vector<std::string> result;
    for (int64_t d = 0; d < rank; ++d) result.push_back(DimensionName(d, rank));
    return result;
  };
  EXPECT_EQ(names(1), (std::vector<std::string>{"d0"}));
  EXPECT_EQ(names(2), (std::vector<std::string>{"y", "x"}));
  EXPECT_EQ(names(3), (std::vector<std::string>{"z", "y", "x"}));
  EXPECT_EQ(names(4), (std::vector<std::string>{"p", "z", "y", "x"}));
  EXPECT_EQ(names(5).back(), "d4");
}

TEST(ElementType, WidthsAndNames) {
  EXPECT_EQ(ArrayElementTypes().size(), 32u);
  for (const ElementType type : ArrayElementTypes()) {
    EXPECT_EQ(ElementTypeFromName(ElementTypeName(type)), type);
    EXPECT_EQ(ByteWidth(type), (BitWidth(type) + 7) / 8);
  }
  EXPECT_EQ(BitWidth(ElementType::kF6E3M2FN), 6);
  EXPECT_EQ(BitWidth(ElementType::kC128), 128);
  EXPECT_EQ(ByteWidth(ElementType::kPred), 1);
  EXPECT_FALSE(IsIntegral(ElementType::kPred));
  EXPECT_TRUE(IsUnsignedIntegral(ElementType::kU1));
  EXPECT_FALSE(IsSubByteNonPred(ElementType::kPred));
  EXPECT_TRUE(IsSubByteNonPred(ElementType::kF4E2M1FN));
  for (const char* name : {"opaque_type", "tuple", "buffer", "f8e4m3b11", "bool", "i32", "c32", "F32", ""}) {
    EXPECT_FALSE(ElementTypeFromName(name).has_value()) << name;
  }
}

TEST(Layout, ConstructorsAndPositions) {
  EXPECT_EQ(MakeDescendingLayout(3).minor_to_major, (std::vector<int64_t>{2, 1, 0}));
  EXPECT_EQ(MakeAscendingLayout(0).minor_to_major, (std::vector<int64_t>{}));
  const Layout layout({3, 2, 0, 1});
  EXPECT_EQ(layout.Major(0), 1);
  EXPECT_EQ(layout.Minor(0), 3);
}

}  // namespace
}  // namespace layoutcheck
