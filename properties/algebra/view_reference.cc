// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <utility>
#include <vector>
#include "layoutcheck/core/base/str_cat.h"
#include "layoutcheck/core/shape_stride/text.h"
#include "layoutcheck/properties/algebra/algebra_reference.h"

namespace layoutcheck {
namespace {

Expected<View> InnerView(const ViewQuestion& question, const std::vector<int64_t>& extents) {
  if (question.kind == ViewQuestion::Kind::kSlice) return MakeSlice(extents, question.at);
  std::vector<int64_t> numbers;
  for (const auto& number : question.at) {
    if (!number) return ArgumentError("a view without an origin in each mode");
    numbers.push_back(*number);
  }
  return question.kind == ViewQuestion::Kind::kView ? MakeView(extents, numbers, question.tile)
                                                    : MakeTileView(extents, numbers, question.tile);
}

}  // namespace

Expected<View> ViewOf(const ViewQuestion& question) {
  if (!question.of) return InnerView(question, question.extents);
  LAYOUTCHECK_TRY(const View outer, MakeView(question.extents, question.of->origin, question.of->tile));
  LAYOUTCHECK_TRY(const View inner, InnerView(question, ValidExtents(outer)));
  return ComposeViews(outer, inner);
}

ViewAnswer StridedAnswer(const StridedView& strided, const View& view) {
  ViewAnswer answer;
  answer.layout = ToString(strided.layout.layout);
  answer.offset = strided.layout.offset;
  answer.valid = ValidExtents(view);
  return answer;
}

Answer<ViewAnswer> ViewReference(const ViewQuestion& question) {
  auto layout = ParseShapeStrideLayout(question.layout);
  if (!layout) return FailedWith(layout.error());
  for (const int64_t extent : question.extents) {
    if (extent < 0) return Failed{Failed::Kind::kError, StrCat("extent ", extent, ": expected at least 0")};
  }
  const ComposedLayout whole{std::nullopt, 0, *std::move(layout)};
  ViewAnswer rejected;
  const Expected<View> view = ViewOf(question);
  if (!view) {
    rejected.rejected = view.error().ToString();
    return rejected;
  }
  const Expected<StridedView> strided = StridedViewOf(whole, *view);
  if (!strided) {
    rejected.rejected = strided.error().ToString();
    return rejected;
  }
  if (strided->is_right()) return StridedAnswer(*strided, *view);
  ViewAnswer answer;
  answer.offsets.emplace();
  answer.valid = ValidExtents(*view);
  for (const auto& coordinate : question.coordinates) {
    if (coordinate.size() != answer.valid->size()) {
      return Failed{Failed::Kind::kError, StrCat("coordinate (", StrJoin(coordinate, ","), "): expected ",
                                                 answer.valid->size(), " integers, one per kept mode")};
    }
    for (size_t d = 0; d < coordinate.size(); ++d) {
      if (coordinate[d] >= 0 && coordinate[d] < (*answer.valid)[d]) continue;
      return Failed{Failed::Kind::kError, StrCat("coordinate (", StrJoin(coordinate, ","), ") is outside of the view")};
    }
    const Expected<int64_t> offset = OffsetInView(whole, *view, coordinate);
    if (!offset) return FailedWith(offset.error());
    answer.offsets->push_back(*offset);
  }
  return answer;
}

}  // namespace layoutcheck
