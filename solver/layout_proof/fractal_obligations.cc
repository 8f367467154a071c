// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/solver/layout_proof/fractal_obligations.h"

#include <string>
#include <vector>

#include "layoutcheck/core/shape_stride/strided_index.h"
#include "layoutcheck/core/shape_stride/tla.h"
#include "layoutcheck/core/tiling/tiled_index.h"

namespace layoutcheck {
namespace {

BasicStridedLayout<Term> ModesOf(const SymbolicFractal& fractal, const std::vector<Term>& sizes) {
  if (fractal.scales_of_b) {
    return MxScaleModes<Term>(fractal.tag, *fractal.scales_of_b, sizes.front(), sizes.back());
  }
  return TlaModes<Term>(fractal.tag, Term(fractal.c0), fractal.packs_two, sizes.front(), sizes.back());
}

// Returns 1 + the largest offset, plus the element that completes the last row if two elements of 4 bits share a byte.
Term AllocationOf(const SymbolicFractal& fractal, const std::vector<Term>& sizes) {
  Term allocated = 1;
  for (const auto& mode : ModesOf(fractal, sizes).modes) {
    for (const auto& leaf : mode) allocated = allocated + (leaf.extent - Term(1)) * leaf.stride;
  }
  if (fractal.packs_two && (fractal.tag == TlaTag::kRowMajor || fractal.tag == TlaTag::kColumnMajor)) {
    const Term& row = fractal.tag == TlaTag::kRowMajor ? sizes.back() : sizes.front();
    allocated = allocated + CeilDiv(row, Term(2)) * Term(2) - row;
  }
  return allocated;
}

}  // namespace

void AddFractalEquality(ObligationList& list) {
  const SymbolicFractal& fractal = *list.layout().fractal;
  const std::string index_part = "every index of the fractal layout";
  ObligationBuilder b = list.Start(index_part);
  const std::vector<Term> index = b.NewPoint("i", b.layout().dimensions);
  b.GoalEqual(StridedOffset<Term>(ModesOf(fractal, b.layout().dimensions), index),
              BasicTiledIndex<Term>(b.layout())(index));
  list.Add(b, index_part);

  const std::string size_part = "allocation of the fractal layout";
  ObligationBuilder sizes = list.Start(size_part);
  sizes.GoalEqual(AllocationOf(fractal, sizes.layout().dimensions),
                  BasicTiledIndex<Term>(sizes.layout()).padded_elements());
  list.Add(sizes, size_part);
}

}  // namespace layoutcheck
