// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The layouts of Triton's attributes, one function per attribute. Each returns the layout of the entries for an array
// of these sizes; errors are those of the entries, which it keeps there, or its own. triton_layout.h has the table of
// the attributes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include "layoutcheck/core/base/error.h"
#include "layoutcheck/core/linear/linear_layout.h"
#include "layoutcheck/core/linear/triton_attribute.h"
#include "layoutcheck/core/linear/triton_factors.h"

namespace layoutcheck {

// The kind of place that a layout says the elements of.
enum class TritonMemory { kRegisters, kShared, kTensorMemory };

// Returns the layout of an attribute, which must be one of this memory. Without sizes, they are those of its images.
// Errors: those of ParseTritonLayout; another memory, and padding, which is not linear (unsupported).
Expected<LinearLayout> LayoutOfTritonAttribute(const TritonAttribute& attribute,
                                               const std::optional<TritonSizes>& sizes, TritonMemory memory);

// triton_distributed.cc
Expected<LinearLayout> BlockedLayout(TritonEntries& entries, const TritonSizes& sizes);
Expected<LinearLayout> SliceLayout(TritonEntries& entries, const TritonSizes& sizes);
// A rule of Triton for the images of an attribute. An image that is 0 makes copies, which every rule allows. By all
// rules but kAny, each element has a place.
enum class ImageRule {
  kOneBitEach,  // an image is a single bit, and no two images are equal
  kOnto,        // an image of a register is a single bit, and one of a lane or a block is in one dimension
  kInvertible,  // no image is a sum of others, and the shape is that of the images
  kAny,
};
// Returns the layout that the entries of these names give by their images, repeated or cut to the shape if there is
// one.
Expected<LinearLayout> ImagesLayout(TritonEntries& entries, const std::vector<std::string_view>& inputs,
                                    const std::optional<TritonSizes>& sizes, ImageRule rule);

// An operand of a product of matrices, A (0) or B (1), whose attribute names that of the result.
struct TritonOperand {
  size_t index = 0;
  size_t inner = 0;  // the dimension along which the product sums
  size_t outer = 0;  // the other one of the matrix
  // Elements along the inner dimension that a thread holds side by side; 0 if the attribute does not say so.
  uint64_t width = 0;

  // Returns the dimensions of an operand whose inner dimension is contiguous, fastest first.
  std::vector<size_t> Order(size_t rank) const { return index == 0 ? RowMajorOrder(rank) : ColumnMajorOrder(rank); }
};
// Returns the blocks of a cluster for an operand: those that differ in the inner dimension alone have copies.
Expected<LinearLayout> OperandCluster(TritonEntries& parent, const TritonOperand& operand, size_t rank);

// triton_mma.cc
Expected<LinearLayout> NvidiaMmaLayout(TritonEntries& entries, const TritonSizes& sizes);
Expected<LinearLayout> DotOperandLayout(TritonEntries& entries, const TritonSizes& sizes);

// triton_amd.cc. The last two are those of an operand whose result has the entries.
Expected<LinearLayout> AmdMfmaLayout(TritonEntries& entries, const TritonSizes& sizes);
Expected<LinearLayout> AmdWmmaLayout(TritonEntries& entries, const TritonSizes& sizes);
Expected<LinearLayout> MfmaOperandLayout(TritonEntries& parent, const TritonSizes& sizes, const TritonOperand& operand);
Expected<LinearLayout> WmmaOperandLayout(TritonEntries& parent, const TritonSizes& sizes, const TritonOperand& operand);

// triton_shared.cc
Expected<LinearLayout> SwizzledSharedLayout(TritonEntries& entries, const TritonSizes& sizes);
Expected<LinearLayout> RotatingSharedLayout(TritonEntries& entries, const TritonSizes& sizes);
Expected<LinearLayout> NvmmaSharedLayout(TritonEntries& entries, const TritonSizes& sizes);
Expected<LinearLayout> PartitionedSharedLayout(TritonEntries& entries, const TritonSizes& sizes);

// triton_tensor_memory.cc
Expected<LinearLayout> TensorMemoryLayout(TritonEntries& entries, const TritonSizes& sizes);
Expected<LinearLayout> TensorMemoryScalesLayout(TritonEntries& entries, const TritonSizes& sizes);

}  // namespace layoutcheck
