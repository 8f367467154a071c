// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The parts of Convert: one function per group of targets, and the comparison that each result must pass.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>
#include "layoutcheck/cli/notations/conversion.h"

namespace layoutcheck {

// A layout to convert. The references must outlive the object.
struct ConversionSource {
  const AnyLayout& layout;
  CoreForms forms;
  std::vector<int64_t> sizes;  // of the logical dimensions, in elements

  bool IsEmpty() const;
  // Returns true if comparisons cover every element, not only those around boundaries.
  bool IsComparedEverywhere() const;
};

// Compares a candidate's linear index with the layout's own. The error (kUnavailable), always a defect of this program,
// names `text`, the discarded result, and the first coordinate where they differ.
Expected<void> CheckSameIndex(const ConversionSource& source,
                              const std::function<int64_t(std::span<const int64_t>)>& candidate, std::string_view text);

std::unexpected<Error> NotExpressible(std::string why);

// Returns the strides of a layout without swizzle and offset. Error (kUnsupported): a layout with one of these.
Expected<ShapeStrideLayout> PlainStrides(const ComposedLayout& composed);

// Converts to kOneDnn or kPack.
Expected<Conversion> ConvertToBlocks(const ConversionSource& source, ConversionTarget target);
// Converts to kAffine or kC.
Expected<Conversion> ConvertToFormula(const ConversionSource& source, ConversionTarget target,
                                      const IndexProver& prove);

}  // namespace layoutcheck
