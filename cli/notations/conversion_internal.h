// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The parts of Convert: one function per group of targets, and the comparison that each result must pass.
#ifndef LAYOUTCHECK_CLI_NOTATIONS_CONVERSION_INTERNAL_H_
#define LAYOUTCHECK_CLI_NOTATIONS_CONVERSION_INTERNAL_H_

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "layoutcheck/cli/notations/conversion.h"

namespace layoutcheck {

// A layout that is converted. The references must outlive the object.
struct ConversionSource {
  const AnyLayout& layout;
  CoreForms forms;
  std::vector<int64_t> sizes;  // of the logical dimensions

  bool IsEmpty() const;
  // Returns true if a comparison covers every element, and not only those around boundaries.
  bool IsComparedEverywhere() const;
};

// Compares a candidate's linear index with the layout's own. The error (unavailable) names the first coordinate where
// they differ, and `text`, the result that is discarded: a defect of this program, never of the layout.
Expected<void> CheckSameIndex(const ConversionSource& source,
                              const std::function<int64_t(std::span<const int64_t>)>& candidate, std::string_view text);

std::unexpected<Error> NotExpressible(std::string why);

// Returns the strides of a layout that has no swizzle and no offset. Error: unsupported, for one that has.
Expected<ShapeStrideLayout> PlainStrides(const ComposedLayout& composed);

// kOneDnn and kPack.
Expected<Conversion> ConvertToBlocks(const ConversionSource& source, ConversionTarget target);
// kAffine and kC.
Expected<Conversion> ConvertToFormula(const ConversionSource& source, ConversionTarget target,
                                      const IndexProver& prove);

}  // namespace layoutcheck

#endif  // LAYOUTCHECK_CLI_NOTATIONS_CONVERSION_INTERNAL_H_
