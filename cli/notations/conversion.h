// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Conversions of a layout to another notation of the same map from coordinates to linear indices.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include "layoutcheck/cli/notations/notation.h"
#include "layoutcheck/core/base/error.h"
#include "layoutcheck/core/hlo/element_type.h"
#include "layoutcheck/core/shape_stride/swizzle.h"
#include "layoutcheck/core/tiling/index_expression.h"
#include "layoutcheck/json/json.h"

namespace layoutcheck {

enum class ConversionTarget { kHlo, kShapeStride, kLinear, kOneDnn, kAffine, kPack, kC, kTtg };

// Values of --to, in the order of ConversionTarget.
inline constexpr std::string_view kConversionTargets[] = {"hlo",    "shape-stride", "linear", "onednn",
                                                          "affine", "pack",         "c",      "ttg"};

struct Conversion {
  std::string text;             // one line without its end; for C, the lines of a file
  Json parts = Json::object();  // attributes by name for pack; otherwise empty
};

// A linear index as a formula: an expression in the coordinates, whose value then goes through the swizzle, if any.
struct IndexFormula {
  IndexExpression sum;
  std::optional<Swizzle> swizzle = std::nullopt;

  int64_t Evaluate(std::span<const int64_t> coordinate) const {
    const int64_t value = sum.Evaluate(coordinate);
    return swizzle ? ApplySwizzle(*swizzle, value) : value;
  }
};

// Proves that the formula, computed as IndexExpression::ToC() prints it, is the linear index of the layout at every
// coordinate within `sizes`, all nonzero. Returns an empty text, or the reason why that was not proved.
using IndexProver =
    std::function<std::string(const CoreForms& layout, std::span<const int64_t> sizes, const IndexFormula& formula)>;

// Returns the layout in the notation of the target, or as HLO text of `type` if it has no element type. The result is
// compared with the layout first: the text is read back, or the printed formula is evaluated, at every element, or, for
// more than kMostCompared elements, at those around every boundary. A C function says in its comment how it was
// checked; it is also proved if `prove` is given.
//
// HLO, shape:stride, oneDNN and pack also allocate the same memory; a linear layout allocates a power of two.
// Properties that place no element (memory space, element size, the content of padding) are carried from HLO to HLO
// only.
//
// Errors: kUnsupported if the target cannot express the layout; kUnavailable if no result was found although one may
// exist; kInvalidArgument for a type that arrays cannot have.
Expected<Conversion> Convert(const AnyLayout& layout, ConversionTarget target, ElementType type,
                             const IndexProver& prove = {});
inline constexpr int64_t kMostCompared = int64_t{1} << 16;

}  // namespace layoutcheck
