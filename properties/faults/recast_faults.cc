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

// Changes the composed layout or the swizzle in an answer.
void ChangeComposed(ApplyAnswer& answer, void (*change)(ComposedLayout&)) {
  auto composed = ParseComposedLayout(answer.layout.value_or(""));
  if (!composed || !composed->swizzle) return;
  change(*composed);
  SetAnswer(answer, *composed);
}

void ChangeSwizzle(ApplyAnswer& answer, void (*change)(Swizzle&)) {
  auto swizzle = ParseSwizzle(answer.layout.value_or(""));
  if (!swizzle) return;
  change(*swizzle);
  SetAnswer(answer, *swizzle);
}

std::vector<Fault> ExtentFaults() {
  return {
      // Only the layouts of CuTe's kernels have these extents and this swizzle.
      {"extent-in-six-bits", "algebra", "an extent of 64 or more does not fit its field",
       In("coalesce",
          [](Arguments a, ApplyAnswer& r) {
            const StridedModes modes = LeavesOf(a[0]);
            if (std::ranges::none_of(modes, [](const StridedMode& mode) { return mode.extent >= 64; })) return;
            ChangeModes(r, [](auto& extents, auto&) { extents.back() = extents.back().value() % 64; });
          })},
      {"swizzle-of-128-bytes-as-32", "algebra", "the swizzle of 128 bytes changes one bit, not three",
       In("crd2idx",
          [](Arguments a, ApplyAnswer& r) {
            constexpr std::string_view kSwizzle = "Sw<3,4,3>";
            if (a.size() != 2 || !a[1].starts_with(kSwizzle)) return;
            const std::string narrower[] = {a[0], StrCat("Sw<1,4,3>", a[1].substr(kSwizzle.size()))};
            Instead("crd2idx", narrower, r);
          })},
  };
}

std::vector<Fault> WidthFaults() {
  return {
      {"upcast-rounds-down", "algebra", "the extent is divided rounding down: the last element is lost",
       In("upcast",
          [](Arguments a, ApplyAnswer& r) {
            const int64_t factor = std::stoll(a[1]);
            const auto layout = ParseShapeStrideLayout(a[0]);
            if (!layout || !r.layout) return;
            const std::vector<IntTuple> strides = Leaves(layout->stride);
            const std::vector<IntTuple> extents = Leaves(layout->shape);
            ChangeModes(r, [&](auto& shrunk, auto&) {
              for (size_t k = 0; k < shrunk.size(); ++k) {
                const int64_t d = std::abs(strides[k].value());
                if (d > 0 && d < factor) shrunk[k] = std::max<int64_t>(1, extents[k].value() / (factor / d));
              }
            });
          })},
      {"upcast-keeps-strides", "algebra", "outer strides stay in old elements",
       In("upcast",
          [](Arguments a, ApplyAnswer& r) {
            const auto layout = ParseShapeStrideLayout(a[0]);
            if (layout) ChangeModes(r, [&](auto&, auto& strides) { strides = Leaves(layout->stride); });
          })},
      {"downcast-scales-unit-stride", "algebra", "the stride 1 grows with the others",
       In("downcast",
          [](Arguments a, ApplyAnswer& r) {
            const int64_t factor = std::stoll(a[1]);
            ChangeModes(r, [&](auto&, auto& strides) {
              for (auto& d : strides)
                if (d.value() == 1) d = factor;
            });
          })},
      {"downcast-is-upcast", "algebra", "the ratio upside down",
       In("downcast", [](Arguments a, ApplyAnswer& r) { Instead("upcast", a, r); })},
      {"recast-upside-down", "algebra", "the old width taken for the new one",
       In("recast_layout",
          [](Arguments a, ApplyAnswer& r) {
            const std::string other[] = {a[0], a[2], a[1]};
            Instead("recast_layout", other, r);
          })},
      {"recast-by-the-quotient", "algebra", "the ratio of the widths rounded down: 6 bits of 4 are no change",
       In("recast_layout",
          [](Arguments a, ApplyAnswer& r) {
            const int64_t old_bits = std::stoll(a[1]);
            const int64_t new_bits = std::stoll(a[2]);
            const bool wider = new_bits >= old_bits;
            const std::string other[] = {a[0], StrCat(wider ? new_bits / old_bits : old_bits / new_bits)};
            Instead(wider ? "upcast" : "downcast", other, r);
          })},
  };
}

std::vector<Fault> SwizzleFaults() {
  return {
      {"swizzle-identity", "algebra", "CuTe #1497: the swizzle of a composed layout is left out",
       In("crd2idx",
          [](Arguments a, ApplyAnswer& r) {
            const auto composed = ParseComposedLayout(a[1]);
            if (!composed || !composed->swizzle) return;
            const std::string plain[] = {a[0], ToString(ComposedLayout{{}, composed->offset, composed->layout})};
            Instead("crd2idx", plain, r);
          })},
      {"swizzle-shifts-the-other-way", "algebra", "the sign of S",
       In("crd2idx",
          [](Arguments a, ApplyAnswer& r) {
            auto composed = ParseComposedLayout(a[1]);
            if (!composed || !composed->swizzle) return;
            composed->swizzle->shift = -composed->swizzle->shift;
            const std::string other[] = {a[0], ToString(*composed)};
            Instead("crd2idx", other, r);
          })},
      {"swizzle-cosize-of-layout", "algebra", "CuTe #1497: the cosize of the layout inside, without its swizzle",
       In("cosize",
          [](Arguments a, ApplyAnswer& r) {
            const auto composed = ParseComposedLayout(a[0]);
            const auto range = composed ? RangeOfOffsets(composed->layout) : Expected<OffsetRange>(OffsetRange{});
            if (composed && composed->swizzle && range && r.value) r.value = composed->offset + range->largest + 1;
          })},
      {"swizzle-composition-takes-the-first", "algebra", "two swizzles of one shift taken for the same",
       In("composition",
          [](Arguments a, ApplyAnswer& r) {
            const auto first = ParseSwizzle(a[0]);
            if (first && r.layout) SetAnswer(r, *first);
          })},
      {"swizzle-composition-unchecked", "algebra", "bits that the first moves are read where they were",
       In("composition",
          [](Arguments a, ApplyAnswer& r) {
            const auto f = ParseSwizzle(a[0]);
            const auto g = ParseSwizzle(a[1]);
            if (f && g && r.rejected) SetAnswer(r, Swizzle{std::max(f->bits, g->bits), f->base, f->shift});
          })},
      {"swizzle-upcast-keeps-bits", "algebra", "the bits below an element are moved into it, not dropped",
       In("upcast",
          [](Arguments a, ApplyAnswer& r) {
            const auto before = ParseSwizzle(a[0]);
            if (!before) return;
            ChangeSwizzle(r, [](Swizzle& swizzle) {
              if (swizzle.base == 0 && std::abs(swizzle.shift) > swizzle.bits) ++swizzle.bits;
            });
          })},
      {"swizzle-upcast-forgotten", "algebra", "the swizzle of wider elements taken for that of narrow ones",
       In("upcast",
          [](Arguments a, ApplyAnswer& r) {
            if (const auto before = ParseSwizzle(a[0])) SetAnswer(r, *before);
          })},
      {"swizzle-downcast-shifts-more", "algebra", "base and shift both grow",
       In("downcast",
          [](Arguments a, ApplyAnswer& r) {
            const auto before = ParseSwizzle(a[0]);
            if (before && std::stoll(a[1]) > 1) {
              ChangeSwizzle(r, [](Swizzle& swizzle) { swizzle.shift += swizzle.shift < 0 ? -1 : 1; });
            }
          })},
  };
}

std::vector<Fault> ComposedFaults() {
  return {
      {"composed-drops-the-offset", "algebra", "the offset between swizzle and layout is lost",
       In("composition",
          [](Arguments, ApplyAnswer& r) { ChangeComposed(r, [](ComposedLayout& composed) { composed.offset = 0; }); })},
      {"composed-adds-the-offset-outside", "algebra", "the offset is added to the swizzled value",
       In("crd2idx",
          [](Arguments a, ApplyAnswer& r) {
            auto composed = ParseComposedLayout(a[1]);
            if (!composed || !composed->swizzle || !r.value) return;
            const int64_t offset = std::exchange(composed->offset, 0);
            const std::string other[] = {a[0], ToString(*composed)};
            ApplyAnswer inside;
            Instead("crd2idx", other, inside);
            if (inside.value) r.value = *inside.value + offset;
          })},
      {"composed-upcast-keeps-swizzle", "algebra", "the layout is recast, its swizzle is not",
       In("upcast",
          [](Arguments a, ApplyAnswer& r) {
            const auto before = ParseComposedLayout(a[0]);
            auto after = ParseComposedLayout(r.layout.value_or(""));
            if (!before || !after || !before->swizzle) return;
            after->swizzle = before->swizzle;
            SetAnswer(r, *after);
          })},
      {"composed-downcast-keeps-offset", "algebra", "the offset stays in old elements",
       In("downcast",
          [](Arguments a, ApplyAnswer& r) {
            const auto before = ParseComposedLayout(a[0]);
            auto after = ParseComposedLayout(r.layout.value_or(""));
            if (!before || !after || !before->swizzle) return;
            after->offset = before->offset;
            SetAnswer(r, *after);
          })},
  };
}

}  // namespace

std::vector<Fault> RecastFaults() {
  return JoinFaults({ExtentFaults(), WidthFaults(), SwizzleFaults(), ComposedFaults()});
}

}  // namespace layoutcheck
