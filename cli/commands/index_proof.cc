#include "layoutcheck/cli/commands/index_proof.h"

#include <utility>

#include "layoutcheck/core/shape_stride/bridges.h"
#include "layoutcheck/core/shape_stride/strided_index.h"
#include "layoutcheck/core/tiling/tiled_index.h"
#include "layoutcheck/solver/formula_proof/prove_function.h"

namespace layoutcheck {
namespace {

using SymbolicIndex = std::function<SymbolicInteger(std::span<const SymbolicInteger>)>;

Expected<SymbolicIndex> IndexOf(const Shape& shape) {
  const Expected<TiledIndex> index = MakeTiledIndex(shape);
  if (!index) return std::unexpected(index.error());
  return [formula = BasicTiledIndex<SymbolicInteger>(*index, [](int64_t n) { return SymbolicInteger(n); })](
             std::span<const SymbolicInteger> i) { return formula(i); };
}

Expected<SymbolicIndex> IndexOf(const PaddedLayout& layout) {
  const Expected<Shape> shape = layout.ToTiledShape();
  if (!shape) return std::unexpected(shape.error());
  return IndexOf(*shape);
}

Expected<SymbolicIndex> IndexOf(const ShapeStrideLayout& layout) {
  const Expected<StridedLayout> strided = StridedLayoutOf(layout);
  if (!strided) return std::unexpected(strided.error());
  return [formula = ConvertStridedLayout<SymbolicInteger>(*strided)](std::span<const SymbolicInteger> i) {
    return StridedOffset<SymbolicInteger>(formula, i);
  };
}

Expected<SymbolicIndex> IndexOf(const FractalLayout& fractal) {
  const Expected<ShapeStrideLayout> layout = ShapeStrideOf(fractal);
  if (!layout) return std::unexpected(layout.error());
  return IndexOf(*layout);
}

Expected<SymbolicIndex> IndexOf(const ComposedLayout& composed) {
  Expected<SymbolicIndex> inner = IndexOf(composed.layout);
  if (!inner) return inner;
  return [inner = *std::move(inner), composed](std::span<const SymbolicInteger> i) {
    const SymbolicInteger offset = composed.offset + inner(i);
    return composed.swizzle ? ApplySwizzle(*composed.swizzle, offset) : offset;
  };
}

std::string WhyNot(const Expected<ProofResult>& proof) {
  if (!proof) return proof.error().message;
  if (proof->verdict == ProofVerdict::kProved) return {};
  return proof->verdict == ProofVerdict::kRefuted ? "it was refuted" : proof->reason;
}

}  // namespace

std::string WhyNotProved(const LayoutValue& layout, std::span<const int64_t> sizes, const IndexExpression& expression,
                         const std::optional<Swizzle>& swizzle) {
  const Expected<SymbolicIndex> index = std::visit([](const auto& value) { return IndexOf(value); }, layout);
  if (!index) return index.error().message;
  const auto computed = [&]<class Int>(std::span<const Int> i) {
    const Int offset = expression.EvaluateC(i);
    return swizzle ? ApplySwizzle(*swizzle, offset) : offset;
  };
  const SymbolicFunction printed = {computed, computed};
  std::string reason = WhyNot(ProveEqual(sizes, printed, {*index, nullptr}));
  if (reason.empty()) reason = WhyNot(ProveNoOverflow(sizes, printed, "int64"));
  return reason;
}

}  // namespace layoutcheck
