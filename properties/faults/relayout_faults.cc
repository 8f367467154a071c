// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Faults in moving an array from one layout to another.
#include <algorithm>
#include "layoutcheck/core/tiling/offset_table.h"
#include "layoutcheck/properties/faults/fault.h"

namespace layoutcheck {
namespace {

using Data = std::vector<int64_t>;

// Returns the offsets of all elements; empty if there are none.
Data OffsetsOf(const Shape& shape) { return AllOffsets(shape).value_or(Data()); }

}  // namespace

std::vector<Fault> RelayoutFaults() {
  return {
      {"relayout-padding-not-cleared", "oneDNN #1272: NaN in the padding area",
       [](const RelayoutQuestion&, Data& moved) { std::ranges::replace(moved, int64_t{-1}, int64_t{0}); }},
      {"relayout-source-order-ignored", "XLA 5bd1a61bb4: the layout of the source is ignored",
       [](Shape& from, Shape&) { MakeRowMajor(from); }},
      {"relayout-target-order-ignored", "XLA 625f644a83: the layout of the result is ignored",
       [](Shape&, Shape& to) { MakeRowMajor(to); }},
      {"relayout-last-tile-dropped", "google/tpu-sync#363: rows of sub-tiles interleave on the way to the host",
       [](Shape& from, Shape& to) {
         for (Shape* shape : {&from, &to}) {
           if (shape->layout->tiles.size() > 1) shape->layout->tiles.pop_back();
         }
       }},
      {"relayout-last-row-missing", "TileLang #2433: the last band of the output is never written",
       [](const RelayoutQuestion& q, Data& moved) {
         if (q.to.rank() == 0 || q.to.dimensions[0] < 2) return;
         const Data offsets = OffsetsOf(q.to);
         const size_t row = offsets.size() / static_cast<size_t>(q.to.dimensions[0]);
         for (size_t e = offsets.size() - row; e < offsets.size(); ++e) moved[static_cast<size_t>(offsets[e])] = -1;
       }},
      {"relayout-last-element-missing", "JAX e0faa596b3: the end of a slice is one too small",
       [](const RelayoutQuestion& q, Data& moved) {
         const Data offsets = OffsetsOf(q.to);
         if (offsets.size() > 1) moved[static_cast<size_t>(offsets.back())] = -1;
       }},
      {"relayout-same-size-not-moved", "LLVM #102888: a transpose is dropped with its copy",
       [](const RelayoutQuestion& q, Data& moved) {
         if (q.data.size() == moved.size()) moved.assign(q.data.begin(), q.data.end());
       }},
      {"relayout-unpadded-length", "tt-metal #57354: the target has the unpadded height",
       [](const RelayoutQuestion& q, Data& moved) {
         const size_t elements = OffsetsOf(q.to).size();
         if (moved.size() > elements) moved.resize(elements);
       }},
      {"relayout-padding-read", "CATLASS b31c4fe7: the block length is rounded up, padding is read as data",
       [](const RelayoutQuestion&, Data& moved) {
         for (size_t k = 1; k < moved.size(); ++k) {
           if (moved[k] < 0) moved[k] = moved[k - 1];
         }
       }},
      {"relayout-blocks-of-four-only", "onnxruntime #14392: channels that are no multiple of 4",
       [](const RelayoutQuestion& q, Data& moved) {
         if (q.to.rank() == 0) return;
         const Data offsets = OffsetsOf(q.to);
         const auto row = static_cast<size_t>(q.to.dimensions.back());
         for (size_t e = 0; e < offsets.size(); ++e) {
           if (row > 4 && e % row >= row / 4 * 4) moved[static_cast<size_t>(offsets[e])] = -1;
         }
       }},
      {"relayout-first-plane-only", "oneDNN #3280: only a part of a strided tensor is moved",
       [](const RelayoutQuestion& q, Data& moved) {
         if (q.to.rank() < 3) return;
         const Data offsets = OffsetsOf(q.to);
         const auto planes = static_cast<size_t>(std::max<int64_t>(q.to.dimensions[0], 1));
         for (size_t e = offsets.size() / planes; e < offsets.size(); ++e) moved[static_cast<size_t>(offsets[e])] = -1;
       }},
      {"relayout-tiles-of-rank-one-ignored", "XLA dfca664ce9: rank-1 tilings in a transpose plan",
       [](Shape& from, Shape& to) {
         for (Shape* shape : {&from, &to}) KeepTiles(*shape, shape->rank() == 1 ? 0 : shape->layout->tiles.size());
       }},
  };
}

}  // namespace layoutcheck
