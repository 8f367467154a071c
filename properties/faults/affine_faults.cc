// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Faults in index arithmetic.
#include "layoutcheck/properties/faults/fault.h"
#include "layoutcheck/properties/mlir/affine_expression.h"

namespace layoutcheck {
namespace {

using Kind = AffineExpression::Kind;

// Returns a fault that rewrites every part of an expression before evaluation, innermost parts first.
std::function<void(FaultHooks&)> InExpression(void (*change)(AffineExpression&)) {
  return [change](FaultHooks& hooks) {
    hooks.apply = [change](std::string_view function, std::span<const std::string> arguments, ApplyAnswer& answer) {
      if (function != "affine" || !answer.value) return;
      auto expression = AffineExpression::Parse(arguments[0]);
      const auto point = AffinePoint::Parse(arguments.subspan(1));
      if (!expression || !point) return;
      const auto rewrite = [&](AffineExpression& part, const auto& descend) -> void {
        for (AffineExpression& operand : part.operands) descend(operand, descend);
        change(part);
      };
      rewrite(*expression, rewrite);
      if (const auto value = expression->Evaluate(*point)) answer.value = *value;
    };
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

std::vector<Fault> MakeFaults() {
  return {
      {"affine-ceildiv-distributes", "affine", "llvm #107508: ceildiv by a symbol is distributed over a sum",
       InExpression([](AffineExpression& part) {
         if (part.kind == Kind::kCeilDiv) Distribute(part);
       })},
      {"affine-floordiv-distributes", "affine", "MLIR 19: (s0 + s0 mod 3) floordiv s0 is folded to 2",
       InExpression([](AffineExpression& part) {
         if (part.kind == Kind::kFloorDiv) Distribute(part);
       })},
      {"affine-mod-dropped", "affine", "TileLang #2955: (tx%64)%7 becomes tx%7",
       InExpression([](AffineExpression& part) {
         if (part.kind == Kind::kMod && part.operands[0].kind == Kind::kMod) {
           part.operands[0] = AffineExpression(part.operands[0].operands[0]);
         }
       })},
  };
}

}  // namespace

std::span<const Fault> AffineFaults() {
  static const std::vector<Fault> faults = MakeFaults();
  return faults;
}

}  // namespace layoutcheck
