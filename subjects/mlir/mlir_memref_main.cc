// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// MLIR's memref layouts as a process for the subject protocol: where -normalize-memrefs puts the elements of an array
// with an affine map, and how MLIR reads and prints layout attributes.
#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>
#include "layout_attributes.h"
#include "llvm/Config/llvm-config.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/MemRef/Transforms/Passes.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "tiled_array.h"

namespace {

using layoutcheck::TiledArray;
using layoutcheck::Unsupported;
using nlohmann::json;

constexpr int64_t kMaxElements = int64_t{1} << 16;
// Number of requests per context, which keeps every type and attribute ever made in it.
constexpr int kRequestsOfASession = 2000;

class Normalized {
 public:
  // Throws Unsupported if the pass changes nothing, and runtime_error if MLIR refuses the module.
  Normalized(mlir::MLIRContext& context, const TiledArray& array, const std::string& module) {
    std::string said;
    mlir::ScopedDiagnosticHandler listen(&context, [&](mlir::Diagnostic& diagnostic) {
      if (said.empty()) said = diagnostic.str();
      return mlir::success();
    });
    module_ = mlir::parseSourceString<mlir::ModuleOp>(module, &context);
    if (!module_) throw std::runtime_error("refused: " + said);
    mlir::PassManager passes(&context);
    passes.addPass(mlir::memref::createNormalizeMemRefsPass());
    if (mlir::failed(passes.run(*module_))) throw std::runtime_error("the pass fails: " + said);
    module_->walk([&](mlir::memref::AllocOp op) { alloc_ = op; });
    module_->walk([&](mlir::Operation* op) {
      if (llvm::isa<mlir::memref::LoadOp, mlir::affine::AffineLoadOp>(op)) load_ = op;
    });
    type_ = alloc_.getType();
    if (!type_.getLayout().isIdentity()) throw Unsupported("the pass leaves this layout as it is");
    index_.assign(array.dimensions.size(), 0);
    for (size_t d = 0; d < array.dimensions.size(); ++d) {
      if (array.is_dynamic[d]) dynamic_.push_back(array.dimensions[d]);
    }
    size_t operand = 0;
    for (const int64_t size : type_.getShape()) {
      shape_.push_back(mlir::ShapedType::isDynamic(size) ? ValueOf(alloc_.getDynamicSizes()[operand++]) : size);
    }
  }

  // Returns the row-major offset of an element in the new shape.
  int64_t OffsetOf(const std::vector<int64_t>& index) {
    index_ = index;
    std::vector<int64_t> place;
    if (auto load = llvm::dyn_cast<mlir::affine::AffineLoadOp>(load_)) {
      place = Apply(load.getAffineMap(), load.getMapOperands());
    } else {
      for (const mlir::Value value : llvm::cast<mlir::memref::LoadOp>(load_).getIndices())
        place.push_back(ValueOf(value));
    }
    int64_t offset = 0;
    for (size_t k = 0; k < shape_.size(); ++k) {
      if (__builtin_mul_overflow(offset, shape_[k], &offset) || __builtin_add_overflow(offset, place[k], &offset)) {
        throw std::runtime_error("an offset outside int64");
      }
    }
    return offset;
  }

  int64_t Elements() const {
    return type_.hasStaticShape() ? type_.getNumElements() : mlir::ShapedType::getNumElements(shape_);
  }

 private:
  std::vector<int64_t> Apply(mlir::AffineMap map, mlir::ValueRange operands) {
    std::vector<int64_t> values;
    for (const mlir::Value operand : operands) values.push_back(ValueOf(operand));
    std::vector<int64_t> results;
    for (const mlir::AffineExpr result : map.getResults()) {
      const auto value = layoutcheck::ValueOf(result, values, map.getNumDims());
      if (!value) throw std::runtime_error("an index outside int64");
      results.push_back(*value);
    }
    return results;
  }
  int64_t ValueOf(mlir::Value value) {
    if (const auto argument = llvm::dyn_cast<mlir::BlockArgument>(value)) {
      const size_t number = argument.getArgNumber();
      return number < index_.size() ? index_[number] : dynamic_[number - index_.size()];
    }
    llvm::APInt constant;
    if (mlir::matchPattern(value, mlir::m_ConstantInt(&constant))) return constant.getSExtValue();
    auto apply = value.getDefiningOp<mlir::affine::AffineApplyOp>();
    if (!apply) throw std::runtime_error("an index that is no affine.apply");
    return Apply(apply.getAffineMap(), apply.getOperands())[0];
  }

  mlir::OwningOpRef<mlir::ModuleOp> module_;
  mlir::memref::AllocOp alloc_;
  mlir::Operation* load_ = nullptr;
  mlir::MemRefType type_;
  std::vector<int64_t> index_;
  std::vector<int64_t> dynamic_;
  std::vector<int64_t> shape_;
};

// Answers requests in a context of its own.
class Session {
 public:
  Session() : context_(mlir::MLIRContext::Threading::DISABLED) {
    context_.loadDialect<mlir::affine::AffineDialect, mlir::arith::ArithDialect, mlir::func::FuncDialect,
                         mlir::memref::MemRefDialect>();
  }

  json Answer(const json& request) {
    const std::string op = request.at("op");
    if (op == "hello") {
      return {{"name", "mlir-memref"},
              {"version", LLVM_VERSION_STRING},
              {"ops", {"apply", "offset", "size", "table"}},
              {"notations", {"hlo"}},
              {"limits", {{"max_tiles", 3}, {"max_table_elements", kMaxElements}}}};
    }
    if (op == "apply") return layoutcheck::ApplyToLayout(context_, request);
    if (op != "offset" && op != "size" && op != "table") return {{"unsupported", "no operation " + op}};
    const TiledArray array = layoutcheck::ReadTiledArray(request.at("layout").get_ref<const std::string&>());
    // memref.load takes as many indices as there are dimensions, so it cannot be used with tiles.
    Normalized& normalized = NormalizedOf(array, op == "offset" && array.tiles.empty() ? "memref.load" : "affine.load");
    if (op == "offset") {
      return {{"offset", normalized.OffsetOf(request.at("coordinate").get<std::vector<int64_t>>())}};
    }
    const int64_t elements = mlir::ShapedType::getNumElements(array.dimensions);
    if (op == "size") return {{"elements", elements}, {"padded_elements", normalized.Elements()}};
    if (elements > kMaxElements) throw Unsupported("too large for a table");
    std::vector<int64_t> offsets;
    std::vector<int64_t> index(array.dimensions.size());
    for (int64_t element = 0; element < elements; ++element) {
      offsets.push_back(normalized.OffsetOf(index));
      for (size_t d = index.size(); d-- > 0 && ++index[d] == array.dimensions[d];) index[d] = 0;
    }
    return {{"offsets", offsets}};
  }

 private:
  // Keeps the latest normalized array, because consecutive questions are often about one layout.
  Normalized& NormalizedOf(const TiledArray& array, std::string_view load) {
    const std::string text = layoutcheck::ModuleText(array, load);
    if (!normalized_ || text != normalized_text_) {
      normalized_.reset();
      normalized_.emplace(context_, array, text);
      normalized_text_ = text;
    }
    return *normalized_;
  }

  mlir::MLIRContext context_;
  std::string normalized_text_;
  std::optional<Normalized> normalized_;
};

}  // namespace

int main() {
  std::unique_ptr<Session> session;
  int requests = 0;
  for (std::string line; std::getline(std::cin, line);) {
    if (requests++ % kRequestsOfASession == 0) session = std::make_unique<Session>();
    json answer;
    try {
      answer = session->Answer(json::parse(line));
    } catch (const Unsupported& why) {
      answer = {{"unsupported", why.what()}};
    } catch (const std::exception& error) {
      answer = {{"error", error.what()}};
    }
    std::cout << answer.dump(-1, ' ', false, json::error_handler_t::replace) << '\n' << std::flush;
  }
  return 0;
}
