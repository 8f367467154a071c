// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/cli/run/index_proof.h"
#include <utility>
#include "layoutcheck/core/shape_stride/composed_layout.h"
#include "layoutcheck/core/shape_stride/strided_index.h"
#include "layoutcheck/core/tiling/tiled_index.h"
#include "layoutcheck/solver/formula_proof/prove_function.h"

namespace layoutcheck {
namespace {

using SymbolicIndex = std::function<SymbolicInteger(std::span<const SymbolicInteger>)>;

Expected<SymbolicIndex> IndexOf(const Shape& shape) {
  LAYOUTCHECK_TRY(const TiledIndex index, MakeTiledIndex(shape));
  return [formula = BasicTiledIndex<SymbolicInteger>(index, [](int64_t n) { return SymbolicInteger(n); })](
             std::span<const SymbolicInteger> i) { return formula(i); };
}

Expected<SymbolicIndex> IndexOf(const ComposedLayout& composed) {
  LAYOUTCHECK_TRY(const StridedLayout strided, StridedLayoutOf(composed.layout));
  return [inner = ConvertStridedLayout<SymbolicInteger>(strided), composed](std::span<const SymbolicInteger> i) {
    const SymbolicInteger offset = composed.offset + StridedOffset<SymbolicInteger>(inner, i);
    return composed.swizzle ? ApplySwizzle(*composed.swizzle, offset) : offset;
  };
}

Expected<SymbolicIndex> IndexOf(const CoreForms& forms) {
  if (forms.strided) return IndexOf(*forms.strided);
  return *forms.shape ? IndexOf(**forms.shape) : std::unexpected(forms.shape->error());
}

std::string WhyNot(const Expected<ProofResult>& proof) {
  if (!proof) return proof.error().message;
  if (proof->verdict == ProofVerdict::kProved) return {};
  return proof->verdict == ProofVerdict::kRefuted ? "it was refuted" : proof->reason;
}

}  // namespace

std::string WhyNotProved(const CoreForms& layout, std::span<const int64_t> sizes, const IndexFormula& formula) {
  const Expected<SymbolicIndex> index = IndexOf(layout);
  if (!index) return index.error().message;
  const auto computed = [&]<class Int>(std::span<const Int> i) {
    const Int offset = formula.sum.EvaluateC(i);
    return formula.swizzle ? ApplySwizzle(*formula.swizzle, offset) : offset;
  };
  const SymbolicFunction printed = {computed, computed};
  std::string reason = WhyNot(ProveEqual(sizes, printed, {*index, nullptr}));
  if (reason.empty()) reason = WhyNot(ProveNoOverflow(sizes, printed, "int64"));
  return reason;
}

}  // namespace layoutcheck
