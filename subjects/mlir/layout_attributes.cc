// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layout_attributes.h"
#include <charconv>
#include <string>
#include <string_view>
#include "llvm/Support/raw_ostream.h"
#include "mlir/AsmParser/AsmParser.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Verifier.h"

namespace layoutcheck {
namespace {

using nlohmann::json;

std::string Printed(mlir::Type type) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  type.print(stream);
  return text;
}

std::vector<int64_t> Integers(std::string_view text) {
  std::vector<int64_t> list;
  while (!text.empty()) {
    int64_t value = 0;
    const auto read = std::from_chars(text.data(), text.data() + text.size(), value);
    if (read.ec != std::errc()) return {};
    list.push_back(value);
    text.remove_prefix(static_cast<size_t>(read.ptr - text.data()));
    if (text.starts_with(',')) text.remove_prefix(1);
  }
  return list;
}

// Returns the type of a memref operation's view of an array of this type, or null.
mlir::Type ViewOf(mlir::MLIRContext& context, mlir::MemRefType type, const std::vector<std::string>& arguments) {
  mlir::OpBuilder builder(&context);
  const mlir::Location here = builder.getUnknownLoc();
  auto module = mlir::OwningOpRef<mlir::ModuleOp>(mlir::ModuleOp::create(here));
  builder.setInsertionPointToEnd(module->getBody());
  mlir::Value array =
      builder.create<mlir::UnrealizedConversionCastOp>(here, mlir::TypeRange(type), mlir::ValueRange()).getResult(0);
  mlir::Operation* view = nullptr;
  const auto list = [&](size_t k) { return k < arguments.size() ? Integers(arguments[k]) : std::vector<int64_t>(); };
  if (arguments[1] == "subview") {
    view = builder.create<mlir::memref::SubViewOp>(here, array, list(2), list(3), list(4));
  } else if (arguments[1] == "transpose") {
    llvm::SmallVector<mlir::AffineExpr> results;
    for (const int64_t d : list(2)) results.push_back(builder.getAffineDimExpr(static_cast<unsigned>(d)));
    const auto map = mlir::AffineMap::get(static_cast<unsigned>(type.getRank()), 0, results, &context);
    view = builder.create<mlir::memref::TransposeOp>(here, array, mlir::AffineMapAttr::get(map));
  } else if (arguments[1] == "collapse_shape") {
    // The argument has the number of dimensions per group.
    llvm::SmallVector<mlir::ReassociationIndices> groups;
    int64_t next = 0;
    for (const int64_t size : list(2)) {
      auto& group = groups.emplace_back();
      for (int64_t k = 0; k < size; ++k) group.push_back(next++);
    }
    if (!mlir::memref::CollapseShapeOp::isGuaranteedCollapsible(type, groups)) return {};
    view = builder.create<mlir::memref::CollapseShapeOp>(here, array, groups);
  }
  if (view == nullptr || mlir::failed(mlir::verify(view))) return {};
  return view->getResult(0).getType();
}

}  // namespace

std::optional<int64_t> ValueOf(mlir::AffineExpr expression, const std::vector<int64_t>& operands, unsigned dimensions) {
  if (const auto constant = llvm::dyn_cast<mlir::AffineConstantExpr>(expression)) return constant.getValue();
  if (const auto dimension = llvm::dyn_cast<mlir::AffineDimExpr>(expression)) return operands[dimension.getPosition()];
  if (const auto symbol = llvm::dyn_cast<mlir::AffineSymbolExpr>(expression)) {
    return operands[dimensions + symbol.getPosition()];
  }
  const auto binary = llvm::cast<mlir::AffineBinaryOpExpr>(expression);
  const auto left = ValueOf(binary.getLHS(), operands, dimensions);
  const auto right = ValueOf(binary.getRHS(), operands, dimensions);
  if (!left || !right) return std::nullopt;
  int64_t result = 0;
  const auto kind = expression.getKind();
  if (kind == mlir::AffineExprKind::Add) {
    return __builtin_add_overflow(*left, *right, &result) ? std::nullopt : std::optional(result);
  }
  if (kind == mlir::AffineExprKind::Mul) {
    return __builtin_mul_overflow(*left, *right, &result) ? std::nullopt : std::optional(result);
  }
  if (*right < 1) return std::nullopt;
  const int64_t rest = *left % *right + (*left % *right < 0 ? *right : 0);
  if (kind == mlir::AffineExprKind::Mod) return rest;
  const int64_t floor = *left / *right - (*left % *right < 0 ? 1 : 0);
  return floor + (kind == mlir::AffineExprKind::CeilDiv && rest != 0 ? 1 : 0);
}

json ApplyToLayout(mlir::MLIRContext& context, const json& request) {
  const std::string function = request.at("function");
  const auto arguments = request.at("arguments").get<std::vector<std::string>>();
  if (function != "memref-type" && function != "memref-view") return {{"unsupported", "no function " + function}};
  if (arguments.size() < (function == "memref-type" ? 1 : 3)) return {{"error", "too few arguments"}};
  std::string said;
  mlir::ScopedDiagnosticHandler listen(&context, [&](mlir::Diagnostic& diagnostic) {
    if (said.empty()) said = diagnostic.str();
    return mlir::success();
  });
  const auto type = llvm::dyn_cast_or_null<mlir::MemRefType>(mlir::parseType(arguments[0], &context));
  if (!type) return {{"rejected", said.empty() ? "no memref with a rank" : said}};
  if (function == "memref-type") return {{"layout", Printed(type)}};
  const mlir::Type view = ViewOf(context, type, arguments);
  if (!view) return {{"rejected", said.empty() ? "no such view" : said}};
  return {{"layout", Printed(view)}};
}

}  // namespace layoutcheck
