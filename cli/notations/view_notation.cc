// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/cli/notations/view_notation.h"
#include <utility>
#include "layoutcheck/core/base/integer.h"
#include "layoutcheck/core/base/str_cat.h"
#include "layoutcheck/core/shape_stride/view.h"
#include "layoutcheck/json/json.h"

namespace layoutcheck {
namespace {

Expected<StridedView> StridedFormOf(const AnyLayout& whole, const View& view) {
  const Expected<ComposedLayout> strides = StridesOf(whole.Forms());
  return strides ? StridedViewOf(*strides, view) : std::unexpected(strides.error());
}

// A view. It lies in the memory of the whole: its linear indices and its allocation are those of the whole.
class ViewText final : public AnyLayout {
 public:
  ViewText(std::unique_ptr<AnyLayout> whole, View view, AllocationSizes sizes)
      : whole_(std::move(whole)), view_(std::move(view)), sizes_(sizes), strided_(StridedFormOf(*whole_, view_)) {}

  std::string Text() const override { return whole_->Text() + ToString(view_); }
  AllocationSizes Sizes() const override { return sizes_; }
  const AnyLayout* Whole() const override { return whole_.get(); }

  CoreForms Forms() const override {
    if (strided_ && strided_->is_right()) return {std::nullopt, strided_->layout};
    return {Expected<Shape>(MakeError(ErrorKind::kUnsupported, WhyNotStrided())), std::nullopt};
  }

  std::vector<int64_t> Dimensions() const override { return ValidExtents(view_); }
  int64_t Index(std::span<const int64_t> coordinate) const override {
    return whole_->Index(CoordinateInWhole(view_, coordinate));
  }

  std::vector<Fact> Facts() const override {
    std::vector<int64_t> tile;
    for (const ViewRange& range : view_.ranges) {
      if (range.is_kept) tile.push_back(range.tile);
    }
    std::vector<Fact> facts{{"tile", SizesText(tile)}, {"valid extent", SizesText(Dimensions())}};
    const bool is_right = strided_ && strided_->is_right();
    facts.push_back({"strided form", is_right ? ToString(strided_->layout) : StrCat("none: ", WhyNotStrided())});
    return facts;
  }

  Json Details() const override {
    Json details{{"whole", whole_->Text()}, {"dimensions", Dimensions()}, {"strided", nullptr}};
    if (strided_ && strided_->is_right()) {
      details["strided"] = ToString(strided_->layout);
    } else if (strided_) {
      details["first_wrong"] = {{"coordinate", strided_->first_wrong->coordinate},
                                {"offset", strided_->first_wrong->offset},
                                {"strided_offset", strided_->first_wrong->strided_offset}};
    } else {
      details["reason"] = WhyNotStrided();
    }
    return details;
  }

  std::optional<std::vector<int64_t>> ExpandedSizes() const override { return std::nullopt; }

  // Draws the memory of the whole with the coordinates of the view's elements.
  std::optional<MemoryBoxes> Boxes() const override {
    std::optional<MemoryBoxes> boxes = whole_->Boxes();
    if (!boxes) return std::nullopt;
    // A page no longer stands for one coordinate of the view.
    for (MemoryBoxes::Page& page : boxes->pages) page.dimension.reset();
    std::vector<std::string> names;
    for (size_t d = 0; d < view_.ranges.size(); ++d) {
      if (view_.ranges[d].is_kept) names.push_back(boxes->names[d]);
    }
    boxes->names = std::move(names);
    boxes->dimensions = Dimensions();
    boxes->empty_cell = "outside of the view";
    boxes->element = [this, of_whole = boxes->element](int64_t offset) -> std::optional<std::vector<int64_t>> {
      const auto coordinate = of_whole(offset);
      return coordinate ? CoordinateInView(view_, *coordinate) : std::nullopt;
    };
    return boxes;
  }

 private:
  std::string WhyNotStrided() const {
    if (!strided_) return strided_.error().message;
    return StrCat("the view begins inside of a block: ", ToString(*strided_->first_wrong));
  }

  Expected<std::optional<std::vector<int64_t>>> FindCoordinate(int64_t offset) const override {
    LAYOUTCHECK_TRY(const auto in_whole, whole_->CoordinateAt(offset));
    if (in_whole) {
      if (auto inside = CoordinateInView(view_, *in_whole)) return inside;
    }
    // Another element of the whole may share the offset with one of the view.
    if (!strided_ || !strided_->is_right()) return std::nullopt;
    return ModesAt(strided_->layout, offset);
  }

  std::unique_ptr<AnyLayout> whole_;
  View view_;
  AllocationSizes sizes_;
  Expected<StridedView> strided_;
};

}  // namespace

bool IsViewText(std::string_view text) { return FindView(text) != std::string_view::npos; }

Expected<std::unique_ptr<AnyLayout>> ReadViewLayout(std::string_view text) {
  std::vector<std::string_view> views;  // prefixes of the text that end with a view, the innermost view first
  std::string_view rest = text;
  for (size_t at = FindView(rest); at != std::string_view::npos; at = FindView(rest)) {
    views.push_back(rest);
    rest = rest.substr(0, at);
    rest = rest.substr(0, rest.find_last_not_of(" \t") + 1);
  }
  LAYOUTCHECK_TRY(auto whole, ReadLayout(rest));
  std::optional<View> composed;
  for (size_t k = views.size(); k-- > 0;) {
    LAYOUTCHECK_TRY(const auto view,
                    ParseView(views[k], FindView(views[k]), composed ? ValidExtents(*composed) : whole->Dimensions()));
    if (!composed) {
      composed = view;
      continue;
    }
    LAYOUTCHECK_TRY(composed, ComposeViews(*composed, view));
  }
  AllocationSizes sizes = whole->Sizes();
  LAYOUTCHECK_TRY(sizes.elements, ValueOrOverflow(ProductOfSizes(ValidExtents(*composed)), "the number of elements"));
  return std::make_unique<ViewText>(std::move(whole), *std::move(composed), sizes);
}

}  // namespace layoutcheck
