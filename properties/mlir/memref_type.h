// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// MLIR's memref types (builtin dialect) by their documented grammar and rules, and the types of views.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>
#include "layoutcheck/core/base/error.h"
#include "layoutcheck/properties/mlir/affine_expression.h"

namespace layoutcheck {

// A size, stride or offset; nothing if it is dynamic, `?`.
using MemRefInteger = std::optional<int64_t>;

// Returns a * b, which is dynamic if a or b is. Error (kOverflow): "`what` outside int64".
Expected<MemRefInteger> Product(const MemRefInteger& a, const MemRefInteger& b, std::string_view what);

// A strided layout. In `strided<[6, 1], offset: 2>` the element (i, j) is at 2 + i * 6 + j * 1, in elements.
struct StridedLayoutAttr {
  std::vector<MemRefInteger> strides;
  MemRefInteger offset = 0;
};

// A layout such as `affine_map<(d0, d1)[s0] -> (d0 floordiv 4, d0 mod 4)>`; names are resolved to positions.
struct AffineMap {
  size_t dimensions = 0;
  size_t symbols = 0;
  std::vector<AffineExpression> results;
};

struct MemRefType {
  std::vector<MemRefInteger> dimensions;
  std::string element_type;
  // std::monostate stands for row-major order.
  std::variant<std::monostate, StridedLayoutAttr, AffineMap> layout;

  // Parses `memref<4x?xf32, strided<[?, 1], offset: 3>>`; blanks may separate tokens. Errors: kSyntax outside the
  // grammar; kInvalidArgument if a rule is broken. The rules: one stride or map dimension per dimension; strides above
  // 0; an offset of at least 0; a positive divisor of mod; at most one operand of a product, and no divisor, depends on
  // a dimension.
  static Expected<MemRefType> Parse(std::string_view text);
  // Returns the canonical text, without an offset of 0 or an identity map. Does not simplify expressions.
  std::string ToString() const;

  // Returns strides and offset. Without a layout, they are row-major, dynamic to the left of a dynamic size. Errors:
  // kOverflow; kUnsupported for a map.
  Expected<StridedLayoutAttr> Strides() const;
};

// Returns the type of a view of an array, whose type has a strided layout or none, as MLIR's memref dialect defines it.
// Arguments: "subview" with lists of offsets, sizes and steps ("1,2"); "transpose" with the dimensions in the new
// order; "collapse_shape" with the numbers of dimensions that merge. Errors: kInvalidArgument for lists that do not
// fit, kOverflow, kUnsupported for dimensions that are not contiguous.
Expected<MemRefType> ViewOf(const MemRefType& type, std::span<const std::string> arguments);

}  // namespace layoutcheck
