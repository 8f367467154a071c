// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Faults in index arithmetic and in MLIR's memref types: their text, and the strides of views.
#include <cstdlib>
#include "layoutcheck/properties/faults/fault.h"
#include "layoutcheck/properties/mlir/affine_expression.h"
#include "layoutcheck/properties/mlir/memref_type.h"

namespace layoutcheck {
namespace {

using Kind = AffineExpression::Kind;

// Returns a fault that rewrites every part of an expression before evaluation, innermost parts first.
Change<ApplyQuestion> InExpression(void (*change)(AffineExpression&)) {
  return [change](const ApplyQuestion& q, ApplyAnswer& answer) {
    if (q.function != "affine" || !answer.value) return;
    auto expression = AffineExpression::Parse(q.arguments[0]);
    const auto point = AffinePoint::Parse(q.arguments.subspan(1));
    if (!expression || !point) return;
    const auto rewrite = [&](AffineExpression& part, const auto& descend) -> void {
      for (AffineExpression& operand : part.operands) descend(operand, descend);
      change(part);
    };
    rewrite(*expression, rewrite);
    if (const auto value = expression->Evaluate(*point)) answer.value = *value;
  };
}

// Rewrites the quotient of a sum as the sum of the quotients.
void Distribute(AffineExpression& part) {
  if (part.operands.empty() || part.operands[0].kind != Kind::kAdd) return;
  const AffineExpression divisor = part.operands[1];
  AffineExpression sum = std::move(part.operands[0]);
  for (AffineExpression& term : sum.operands) term = {part.kind, 0, {std::move(term), divisor}};
  part = std::move(sum);
}

using Arguments = std::span<const std::string>;

// Returns a fault that changes the answers to one of the functions.
Change<ApplyQuestion> In(std::string_view function, void (*change)(Arguments, ApplyAnswer&)) {
  return [function, change](const ApplyQuestion& q, ApplyAnswer& answer) {
    if (q.function == function) change(q.arguments, answer);
  };
}

// Returns a fault that changes the strided layout of a printed type.
Change<ApplyQuestion> InLayout(void (*change)(StridedLayoutAttr&)) {
  return [change](const ApplyQuestion& q, ApplyAnswer& answer) {
    const bool is_type = q.function == "memref-type" && answer.layout;
    auto type = is_type ? MemRefType::Parse(*answer.layout) : std::unexpected(Error{});
    auto* layout = type ? std::get_if<StridedLayoutAttr>(&type->layout) : nullptr;
    if (layout == nullptr) return;
    change(*layout);
    answer.layout = type->ToString();
  };
}

}  // namespace

std::vector<Fault> AffineFaults() {
  return {
      {"affine-ceildiv-distributes", "llvm #107508: ceildiv by a symbol is distributed over a sum",
       InExpression([](AffineExpression& part) {
         if (part.kind == Kind::kCeilDiv) Distribute(part);
       })},
      {"affine-floordiv-distributes", "MLIR 19: (s0 + s0 mod 3) floordiv s0 is folded to 2",
       InExpression([](AffineExpression& part) {
         if (part.kind == Kind::kFloorDiv) Distribute(part);
       })},
      {"affine-mod-dropped", "TileLang #2955: (tx%64)%7 becomes tx%7", InExpression([](AffineExpression& part) {
         if (part.kind == Kind::kMod && part.operands[0].kind == Kind::kMod) {
           part.operands[0] = AffineExpression(part.operands[0].operands[0]);
         }
       })},
  };
}

std::vector<Fault> MemRefFaults() {
  return {
      {"memref-sign-dropped", "a negative stride is printed without its sign", InLayout([](StridedLayoutAttr& layout) {
         for (MemRefInteger& stride : layout.strides) stride = stride ? MemRefInteger(std::abs(*stride)) : stride;
       })},
      {"memref-sign-refused", "a negative stride is refused",
       In("memref-type",
          [](Arguments arguments, ApplyAnswer& answer) {
            if (arguments[0].find("[-") != std::string::npos) answer = {{}, {}, "a stride below 0"};
          })},
      {"memref-offset-dropped", "an offset is read and not printed",
       InLayout([](StridedLayoutAttr& layout) { layout.offset = 0; })},
      {"memref-parenthesis-dropped", "tensorflow/mlir #201: an expression is printed with a parenthesis too few",
       In("memref-type",
          [](Arguments, ApplyAnswer& answer) {
            const size_t end = answer.layout ? answer.layout->find("))>") : std::string::npos;
            if (end != std::string::npos) answer.layout->erase(end, 1);
          })},
      {"memref-view-offset-wraps", "MLIR 19: the offset of a subview wraps at 2^64",
       In("memref-view",
          [](Arguments arguments, ApplyAnswer& answer) {
            if (answer.rejected && arguments[1] == "subview") answer = {"memref<1xf32, strided<[1]>>", {}, {}};
          })},
      {"memref-view-transposed-strides", "the strides of a transpose stay where they were",
       In("memref-view",
          [](Arguments arguments, ApplyAnswer& answer) {
            const auto type = MemRefType::Parse(arguments[0]);
            auto view = answer.layout ? MemRefType::Parse(*answer.layout) : std::unexpected(Error{});
            if (arguments[1] != "transpose" || !type || !view) return;
            if (const auto strides = type->Strides()) view->layout = *strides;
            answer.layout = view->ToString();
          })},
  };
}

}  // namespace layoutcheck
