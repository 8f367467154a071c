// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/properties/mlir/memref_type.h"
#include <gtest/gtest.h>

namespace layoutcheck {
namespace {

TEST(MemRefType, CanonicalText) {
  struct Case {
    const char* text;
    const char* canonical;
  };
  for (const Case& c :
       {Case{"memref<f32>", "memref<f32>"},
        Case{"memref<f32,strided<[],offset:5>>", "memref<f32, strided<[], offset: 5>>"},
        Case{" memref < 4 x? x f32 , strided < [ ? , 01 ] , offset : 0 > > ", "memref<4x?xf32, strided<[?, 1]>>"},
        Case{"memref<4xf32, strided<[- 1], offset: -3>>", "memref<4xf32, strided<[-1], offset: -3>>"},
        Case{"memref<4x4xf32, affine_map<(d0, d1)[] -> (d0, (d1))>>", "memref<4x4xf32>"},
        Case{"memref<4x4xf32, affine_map<(d1, d0)[s1] -> (d0 floordiv 4 + s1, -d1)>>",
             "memref<4x4xf32, affine_map<(d0, d1)[s0] -> ((d1 floordiv 4) + s0, d0 * -1)>>"},
        Case{"memref<4xf32, affine_map<(d0) -> ()>>", "memref<4xf32, affine_map<(d0) -> ()>>"}}) {
    const auto type = MemRefType::Parse(c.text);
    ASSERT_TRUE(type) << c.text << ": " << type.error().ToString();
    EXPECT_EQ(type->ToString(), c.canonical);
    const auto again = MemRefType::Parse(type->ToString());
    ASSERT_TRUE(again) << type->ToString();
    EXPECT_EQ(again->ToString(), type->ToString());
  }
}

TEST(MemRefType, WhatIsNone) {
  struct Case {
    const char* text;
    const char* error;
  };
  for (const Case& c :
       {Case{"", "column 1: expected 'memref<'"},
        Case{"memref<4x4>", "column 11: expected 'x'"},
        Case{"memref<4x4xf32", "column 15: expected '>'"},
        Case{"memref<4x4xf32>>", "column 16: expected the end"},
        Case{"memref<4xf32, strided<[--1]>>", "column 25: expected a decimal literal within int64, or '?'"},
        Case{"memref<-4xf32>", "column 8: expected an element type"},
        Case{"memref<4xf32, strided<[0x1]>>", "column 25: expected no hexadecimal literal"},
        Case{"memref<4xf32, strided<[0]>>", "expected strides other than 0"},
        Case{"memref<4xf32, strided<[1, 1]>>", "expected a stride for each dimension"},
        Case{"memref<4xf32, strided<[1,]>>", "column 26: expected a decimal literal within int64, or '?'"},
        Case{"memref<4xf32, strided<[9223372036854775808]>>",
             "column 24: expected a decimal literal within int64, or '?'"},
        Case{"memref<4xf32, strided<[1], strided<[1]>>", "column 35: expected 'offset:'"},
        Case{"memref<4xf32, strided<[1]>, strided<[1]>>", "column 28: expected no second layout"},
        Case{"memref<4xf32, affine_map<(d0, d0) -> (d0)>>", "column 33: expected a name that is new"},
        Case{"memref<4xf32, affine_map<(d0) -> (d1)>>", "expected a name of the map, got d1"},
        Case{"memref<4xf32, affine_map<(d0) -> (d0,)>>", "column 38: expected an integer, d0, s0 or '('"},
        Case{"memref<4x4xf32, affine_map<(d0, d1) -> (d0 * d1)>>", "expected a factor without dimensions"},
        Case{"memref<4x4xf32, affine_map<(d0, d1) -> (d0 mod d1)>>", "expected a divisor without dimensions"},
        Case{"memref<4xf32, affine_map<(d0) -> (d0 mod (2 - 2))>>", "expected a positive divisor of mod"},
        Case{"memref<4xf32, affine_map<(d0, d1) -> (d0)>>", "expected a dimension of the map for each dimension"}}) {
    const auto type = MemRefType::Parse(c.text);
    ASSERT_FALSE(type) << c.text;
    EXPECT_EQ(type.error().ToString(), c.error) << c.text;
  }
  EXPECT_FALSE(MemRefType::Parse("memref<4xf32, affine_map<(d0) -> (" + std::string(100000, '-') + "d0)>>"));
}

TEST(MemRefType, Views) {
  struct Case {
    const char* type;
    std::vector<std::string> view;
    const char* result;  // text of the view, or of the error
  };
  const std::vector<Case> cases = {
      {"memref<4x6xf32, strided<[6, 1], offset: 2>>",
       {"subview", "1,2", "2,3", "1,2"},
       "memref<2x3xf32, strided<[6, 2], offset: 10>>"},
      {"memref<4x6xf32>", {"subview", "0,0", "4,6", "1,1"}, "memref<4x6xf32, strided<[6, 1]>>"},
      {"memref<?x6xf32, strided<[?, 1]>>",
       {"subview", "1,0", "2,6", "2,1"},
       "memref<2x6xf32, strided<[?, 1], offset: ?>>"},
      {"memref<?x6xf32, strided<[?, 1]>>",
       {"subview", "0,3", "2,2", "1,1"},
       "memref<2x2xf32, strided<[?, 1], offset: 3>>"},
      {"memref<8xf32, strided<[4611686018427387904]>>",
       {"subview", "4", "2", "1"},
       "a stride or an offset outside int64"},
      {"memref<8xf32, strided<[1], offset: 9223372036854775807>>",
       {"subview", "1", "2", "1"},
       "an offset outside int64"},
      {"memref<4x6xf32>", {"transpose", "1,0"}, "memref<6x4xf32, strided<[1, 6]>>"},
      {"memref<4x6xf32>", {"transpose", "1,1"}, "expected every dimension once"},
      {"memref<4x6x2xf32, strided<[24, 4, 2]>>", {"collapse_shape", "1,2"}, "memref<4x12xf32, strided<[24, 2]>>"},
      {"memref<4x1x2xf32, strided<[2, 7, 1]>>", {"collapse_shape", "3"}, "memref<8xf32, strided<[1]>>"},
      {"memref<4x6xf32, strided<[7, 1]>>", {"collapse_shape", "2"}, "the dimensions are not contiguous"},
      {"memref<4x6xf32>", {"collapse_shape", "1"}, "expected groups of all dimensions"},
      {"memref<4xf32, affine_map<(d0) -> (d0 mod 2)>>", {"transpose", "0"}, "a map is no strided layout"},
      {"memref<4294967296x4294967296x4294967296xf32>", {"transpose", "0,1,2"}, "a stride outside int64"},
  };
  for (const Case& c : cases) {
    const auto type = MemRefType::Parse(c.type);
    ASSERT_TRUE(type) << c.type;
    const auto view = ViewOf(*type, c.view);
    EXPECT_EQ(view ? view->ToString() : view.error().message, c.result) << c.type;
  }
}

}  // namespace
}  // namespace layoutcheck
