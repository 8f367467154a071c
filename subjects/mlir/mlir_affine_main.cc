// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// MLIR's canonicalization of affine and semi-affine expressions as a process for the subject protocol.
#include <charconv>
#include <iostream>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>
#include "llvm/Config/llvm-config.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/Passes.h"

namespace {

using nlohmann::json;

// Reads "d0=3" or "s1=-2" and stores the value in its list, which grows as needed.
bool ReadValue(std::string_view text, std::vector<int64_t>& dimensions, std::vector<int64_t>& symbols) {
  const size_t equals = text.find('=');
  if (text.size() < 4 || equals == std::string_view::npos || (text[0] != 'd' && text[0] != 's')) return false;
  size_t number = 0;
  int64_t value = 0;
  const char* const end = text.data() + text.size();
  if (std::from_chars(text.data() + 1, text.data() + equals, number).ptr != text.data() + equals || number > 15 ||
      std::from_chars(text.data() + equals + 1, end, value).ptr != end) {
    return false;
  }
  auto& values = text[0] == 'd' ? dimensions : symbols;
  if (values.size() <= number) values.resize(number + 1);
  values[number] = value;
  return true;
}

// Evaluates the result of a function of the dimensions and then the symbols. Returns nothing unless affine.apply
// operations compute it.
std::optional<int64_t> Evaluate(mlir::Value value, const std::vector<int64_t>& arguments) {
  if (const auto argument = llvm::dyn_cast<mlir::BlockArgument>(value)) return arguments[argument.getArgNumber()];
  llvm::APInt constant;
  if (mlir::matchPattern(value, mlir::m_ConstantInt(&constant))) return constant.getSExtValue();
  auto apply = value.getDefiningOp<mlir::affine::AffineApplyOp>();
  if (!apply) return std::nullopt;
  llvm::SmallVector<mlir::AffineExpr> operands;
  for (const mlir::Value operand : apply.getOperands()) {
    const auto inner = Evaluate(operand, arguments);
    if (!inner) return std::nullopt;
    operands.push_back(mlir::getAffineConstantExpr(*inner, apply.getContext()));
  }
  const mlir::AffineMap map = apply.getAffineMap();
  const llvm::ArrayRef<mlir::AffineExpr> all = operands;
  const auto folded =
      map.getResult(0).replaceDimsAndSymbols(all.take_front(map.getNumDims()), all.drop_front(map.getNumDims()));
  const auto number = llvm::dyn_cast<mlir::AffineConstantExpr>(folded);
  return number ? std::optional(number.getValue()) : std::nullopt;
}

// Canonicalizes a function that applies the expression, and returns its value at the point.
json Affine(mlir::MLIRContext& context, const std::vector<std::string>& arguments) {
  std::vector<int64_t> dimensions;
  std::vector<int64_t> symbols;
  if (arguments.empty()) return {{"error", "no expression"}};
  for (size_t k = 1; k < arguments.size(); ++k) {
    if (!ReadValue(arguments[k], dimensions, symbols)) return {{"error", "expected d0=3, got " + arguments[k]}};
  }
  const auto names = [](const std::string& prefix, size_t count, const std::string& type) {
    std::string list;
    for (size_t k = 0; k < count; ++k) list += (k == 0 ? "" : ", ") + prefix + std::to_string(k) + type;
    return list;
  };
  const std::string separator = dimensions.empty() || symbols.empty() ? "" : ", ";
  const std::string text = "func.func @f(" + names("%d", dimensions.size(), ": index") + separator +
                           names("%s", symbols.size(), ": index") + ") -> index {\n  %r = affine.apply affine_map<(" +
                           names("d", dimensions.size(), "") + ")[" + names("s", symbols.size(), "") + "] -> (" +
                           arguments[0] + ")>(" + names("%d", dimensions.size(), "") + ")[" +
                           names("%s", symbols.size(), "") + "]\n  return %r : index\n}\n";
  mlir::ScopedDiagnosticHandler quiet(&context, [](mlir::Diagnostic&) { return mlir::success(); });
  auto module = mlir::parseSourceString<mlir::ModuleOp>(text, &context);
  if (!module) return {{"rejected", "not in the grammar"}};
  mlir::PassManager passes(&context);
  passes.addPass(mlir::createCanonicalizerPass());
  if (mlir::failed(passes.run(*module))) return {{"error", "the canonicalizer fails"}};
  auto function = *module->getOps<mlir::func::FuncOp>().begin();
  std::vector<int64_t> values = dimensions;
  values.insert(values.end(), symbols.begin(), symbols.end());
  const auto value = Evaluate(function.getBody().front().getTerminator()->getOperand(0), values);
  if (!value) return {{"rejected", "not folded to a number"}};
  return {{"value", *value}};
}

json Answer(mlir::MLIRContext& context, const json& request) {
  const std::string op = request.at("op");
  if (op == "hello") {
    return {{"name", "mlir-affine"}, {"version", LLVM_VERSION_STRING}, {"ops", {"apply"}}, {"notations", {"hlo"}}};
  }
  if (op != "apply" || request.at("function") != "affine") return {{"unsupported", "only apply of affine"}};
  return Affine(context, request.at("arguments").get<std::vector<std::string>>());
}

}  // namespace

int main() {
  mlir::MLIRContext context(mlir::MLIRContext::Threading::DISABLED);
  context.loadDialect<mlir::affine::AffineDialect, mlir::arith::ArithDialect, mlir::func::FuncDialect>();
  for (std::string line; std::getline(std::cin, line);) {
    json answer;
    try {
      answer = Answer(context, json::parse(line));
    } catch (const json::exception& error) {
      answer = {{"error", error.what()}};
    }
    std::cout << answer.dump() << std::endl;
  }
  return 0;
}
