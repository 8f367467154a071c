// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// MLIR's memref types: read, printed, and what views of them are.
#ifndef LAYOUTCHECK_SUBJECTS_MLIR_LAYOUT_ATTRIBUTES_H_
#define LAYOUTCHECK_SUBJECTS_MLIR_LAYOUT_ATTRIBUTES_H_

#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <vector>

#include "mlir/IR/AffineExpr.h"
#include "mlir/IR/MLIRContext.h"

namespace layoutcheck {

// The value of the expression, its operands being the dimensions and then the symbols; nothing where it has none within
// int64.
std::optional<int64_t> ValueOf(mlir::AffineExpr expression, const std::vector<int64_t>& operands, unsigned dimensions);

// The answer to a request to `apply` memref-type (the type as MLIR prints it) or memref-view (the type of a view of
// it).
nlohmann::json ApplyToLayout(mlir::MLIRContext& context, const nlohmann::json& request);

}  // namespace layoutcheck

#endif  // LAYOUTCHECK_SUBJECTS_MLIR_LAYOUT_ATTRIBUTES_H_
