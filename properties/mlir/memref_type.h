// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// MLIR's memref types (builtin dialect): read after their documented grammar and rules, printed, and seen through
// views.
#ifndef LAYOUTCHECK_PROPERTIES_MLIR_MEMREF_TYPE_H_
#define LAYOUTCHECK_PROPERTIES_MLIR_MEMREF_TYPE_H_

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

// A size, stride or offset; nothing where it is dynamic, `?`.
using MemRefInteger = std::optional<int64_t>;

// a * b, dynamic where one of them is. Error (kOverflow): "`what` outside int64".
Expected<MemRefInteger> Product(const MemRefInteger& a, const MemRefInteger& b, std::string_view what);

// `strided<[6, 1], offset: 2>`: the element (i, j) is at offset + i * 6 + j * 1.
struct StridedLayoutAttr {
  std::vector<MemRefInteger> strides;
  MemRefInteger offset = 0;
};

// `affine_map<(d0, d1)[s0] -> (d0 floordiv 4, d0 mod 4)>`; names are resolved to positions.
struct AffineMap {
  size_t dimensions = 0;
  size_t symbols = 0;
  std::vector<AffineExpression> results;
};

struct MemRefType {
  std::vector<MemRefInteger> dimensions;
  std::string element_type;
  // Nothing: row-major order.
  std::variant<std::monostate, StridedLayoutAttr, AffineMap> layout;

  // `memref<4x?xf32, strided<[?, 1], offset: 3>>`, with blanks between tokens. Errors: kSyntax for what is not in the
  // grammar; kInvalidArgument for what breaks a rule of it: a stride for each dimension, strides above 0, an offset of
  // at least 0, a dimension of the map for each dimension, a positive divisor of mod, products with at most one operand
  // that depends on a dimension.
  static Expected<MemRefType> Parse(std::string_view text);
  // The canonical text: an offset of 0 and an identity map are left out. Expressions of a map stand as they are.
  std::string ToString() const;

  // Strides and offset; those of row-major order where there is no layout, dynamic ones to the left of a dynamic size.
  // Errors: kOverflow; kUnsupported for a map.
  Expected<StridedLayoutAttr> Strides() const;
};

// The type of a view of an array of type `type`, which has a strided layout or none, as the operations of MLIR's memref
// dialect define it: "subview" with the lists of offsets, sizes and steps ("1,2"); "transpose" with the dimensions in
// their new order; "collapse_shape" with the numbers of dimensions that are merged. Errors: kInvalidArgument for lists
// that do not fit, kOverflow, kUnsupported for dimensions that are not contiguous.
Expected<MemRefType> ViewOf(const MemRefType& type, std::span<const std::string> arguments);

}  // namespace layoutcheck

#endif  // LAYOUTCHECK_PROPERTIES_MLIR_MEMREF_TYPE_H_
