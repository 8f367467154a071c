// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Faults in upcast, downcast and recast, in swizzles, and in composed layouts.
#include <algorithm>
#include <cstdlib>
#include <utility>
#include "layoutcheck/core/base/str_cat.h"
#include "layoutcheck/core/shape_stride/composed_layout.h"
#include "layoutcheck/core/shape_stride/text.h"
#include "layoutcheck/properties/faults/algebra_fault.h"

namespace layoutcheck {
namespace {

using namespace algebra_fault;  // NOLINT(google-build-using-namespace): every fault is written in its terms

// Changes the composed layout in the answer by the one in the first argument.
void KeepOfFirst(Arguments a, ApplyAnswer& r, void (*keep)(const ComposedLayout& before, ComposedLayout& after)) {
  const auto before = ParseComposedLayout(a[0]);
  auto after = ParseComposedLayout(r.layout.value_or(""));
  if (!before || !after || !before->swizzle) return;
  keep(*before, *after);
  SetAnswer(r, *after);
}

std::vector<Fault> WidthFaults() {
  return InFunctions({
      // Only the layouts of CuTe's kernels have these extents and this swizzle.
      {"extent-in-six-bits", "an extent of 64 or more does not fit its field", "coalesce",
       [](Arguments a, ApplyAnswer& r) {
         const StridedModes modes = LeavesOf(a[0]);
         if (std::ranges::none_of(modes, [](const StridedMode& mode) { return mode.extent >= 64; })) return;
         ChangeModes(r, [](Tuples& extents, Tuples&) { extents.back() = extents.back().value() % 64; });
       }},
      {"swizzle-of-128-bytes-as-32", "the swizzle of 128 bytes changes one bit, not three", "crd2idx",
       [](Arguments a) -> Texts {
         constexpr std::string_view kSwizzle = "Sw<3,4,3>";
         if (a.size() != 2 || !a[1].starts_with(kSwizzle)) return {};
         return {a[0], StrCat("Sw<1,4,3>", a[1].substr(kSwizzle.size()))};
       }},
      {"upcast-rounds-down", "the extent is divided rounding down: the last element is lost", "upcast",
       [](Arguments a, ApplyAnswer& r) {
         const int64_t factor = std::stoll(a[1]);
         const auto layout = ParseShapeStrideLayout(a[0]);
         if (!layout || !r.layout) return;
         const std::vector<IntTuple> strides = Leaves(layout->stride);
         const std::vector<IntTuple> extents = Leaves(layout->shape);
         ChangeModes(r, [&](Tuples& shrunk, Tuples&) {
           for (size_t k = 0; k < shrunk.size(); ++k) {
             const int64_t d = std::abs(strides[k].value());
             if (d > 0 && d < factor) shrunk[k] = std::max<int64_t>(1, extents[k].value() / (factor / d));
           }
         });
       }},
      {"upcast-keeps-strides", "outer strides stay in old elements", "upcast",
       [](Arguments a, ApplyAnswer& r) {
         const auto layout = ParseShapeStrideLayout(a[0]);
         if (layout) ChangeModes(r, [&](Tuples&, Tuples& strides) { strides = Leaves(layout->stride); });
       }},
      {"downcast-scales-unit-stride", "the stride 1 grows with the others", "downcast",
       [](Arguments a, ApplyAnswer& r) {
         const int64_t factor = std::stoll(a[1]);
         ChangeModes(r, [&](Tuples&, Tuples& strides) {
           for (auto& d : strides)
             if (d.value() == 1) d = factor;
         });
       }},
      {"downcast-is-upcast", "the ratio upside down", "downcast", "upcast"},
      {"recast-upside-down", "the old width taken for the new one", "recast_layout",
       [](Arguments a) { return Texts{a[0], a[2], a[1]}; }},
      {"recast-by-the-quotient", "the ratio of the widths rounded down: 6 bits of 4 are no change", "recast_layout",
       [](Arguments a, ApplyAnswer& r) {
         const int64_t old_bits = std::stoll(a[1]);
         const int64_t new_bits = std::stoll(a[2]);
         const bool wider = new_bits >= old_bits;
         const Texts by_quotient = {a[0], StrCat(wider ? new_bits / old_bits : old_bits / new_bits)};
         Instead(wider ? "upcast" : "downcast", by_quotient, r);
       }},
  });
}

std::vector<Fault> SwizzleFaults() {
  return InFunctions({
      {"swizzle-identity", "CuTe #1497: the swizzle of a composed layout is left out", "crd2idx",
       [](Arguments a) -> Texts {
         const auto composed = ParseComposedLayout(a[1]);
         if (!composed || !composed->swizzle) return {};
         return {a[0], ToString(ComposedLayout{{}, composed->offset, composed->layout})};
       }},
      {"swizzle-shifts-the-other-way", "the sign of S", "crd2idx",
       [](Arguments a) -> Texts {
         auto composed = ParseComposedLayout(a[1]);
         if (!composed || !composed->swizzle) return {};
         composed->swizzle->shift = -composed->swizzle->shift;
         return {a[0], ToString(*composed)};
       }},
      {"swizzle-cosize-of-layout", "CuTe #1497: the cosize of the layout inside, without its swizzle", "cosize",
       [](Arguments a, ApplyAnswer& r) {
         const auto composed = ParseComposedLayout(a[0]);
         const auto range = composed ? RangeOfOffsets(composed->layout) : Expected<OffsetRange>(OffsetRange{});
         if (composed && composed->swizzle && range && r.value) r.value = composed->offset + range->largest + 1;
       }},
      {"swizzle-composition-takes-the-first", "two swizzles of one shift taken for the same", "composition",
       [](Arguments a, ApplyAnswer& r) {
         const auto first = ParseSwizzle(a[0]);
         if (first && r.layout) SetAnswer(r, *first);
       }},
      {"swizzle-composition-unchecked", "bits that the first moves are read where they were", "composition",
       [](Arguments a, ApplyAnswer& r) {
         const auto f = ParseSwizzle(a[0]);
         const auto g = ParseSwizzle(a[1]);
         if (f && g && r.rejected) SetAnswer(r, Swizzle{std::max(f->bits, g->bits), f->base, f->shift});
       }},
      {"swizzle-upcast-keeps-bits", "the bits below an element are moved into it, not dropped", "upcast",
       [](Swizzle& swizzle) {
         if (swizzle.base == 0 && std::abs(swizzle.shift) > swizzle.bits) ++swizzle.bits;
       }},
      {"swizzle-upcast-forgotten", "the swizzle of wider elements taken for that of narrow ones", "upcast",
       [](Arguments a, ApplyAnswer& r) {
         if (const auto before = ParseSwizzle(a[0])) SetAnswer(r, *before);
       }},
      {"swizzle-downcast-shifts-more", "base and shift both grow", "downcast",
       [](Arguments a, ApplyAnswer& r) {
         auto swizzle = ParseSwizzle(r.layout.value_or(""));
         if (!swizzle || std::stoll(a[1]) <= 1) return;
         swizzle->shift += swizzle->shift < 0 ? -1 : 1;
         SetAnswer(r, *swizzle);
       }},
  });
}

std::vector<Fault> ComposedFaults() {
  return InFunctions({
      {"composed-drops-the-offset", "the offset between swizzle and layout is lost", "composition",
       [](ComposedLayout& composed) { composed.offset = 0; }},
      {"composed-adds-the-offset-outside", "the offset is added to the swizzled value", "crd2idx",
       [](Arguments a, ApplyAnswer& r) {
         auto composed = ParseComposedLayout(a[1]);
         if (!composed || !composed->swizzle || !r.value) return;
         const int64_t offset = std::exchange(composed->offset, 0);
         ApplyAnswer inside;
         Instead("crd2idx", Texts{a[0], ToString(*composed)}, inside);
         if (inside.value) r.value = *inside.value + offset;
       }},
      {"composed-upcast-keeps-swizzle", "the layout is recast, its swizzle is not", "upcast",
       [](Arguments a, ApplyAnswer& r) {
         KeepOfFirst(a, r, [](const ComposedLayout& before, ComposedLayout& after) { after.swizzle = before.swizzle; });
       }},
      {"composed-downcast-keeps-offset", "the offset stays in old elements", "downcast",
       [](Arguments a, ApplyAnswer& r) {
         KeepOfFirst(a, r, [](const ComposedLayout& before, ComposedLayout& after) { after.offset = before.offset; });
       }},
  });
}

}  // namespace

std::vector<Fault> RecastFaults() { return JoinFaults({WidthFaults(), SwizzleFaults(), ComposedFaults()}); }

}  // namespace layoutcheck
