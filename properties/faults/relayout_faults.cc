// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Faults in moving an array from one layout to another.
#include <algorithm>
#include "layoutcheck/core/tiling/offset_table.h"
#include "layoutcheck/properties/faults/fault.h"

namespace layoutcheck {
namespace {

using Plant = std::function<void(FaultHooks&)>;
using Data = std::vector<int64_t>;

Plant InMove(void (*change)(const Shape& from, const Shape& to, std::span<const int64_t> data, Data& moved)) {
  return [change](FaultHooks& hooks) { hooks.relayout = change; };
}

Plant InLayouts(void (*change)(Shape& from, Shape& to)) {
  return [change](FaultHooks& hooks) { hooks.relayout_distort = change; };
}

void MakeRowMajor(Shape& shape) { std::ranges::sort(shape.layout->minor_to_major, std::ranges::greater()); }

// Returns the offsets of all elements; empty if there are none.
Data OffsetsOf(const Shape& shape) { return AllOffsets(shape).value_or(Data()); }

std::vector<Fault> MakeFaults() {
  return {
      {"relayout-padding-not-cleared", "relayout", "oneDNN #1272: NaN in the padding area",
       InMove([](const Shape&, const Shape&, std::span<const int64_t>, Data& moved) {
         std::ranges::replace(moved, int64_t{-1}, int64_t{0});
       })},
      {"relayout-source-order-ignored", "relayout", "XLA 5bd1a61bb4: the layout of the source is ignored",
       InLayouts([](Shape& from, Shape&) { MakeRowMajor(from); })},
      {"relayout-target-order-ignored", "relayout", "XLA 625f644a83: the layout of the result is ignored",
       InLayouts([](Shape&, Shape& to) { MakeRowMajor(to); })},
      {"relayout-last-tile-dropped", "relayout",
       "google/tpu-sync#363: rows of sub-tiles interleave on the way to the host",
       InLayouts([](Shape& from, Shape& to) {
         for (Shape* shape : {&from, &to}) {
           if (shape->layout->tiles.size() > 1) shape->layout->tiles.pop_back();
         }
       })},
      {"relayout-last-row-missing", "relayout", "TileLang #2433: the last band of the output is never written",
       InMove([](const Shape&, const Shape& to, std::span<const int64_t>, Data& moved) {
         if (to.rank() == 0 || to.dimensions[0] < 2) return;
         const Data offsets = OffsetsOf(to);
         const size_t row = offsets.size() / static_cast<size_t>(to.dimensions[0]);
         for (size_t e = offsets.size() - row; e < offsets.size(); ++e) moved[static_cast<size_t>(offsets[e])] = -1;
       })},
      {"relayout-last-element-missing", "relayout", "JAX e0faa596b3: the end of a slice is one too small",
       InMove([](const Shape&, const Shape& to, std::span<const int64_t>, Data& moved) {
         const Data offsets = OffsetsOf(to);
         if (offsets.size() > 1) moved[static_cast<size_t>(offsets.back())] = -1;
       })},
      {"relayout-same-size-not-moved", "relayout", "LLVM #102888: a transpose is dropped with its copy",
       InMove([](const Shape&, const Shape&, std::span<const int64_t> data, Data& moved) {
         if (data.size() == moved.size()) moved.assign(data.begin(), data.end());
       })},
      {"relayout-unpadded-length", "relayout", "tt-metal #57354: the target has the unpadded height",
       InMove([](const Shape&, const Shape& to, std::span<const int64_t>, Data& moved) {
         const size_t elements = OffsetsOf(to).size();
         if (moved.size() > elements) moved.resize(elements);
       })},
      {"relayout-padding-read", "relayout", "CATLASS b31c4fe7: the block length is rounded up, padding is read as data",
       InMove([](const Shape&, const Shape&, std::span<const int64_t>, Data& moved) {
         for (size_t k = 1; k < moved.size(); ++k) {
           if (moved[k] < 0) moved[k] = moved[k - 1];
         }
       })},
      {"relayout-blocks-of-four-only", "relayout", "onnxruntime #14392: channels that are no multiple of 4",
       InMove([](const Shape&, const Shape& to, std::span<const int64_t>, Data& moved) {
         if (to.rank() == 0) return;
         const Data offsets = OffsetsOf(to);
         const auto row = static_cast<size_t>(to.dimensions.back());
         for (size_t e = 0; e < offsets.size(); ++e) {
           if (row > 4 && e % row >= row / 4 * 4) moved[static_cast<size_t>(offsets[e])] = -1;
         }
       })},
      {"relayout-first-plane-only", "relayout", "oneDNN #3280: only a part of a strided tensor is moved",
       InMove([](const Shape&, const Shape& to, std::span<const int64_t>, Data& moved) {
         if (to.rank() < 3) return;
         const Data offsets = OffsetsOf(to);
         const auto planes = static_cast<size_t>(std::max<int64_t>(to.dimensions[0], 1));
         for (size_t e = offsets.size() / planes; e < offsets.size(); ++e) moved[static_cast<size_t>(offsets[e])] = -1;
       })},
      {"relayout-tiles-of-rank-one-ignored", "relayout", "XLA dfca664ce9: rank-1 tilings in a transpose plan",
       InLayouts([](Shape& from, Shape& to) {
         for (Shape* shape : {&from, &to}) {
           if (shape->rank() == 1) shape->layout->tiles.clear();
         }
       })},
  };
}

}  // namespace

std::span<const Fault> RelayoutFaults() {
  static const std::vector<Fault> faults = MakeFaults();
  return faults;
}

}  // namespace layoutcheck
