// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// MLIR's own reading and printing of memref types, and its types of views.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <vector>
#include "mlir/IR/AffineExpr.h"
#include "mlir/IR/MLIRContext.h"

namespace layoutcheck {

// Returns the value of the expression; the operands are the dimensions and then the symbols. Returns nothing if the
// value does not fit int64 or does not exist.
std::optional<int64_t> ValueOf(mlir::AffineExpr expression, const std::vector<int64_t>& operands, unsigned dimensions);

// Answers a request to `apply` memref-type (the type as MLIR prints it) or memref-view (the type of a view of it).
nlohmann::json ApplyToLayout(mlir::MLIRContext& context, const nlohmann::json& request);

}  // namespace layoutcheck
