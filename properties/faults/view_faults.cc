// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Faults in views, tiles and slices.
#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>
#include "layoutcheck/core/shape_stride/text.h"
#include "layoutcheck/properties/algebra/algebra_reference.h"
#include "layoutcheck/properties/faults/algebra_fault.h"

namespace layoutcheck {
namespace {

// Answers with the strided form of a view of the layout, right or wrong.
void AnswerStrided(const ViewQuestion& question, ViewAnswer& answer,
                   void (*change)(const ViewQuestion&, const ComposedLayout&, View&)) {
  auto layout = ParseShapeStrideLayout(question.layout);
  auto view = ViewOf(question);
  if (!layout || !view || answer.rejected) return;
  const ComposedLayout whole{std::nullopt, 0, *std::move(layout)};
  if (change != nullptr) change(question, whole, *view);
  const auto strided = StridedViewOf(whole, *view);
  if (strided) answer = StridedAnswer(*strided, *view);
}

// Returns a fault that changes the view before it becomes a strided form.
Change<ViewQuestion> InView(void (*change)(const ViewQuestion&, const ComposedLayout&, View&)) {
  return [change](const ViewQuestion& question, ViewAnswer& answer) {
    if (answer.layout) AnswerStrided(question, answer, change);
  };
}

// Returns a fault that changes the valid extents of each mode in an answer.
Change<ViewQuestion> InExtents(void (*change)(const ViewRange& range, int64_t extent, int64_t& valid)) {
  return [change](const ViewQuestion& question, ViewAnswer& answer) {
    const auto view = ViewOf(question);
    if (!view || !answer.valid || question.kind == ViewQuestion::Kind::kSlice) return;
    for (size_t d = 0; d < answer.valid->size(); ++d) change(view->ranges[d], view->extents[d], (*answer.valid)[d]);
  };
}

std::vector<Fault> ValidExtentFaults() {
  return {
      {"view-not-clamped", "the valid extent is the tile, also at the end",
       InExtents([](const ViewRange& range, int64_t, int64_t& valid) { valid = range.tile; })},
      {"view-clamped-unsigned", "behind the end, extent - origin wraps and the view is full",
       InExtents([](const ViewRange& range, int64_t extent, int64_t& valid) {
         if (range.begin > extent) valid = range.tile;
       })},
      {"view-clamped-by-the-extent", "the tile is cut at the extent, not at what is left of it",
       InExtents([](const ViewRange& range, int64_t extent, int64_t& valid) { valid = std::min(range.tile, extent); })},
      {"view-extent-in-32-bits", "TLA computes the valid extent in uint32",
       InExtents([](const ViewRange&, int64_t, int64_t& valid) { valid = static_cast<uint32_t>(valid); })},
  };
}

std::vector<Fault> OriginFaults() {
  return {
      {"view-origin-without-blocks", "the origin is taken inside of its block: the outer mode is ignored",
       InView([](const ViewQuestion&, const ComposedLayout& whole, View& view) {
         for (size_t d = 0; d < view.ranges.size(); ++d) {
           const std::vector<IntTuple> leaves = Leaves(Modes(whole.layout)[d].shape);
           if (leaves.size() > 1 && leaves[0].value() > 0) view.ranges[d].begin %= leaves[0].value();
         }
       })},
      {"view-origin-of-the-first-mode", "only the first mode has an origin",
       InView([](const ViewQuestion&, const ComposedLayout&, View& view) {
         for (size_t d = 1; d < view.ranges.size(); ++d) view.ranges[d].begin = 0;
       })},
      {"view-unaligned-as-aligned", "TLA: strides are kept wherever the view begins",
       [](const ViewQuestion& question, ViewAnswer& answer) { AnswerStrided(question, answer, nullptr); }},
      {"view-origin-rounded-to-blocks", "a view begins with the block that its origin is in",
       [](const ViewQuestion& question, ViewAnswer& answer) {
         AnswerStrided(question, answer, [](const ViewQuestion&, const ComposedLayout& whole, View& view) {
           for (size_t d = 0; d < view.ranges.size(); ++d) {
             const std::vector<IntTuple> leaves = Leaves(Modes(whole.layout)[d].shape);
             if (leaves.size() > 1 && leaves[0].value() > 0) {
               view.ranges[d].begin -= view.ranges[d].begin % leaves[0].value();
             }
           }
         });
       }},
  };
}

std::vector<Fault> TileAndSliceFaults() {
  return {
      {"tile-view-number-in-32-bits", "TLA: tile number times tile shape in uint32",
       InView([](const ViewQuestion& question, const ComposedLayout&, View& view) {
         if (question.kind != ViewQuestion::Kind::kTileView) return;
         for (ViewRange& range : view.ranges) {
           range.begin = static_cast<int64_t>(static_cast<uint32_t>(range.begin));
         }
       })},
      {"tile-view-number-as-origin", "the tile's number is taken for its first coordinate",
       InView([](const ViewQuestion& question, const ComposedLayout&, View& view) {
         if (question.kind != ViewQuestion::Kind::kTileView) return;
         for (size_t d = 0; d < view.ranges.size(); ++d) view.ranges[d].begin = *question.at[d];
       })},
      {"slice-without-offset", "the fixed coordinates are dropped",
       InView([](const ViewQuestion&, const ComposedLayout&, View& view) {
         for (ViewRange& range : view.ranges) {
           if (!range.is_kept) range.begin = 0;
         }
       })},
      {"slice-keeps-the-first-modes", "as many modes as are kept, from the first one on",
       [](const ViewQuestion& question, ViewAnswer& answer) {
         const auto layout = ParseShapeStrideLayout(question.layout);
         if (question.kind != ViewQuestion::Kind::kSlice || !answer.layout || !layout || !layout->shape.is_tuple()) {
           return;
         }
         std::vector<ShapeStrideLayout> modes = Modes(*layout);
         modes.resize(question.KeptModes());
         answer.layout = ToString(ConcatenateModes(modes));
       }},
  };
}

std::vector<Fault> ViewOfViewFaults() {
  return {
      {"view-of-view-from-the-whole", "the origin of the first view is forgotten",
       InView([](const ViewQuestion& question, const ComposedLayout&, View& view) {
         if (!question.of) return;
         for (size_t d = 0; d < view.ranges.size(); ++d) view.ranges[d].begin -= question.of->origin[d];
       })},
      {"view-of-view-leaves-the-first", "the second view is cut at the end of the whole, not of the first view",
       [](const ViewQuestion& question, ViewAnswer& answer) {
         if (!question.of || !answer.valid) return;
         for (size_t d = 0; d < answer.valid->size(); ++d) {
           const int64_t left = question.extents[d] - question.of->origin[d] - *question.at[d];
           (*answer.valid)[d] = std::min(question.tile[d], std::max<int64_t>(left, 0));
         }
       }},
  };
}

}  // namespace

std::vector<Fault> ViewFaults() {
  return JoinFaults({ValidExtentFaults(), OriginFaults(), TileAndSliceFaults(), ViewOfViewFaults()});
}

}  // namespace layoutcheck
