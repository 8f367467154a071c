// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Building blocks of the layouts that attributes of Triton stand for: products of steps, repetition and cutting to a
// shape, and the blocks of a cluster.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>
#include "layoutcheck/core/base/error.h"
#include "layoutcheck/core/linear/linear_layout.h"
#include "layoutcheck/core/linear/triton_attribute.h"

namespace layoutcheck {

using TritonSizes = std::vector<uint64_t>;  // one per dimension of an array, all powers of two

// Return the dimensions of an array, fastest first: the last one first; or as for a matrix whose columns are
// contiguous.
std::vector<size_t> RowMajorOrder(size_t rank);
std::vector<size_t> ColumnMajorOrder(size_t rank);

// A product of layouts, or the first error of a factor.
class Factors {
 public:
  Factors() = default;
  // Begins with one element: the outputs are the dimensions in this order, and `input` is the first input. An array
  // that is larger than the product is repeated in the dimensions in this order.
  Factors(const std::vector<size_t>& order, std::string_view input) {
    for (const size_t d : order) MultiplyIdentity(1, input, d);
  }
  void Multiply(const Expected<LinearLayout>& factor);
  // Multiplies by the identity of one input to the dimension of an array.
  void MultiplyIdentity(uint64_t size, std::string_view input, size_t dimension);
  // Multiplies by copies: `size` values of the input have the same element.
  void MultiplyZero(uint64_t size, std::string_view input, size_t dimension);
  const Expected<LinearLayout>& product() const { return product_; }

 private:
  Expected<LinearLayout> product_ = LinearLayout();
};

// Returns the layout with its outputs in the order of the dimensions.
Expected<LinearLayout> InOrder(const Expected<LinearLayout>& layout, const std::vector<size_t>& order);
Expected<LinearLayout> InStandardOrder(const Expected<LinearLayout>& layout);
// Returns the layout in which this dimension is 0 for all inputs, and has size 1.
Expected<LinearLayout> WithoutDimension(const LinearLayout& layout, size_t dimension);

// Returns the layout of the images of these inputs, with outputs just large enough.
Expected<LinearLayout> LayoutOfImages(TritonEntries& entries, const std::vector<std::string_view>& names, size_t rank);

// Says what becomes of a bit of the input that would lead outside the array.
enum class CutBit { kHasNoEffect, kIsRemovedFromRegisters };

// Repeats the layout until each dimension has at least its size; the repetitions count in the first input.
Expected<LinearLayout> NotSmallerThan(const LinearLayout& layout, const TritonSizes& sizes);
// Cuts each dimension to its size. An image that leaves the array in a dimension becomes 0 in that dimension.
Expected<LinearLayout> NotLargerThan(const LinearLayout& layout, const TritonSizes& sizes, CutBit cut_bit);
// Repeats the layout where it is too small, then cuts it where it is too large.
Expected<LinearLayout> Fitted(const Expected<LinearLayout>& layout, const TritonSizes& sizes,
                              CutBit cut_bit = CutBit::kHasNoEffect);

// Returns the layout of the blocks of a cluster: from `block` to the part of the array, counted in parts. It is that of
// one block without CGALayout or CTAsPerCGA, CTASplitNum and CTAOrder.
Expected<LinearLayout> ClusterLayout(TritonEntries& entries, size_t rank);
// Returns the part of each dimension that one block has.
TritonSizes PartSizes(const LinearLayout& cluster, TritonSizes sizes);
// Joins the layout within a block and that of the blocks. `within` has no `block`, and is repeated or cut to the part
// of a block, in the order of its outputs. The result has its dimensions in order.
Expected<LinearLayout> Joined(const Expected<LinearLayout>& within, const LinearLayout& cluster,
                              const TritonSizes& sizes);

}  // namespace layoutcheck
