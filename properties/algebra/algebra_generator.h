// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>
#include "layoutcheck/core/linear/linear_layout.h"
#include "layoutcheck/core/shape_stride/shape_stride_layout.h"
#include "layoutcheck/core/shape_stride/swizzle.h"
#include "layoutcheck/core/shape_stride/tla.h"
#include "layoutcheck/properties/generate/choices.h"
#include "layoutcheck/properties/generate/layout_pattern.h"

namespace layoutcheck {

// The views of one case, as texts of core/shape_stride/view.h.
struct DrawnViews {
  std::string view;
  std::string tile_view;     // begins at a multiple of its tile in each mode
  std::string slice;         // keeps some modes whole and fixes the others
  std::string view_of_view;  // two views
};

// Draws views of `a` or of a fractal layout with up to 70 rows and columns, given modulo 70; one third of them with
// more than 2^32 rows or columns. Origins are at 0, at blocks, anywhere, at powers of two, and behind the end.
DrawnViews DrawViews(Choices& choices, const ShapeStrideLayout& a, TlaTag tag, int64_t element_bits, int64_t rows,
                     int64_t columns);

// The layouts in bits of one case.
struct DrawnLinear {
  // Up to three inputs and up to three outputs, of up to 3 bits each; one layout in eight has 30 bits more.
  LinearLayout layout;
  LinearLayout outer;        // its inputs are the outputs of `layout` in any order, one of them perhaps larger
  LinearLayout factor;       // may share names with `layout`
  LinearLayout product;      // mostly that of `layout` and `factor`, sometimes with another image
  LinearLayout onto;         // its outputs are those of `layout` in any order, and it takes every value
  uint64_t number = 0;       // of an input of `layout`
  std::string input;         // a name of `layout`
  std::string input_sizes;   // "[a:4,b:2]": as many bits as the inputs of `layout` together
  std::string output_sizes;  // as many bits as its outputs together
  std::string attribute;     // blocked or swizzled_shared of Triton, with its shape
};

DrawnLinear DrawLinear(Choices& choices);

// A question what a tag makes.
struct DrawnTag {
  std::string tag = "RowMajor";         // tag, with the sizes of its blocks if they are not the usual ones: "zN<8,4>"
  std::vector<int64_t> sizes = {1, 1};  // rows and columns, or one per dimension of a tensor
};

// The arguments of one case. Each law takes the ones that its function needs.
struct AlgebraCase {
  ShapeStrideLayout a;
  ShapeStrideLayout b;  // composable with `a`: its values are coordinates of `a`
  int64_t number = 1;   // a factor, or the size of a codomain
  int64_t coordinate = 0;
  ShapeStrideLayout twin;  // a layout of the same shape as `a`
  // A shape whose modes are mostly those of `a` times 1 to 3, sometimes with one more mode, and the order in which `a`
  // is repeated along its modes.
  IntTuple tiled_shape = 1;
  IntTuple order = 0;
  Swizzle swizzle;
  Swizzle other_swizzle;  // mostly of the same shift as `swizzle`
  int64_t offset = 0;     // between swizzle and layout
  int64_t power = 1;      // a factor that is a power of two
  int64_t old_bits = 16;
  int64_t new_bits = 16;
  TlaTag tag = TlaTag::kRowMajor;
  int64_t element_bits = 16;
  // Mostly up to 70, about those of a fractal in the cases of families, and up to 2^33 in one case of four.
  int64_t rows = 1;
  int64_t columns = 1;
  int64_t row = 0;  // a coordinate; it may be past the last row, which is then meant
  int64_t column = 0;
  DrawnTag made;  // of the question what a tag makes
  DrawnViews views;
  DrawnLinear linear;
  std::string axes;                     // an expression of properties/axis
  std::string shards;                   // an array with a sharding
  std::vector<std::string> reshard;     // two shardings of one array
  std::vector<std::string> shard_view;  // an array with a sharding, and the sizes of a view
};

// Draws a layout of one to three modes, some nested, with at most 256 coordinates. One third are tractable (compact in
// some order, perhaps with equal gaps between all elements), one third injective with irregular gaps, one third
// arbitrary with zeros, repetitions and negative strides. The first choice is always the simplest.
ShapeStrideLayout DrawShapeStrideLayout(Choices& choices);

// Draws the cases of a random run of algebra laws: one third from the family `cute`, with the tags and sizes of the
// family `fractal`, the others with `a` from DrawShapeStrideLayout. Cases are the same on every machine and in any
// order.
class AlgebraCaseSource {
 public:
  AlgebraCaseSource();
  // Draws every case from the patterns in shape:stride notation, which must outlive the source.
  explicit AlgebraCaseSource(std::span<const LayoutPattern> patterns);

  // Returns true if there is nothing to draw from, because no pattern is in shape:stride notation.
  bool empty() const { return patterns_.empty(); }
  // Returns the pattern from which case `number` is drawn, or null.
  const LayoutPattern* PatternOf(uint64_t number) const;
  // Draws a case of a pattern, or a random one if it is null, with its views and layouts in bits.
  static AlgebraCase Draw(Choices& choices, const LayoutPattern* pattern);

 private:
  bool patterns_only_ = false;
  std::vector<const LayoutPattern*> patterns_;
};

}  // namespace layoutcheck
