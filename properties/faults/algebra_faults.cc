// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Faults in the algebra of shape:stride layouts.
#include <algorithm>
#include "layoutcheck/core/algebra/complement.h"
#include "layoutcheck/core/algebra/inverse.h"
#include "layoutcheck/core/base/str_cat.h"
#include "layoutcheck/core/shape_stride/text.h"
#include "layoutcheck/core/shape_stride/tla.h"
#include "layoutcheck/properties/faults/algebra_fault.h"

namespace layoutcheck {
namespace {

using namespace algebra_fault;  // NOLINT(google-build-using-namespace): every fault is written in its terms

// Computes the published composition without its checks: integer divisions truncate where they should be exact.
void UncheckedComposition(Arguments arguments, ApplyAnswer& answer) {
  const StridedModes a = LeavesOf(arguments[0]);
  const auto b = ParseShapeStrideLayout(arguments[1]);
  if (a.empty() || !b || Rank(*b) != 1) return;
  const StridedModes tiler = LeavesOf(arguments[1]);
  if (tiler.size() != 1 || tiler[0].stride <= 0) return;
  int64_t rest = tiler[0].extent;
  int64_t stride = tiler[0].stride;
  StridedModes result;
  for (size_t k = 0; k + 1 < a.size() && rest > 1; ++k) {
    const int64_t reached = CeilDiv(a[k].extent, stride);
    const int64_t taken = std::min(rest, reached);
    if (taken > 1) result.push_back({taken, stride * a[k].stride});
    stride = CeilDiv(stride, a[k].extent);
    rest /= std::max<int64_t>(taken, 1);
  }
  if (rest > 1 || result.empty()) result.push_back({rest, stride * a.back().stride});
  SetAnswer(answer, LayoutOfModes(result));
}

void Complement(Arguments arguments, ApplyAnswer& answer, bool sorted, int64_t number) {
  StridedModes modes = LeavesOf(arguments[0]);
  if (sorted) std::ranges::sort(modes, std::ranges::less{}, &StridedMode::stride);
  int64_t last = 1;
  StridedModes result;
  for (const StridedMode& mode : modes) {
    if (mode.stride <= 0) return;
    if (mode.stride / last > 1) result.push_back({mode.stride / last, last});
    last = mode.stride * mode.extent;
  }
  if (CeilDiv(number, last) > 1) result.push_back({CeilDiv(number, last), last});
  SetAnswer(answer, LayoutOfModes(result));
}

// Collects the modes whose strides are 1, e0, e0 * e1, ... in the given order.
void Inverse(const StridedModes& modes, ApplyAnswer& answer) {
  int64_t position = 1;
  int64_t reached = 1;
  StridedModes result;
  for (const StridedMode& mode : modes) {
    if (mode.stride == reached) {
      result.push_back({mode.extent, position});
      reached *= mode.extent;
    }
    position *= mode.extent;
  }
  SetAnswer(answer, LayoutOfModes(result));
}

std::vector<Fault> CompositionFaults() {
  return InFunctions({
      {"composition-unchecked", "CuTe #3177: composition of run-time layouts divides without a check", "composition",
       UncheckedComposition},
      {"composition-swapped", "A o B taken for B o A", "composition", Swapped},
      {"composition-loses-the-rest", "pycute: (4,3):(3,1) o 6:1 = 4:3, elements are lost in silence", "composition",
       [](Tuples& extents, Tuples&) {
         if (extents.size() > 1) extents.back() = 1;
       }},
      {"composition-ignores-strides", "the strides of the right layout are not multiplied in", "composition",
       [](Tuples&, Tuples& strides) {
         for (auto& d : strides) d = d.value() == 0 ? 0 : 1;
       }},
  });
}

std::vector<Fault> CoalesceFaults() {
  return InFunctions({
      {"coalesce-merges-everything", "coalesce merges neighbors whose strides do not continue", "coalesce",
       [](Arguments a, ApplyAnswer& r) {
         const StridedModes modes = LeavesOf(a[0]);
         int64_t size = 1;
         for (const auto& mode : modes) size *= mode.extent;
         if (!modes.empty()) SetAnswer(r, LayoutOfModes({{size, modes[0].stride}}));
       }},
      {"coalesce-right-to-left", "modes come out in reversed order", "coalesce",
       [](Tuples& extents, Tuples& strides) {
         std::ranges::reverse(extents);
         std::ranges::reverse(strides);
       }},
      {"coalesce-drops-zeros", "a mode of stride 0 is dropped like one of extent 1", "coalesce", "filter"},
      {"filter-keeps-zeros", "filter leaves modes of stride 0", "filter", "coalesce"},
      {"filter-drops-the-last", "the last mode goes with those of stride 0", "filter",
       [](Tuples& extents, Tuples&) {
         if (extents.size() > 1) extents.back() = 1;
       }},
  });
}

std::vector<Fault> ComplementAndInverseFaults() {
  return InFunctions({
      {"complement-unsorted", "the modes are walked as they stand, not by stride", "complement",
       [](Arguments a, ApplyAnswer& r) { Complement(a, r, false, std::stoll(a[1])); }},
      {"complement-unchecked", "CuTe: strides that do not divide leave overlaps and holes", "complement",
       [](Arguments a, ApplyAnswer& r) {
         if (r.rejected) Complement(a, r, true, std::stoll(a[1]));
       }},
      {"complement-ends-early", "the size of the codomain is rounded down", "complement",
       [](Arguments a, ApplyAnswer& r) { Complement(a, r, true, std::stoll(a[1]) / 2); }},
      {"right-inverse-unsorted", "the chain is looked for in the order of the modes' extents", "right_inverse",
       [](Arguments a, ApplyAnswer& r) {
         StridedModes modes = LeavesOf(a[0]);
         std::ranges::sort(modes, std::ranges::less{}, &StridedMode::stride);
         Inverse(modes, r);
       }},
      {"right-inverse-of-anything", "every layout is taken for a bijection", "right_inverse",
       [](Arguments a, ApplyAnswer& r) {
         StridedModes modes = LeavesOf(a[0]);
         int64_t size = 1;
         for (const auto& mode : modes) size *= mode.extent;
         SetAnswer(r, ShapeStrideLayout{size, 1});
       }},
      {"left-inverse-unchecked", "CuTe: wrong for (2,2,2):(1,1,4), modes that reach into each other", "left_inverse",
       [](Arguments a, ApplyAnswer& r) {
         StridedModes modes;
         int64_t position = 1;
         for (const auto& mode : LeavesOf(a[0])) {
           if (mode.stride > 0)
             modes.push_back({mode.stride, position});  // the extent holds the stride until it is sorted
           position *= mode.extent;
         }
         std::ranges::sort(modes, std::ranges::less{}, &StridedMode::extent);
         int64_t reached = 1;
         StridedModes result{{1, 0}};
         for (const auto& mode : modes) {
           if (mode.extent % reached != 0) return;
           result.back().extent = std::max<int64_t>(1, mode.extent / reached);
           reached = mode.extent;
           result.push_back({1, mode.stride});
         }
         SetAnswer(r, LayoutOfModes(result));
       }},
      {"left-inverse-is-right-inverse", "the one inverse taken for the other", "left_inverse", "right_inverse"},
      {"nullspace-of-unit-strides", "modes of stride 1 taken for those of stride 0", "nullspace",
       [](Arguments a, ApplyAnswer& r) {
         int64_t position = 1;
         StridedModes result;
         for (const auto& mode : LeavesOf(a[0])) {
           if (mode.stride == 1) result.push_back({mode.extent, position});
           position *= mode.extent;
         }
         SetAnswer(r, LayoutOfModes(result));
       }},
  });
}

std::vector<Fault> DivideAndProductFaults() {
  return InFunctions({
      {"divide-loses-elements", "CuTe: a rest that the tile does not divide is dropped", "logical_divide",
       [](Tuples& extents, Tuples&) {
         if (extents.size() > 1 && extents.back().value() > 1) extents.back() = extents.back().value() - 1;
       }},
      {"divide-rest-first", "the modes of the division the other way round", "zipped_divide",
       [](ShapeStrideLayout& layout) {
         if (Rank(layout) == 2) layout = ConcatenateModes({*Mode(layout, 1), *Mode(layout, 0)});
       }},
      {"divide-by-the-size-alone", "the tile's strides are not looked at", "tiled_divide",
       [](Arguments a) -> Texts {
         const auto tile = ParseShapeStrideLayout(a[1]);
         return {a[0], StrCat(tile ? CheckedProduct(tile->shape).value : 1)};
       }},
      {"product-overlaps", "the second copy begins at the size of the block, not behind it", "logical_product",
       [](Arguments a, ApplyAnswer& r) {
         const auto block = ParseShapeStrideLayout(a[0]);
         const auto copies = ParseShapeStrideLayout(a[1]);
         if (!block || !copies || !r.layout) return;
         const int64_t size = CheckedProduct(block->shape).value;
         ShapeStrideLayout shifted = *copies;
         std::vector<IntTuple> strides = Leaves(shifted.stride);
         for (IntTuple& stride : strides) stride = stride.value() * size;
         shifted.stride = Unflatten(shifted.stride, strides);
         SetAnswer(r, ConcatenateModes({*block, shifted}));
       }},
      {"product-divides", "pycute #3478: logical_product by an extent divides", "logical_product", "logical_divide"},
      {"blocked-is-raked", "blocks interleaved in place of side by side", "blocked_product", "raked_product"},
      {"raked-is-blocked", "blocks side by side in place of interleaved", "raked_product", "blocked_product"},
  });
}

std::vector<Fault> SizeAndCoordinateFaults() {
  return InFunctions({
      {"cosize-of-last", "pycute: cosize as the last value + 1, wrong for negative strides", "cosize",
       [](Arguments a, ApplyAnswer& r) {
         int64_t last = 0;
         for (const auto& mode : LeavesOf(a[0])) last += (mode.extent - 1) * mode.stride;
         if (r.value) r.value = last + 1;
       }},
      {"cosize-is-size", "gaps are not allocated", "cosize", "size"},
      {"crd2idx-row-major", "the last integer of a coordinate taken for the fastest", "crd2idx",
       [](Arguments a, ApplyAnswer& r) {
         if (!r.value || a[1].find('o') != std::string::npos) return;
         StridedModes modes = LeavesOf(a[1]);
         std::ranges::reverse(modes);
         r.value = IntegralOffset<int64_t>(modes, std::stoll(a[0]));
       }},
      {"weakly-congruent-is-congruent", "a prefix of the structure is not taken for one", "weakly_congruent",
       "congruent"},
  });
}

std::vector<Fault> CommonLayoutFaults() {
  return InFunctions({
      {"max-common-vector-of-one", "the contiguous part of the one layout, whatever the other's is",
       "max_common_vector",
       [](Arguments a, ApplyAnswer& r) {
         const auto layout = ParseShapeStrideLayout(a[0]);
         const auto inverse = layout ? RightInverse(*layout) : layout;
         if (r.value && inverse) r.value = CheckedProduct(inverse->shape).value;
       }},
      {"max-common-vector-gives-up", "1 wherever the two are not the same layout", "max_common_vector",
       [](Arguments a, ApplyAnswer& r) {
         if (r.value && a[0] != a[1]) r.value = 1;
       }},
      {"max-common-layout-of-one", "CuTe's max_common_layout without the composition: an inverse of one",
       "max_common_layout", [](Arguments a, ApplyAnswer& r) { Instead("right_inverse", a.subspan(1), r); }},
      {"max-common-layout-is-compact", "as many indices as are common, not the indices themselves", "max_common_layout",
       [](Tuples&, Tuples& strides) {
         if (strides.size() == 1 && strides[0].value() != 0) strides[0] = 1;
       }},
  });
}

std::vector<Fault> DistributeFaults() {
  return InFunctions({
      {"distribute-the-least", "the smaller of extent and count, not what divides both", "domain_distribute",
       [](Arguments a, ApplyAnswer& r) {
         const auto shape = ParseIntTuple(a[0]);
         int64_t count = std::stoll(a[1]);
         int64_t step = 1;
         StridedModes result;
         for (const IntTuple& extent : shape ? Leaves(*shape) : std::vector<IntTuple>()) {
           const int64_t part = std::min(extent.value(), count);
           result.push_back({part, step});
           count = CeilDiv(count, part);
           step *= extent.value();
         }
         SetAnswer(r, LayoutOfModes(result));
       }},
      {"distribute-without-gaps", "the strides of the parts, not of the shape", "domain_distribute",
       [](Tuples& extents, Tuples& strides) {
         int64_t step = 1;
         for (size_t k = 0; k < extents.size(); step *= extents[k++].value()) strides[k] = step;
       }},
  });
}

std::vector<Fault> TileToShapeFaults() {
  return InFunctions({
      {"tile-to-shape-ignores-order", "the first mode is repeated first, whatever the order says", "tile_to_shape",
       [](Arguments a) -> Texts {
         const auto order = ParseIntTuple(a[2]);
         if (!order) return {};
         std::vector<IntTuple> rising;
         for (int64_t d = 0; d < Rank(*order); ++d) rising.emplace_back(d);
         return {a[0], a[1], ToString(IntTuple::Tuple(rising))};
       }},
      {"tile-to-shape-rounds-up", "CuTe: run-time shapes that the block does not divide are rounded up",
       "tile_to_shape",
       [](Arguments a, ApplyAnswer& r) {
         // Rounds the shape up to whole blocks: (6,8) in blocks of 4x4 becomes 8x8.
         if (!r.rejected) return;
         const auto block = ParseShapeStrideLayout(a[0]);
         const auto shape = ParseIntTuple(a[1]);
         if (!block || !shape || Rank(*block) > Rank(*shape)) return;
         std::vector<IntTuple> rounded = Modes(*shape);
         for (size_t d = 0; d < Modes(block->shape).size(); ++d) {
           const int64_t part = CheckedProduct(Modes(block->shape)[d]).value;
           rounded[d] = CeilDiv(rounded[d].value(), part) * part;
         }
         Instead("tile_to_shape", Texts{a[0], ToString(IntTuple::Tuple(rounded)), a[2]}, r);
       }},
      {"tile-to-shape-rakes", "blocks interleaved in place of side by side", "tile_to_shape",
       [](ShapeStrideLayout& layout) {
         std::vector<ShapeStrideLayout> raked = Modes(layout);
         for (ShapeStrideLayout& mode : raked) {
           std::vector<ShapeStrideLayout> parts = Modes(mode);
           std::ranges::reverse(parts);
           mode = ConcatenateModes(parts);
         }
         layout = ConcatenateModes(raked);
       }},
  });
}

std::vector<Fault> ShapeComparisonFaults() {
  return InFunctions({
      {"compatible-by-size", "shapes of one size taken for compatible", "compatible",
       [](Arguments a, ApplyAnswer& r) {
         const auto x = ParseIntTuple(a[0]);
         const auto y = ParseIntTuple(a[1]);
         if (x && y) r.value = CheckedProduct(*x).value == CheckedProduct(*y).value ? 1 : 0;
       }},
      {"congruent-by-rank", "only the number of modes is compared", "congruent",
       [](Arguments a, ApplyAnswer& r) {
         const auto x = ParseIntTuple(a[0]);
         const auto y = ParseIntTuple(a[1]);
         if (x && y) r.value = Rank(*x) == Rank(*y) ? 1 : 0;
       }},
  });
}

}  // namespace

std::vector<Fault> AlgebraFaults() {
  std::vector<Fault> faults =
      JoinFaults({CompositionFaults(), CoalesceFaults(), ComplementAndInverseFaults(), DivideAndProductFaults(),
                  SizeAndCoordinateFaults(), CommonLayoutFaults(), DistributeFaults(), TileToShapeFaults(),
                  ShapeComparisonFaults(), RecastFaults(), TagFaults(), ViewFaults(), LinearFaults(), AxisFaults(),
                  ShardingFaults()});
  for (Fault& fault : faults) fault.kind = "algebra";
  return faults;
}

}  // namespace layoutcheck
