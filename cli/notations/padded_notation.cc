// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <utility>
#include "layoutcheck/cli/notations/notations.h"
#include "layoutcheck/core/hlo/padded_layout.h"
#include "layoutcheck/json/json.h"

namespace layoutcheck {
namespace {

class PaddedText final : public AnyLayout {
 public:
  explicit PaddedText(PaddedLayout layout) : layout_(std::move(layout)) {}

  std::string Text() const override { return layout_.ToString(); }
  AllocationSizes Sizes() const override { return {layout_.elements(), layout_.padded_elements(), layout_.bytes(), 0}; }
  CoreForms Forms() const override { return {layout_.ToTiledShape(), std::nullopt}; }
  std::vector<int64_t> Dimensions() const override { return layout_.shape().dimensions; }
  int64_t Index(std::span<const int64_t> coordinate) const override { return layout_.LinearIndex(coordinate).value(); }

  std::vector<Fact> Facts() const override {
    std::vector<int64_t> sizes;
    for (int64_t p = 0; p < layout_.shape().rank(); ++p) {
      sizes.push_back(layout_.shape().dimensions[static_cast<size_t>(layout_.shape().layout->Major(p))]);
    }
    return {{"memory order", SizesText(sizes)}, {"padded", SizesText(*ExpandedSizes())}};
  }

  std::optional<std::vector<int64_t>> ExpandedSizes() const override {
    std::vector<int64_t> sizes;
    for (int64_t p = 0; p < layout_.shape().rank(); ++p) {
      sizes.push_back(PaddedSize(static_cast<size_t>(layout_.shape().layout->Major(p))));
    }
    return sizes;
  }

  std::optional<MemoryBoxes> Boxes() const override {
    TiledLayout padded{{}, layout_.shape().layout->minor_to_major, {}};
    for (size_t d = 0; d < layout_.shape().dimensions.size(); ++d) padded.dimensions.push_back(PaddedSize(d));
    MemoryBoxes boxes = BoxesOf(padded);
    boxes.dimensions = layout_.shape().dimensions;
    boxes.element = [this](int64_t offset) { return layout_.IndexAt(offset).value_or(std::nullopt); };
    return boxes;
  }

  char PaddingSymbol() const override {
    switch (layout_.padding_value()) {
      case PaddingValue::kZero: return '0';
      case PaddingValue::kOne: return '1';
      default: return '.';
    }
  }

 private:
  Expected<std::optional<std::vector<int64_t>>> FindCoordinate(int64_t offset) const override {
    return layout_.IndexAt(offset);
  }

  int64_t PaddedSize(size_t dimension) const {
    const auto& padded = layout_.padded_dimensions();
    return padded.empty() ? layout_.shape().dimensions[dimension] : padded[dimension];
  }

  PaddedLayout layout_;
};

bool IsPaddedText(std::string_view text) {
  // `pad` and its brackets follow the shape.
  const size_t open = text.rfind('[');
  if (open == std::string_view::npos || open == 0) return false;
  const size_t end = text.find_last_not_of(" \t\r\n", open - 1);
  return end != std::string_view::npos && text.substr(0, end + 1).ends_with("pad");
}

Expected<std::unique_ptr<AnyLayout>> ReadPaddedLayout(std::string_view text) {
  LAYOUTCHECK_TRY(PaddedLayout layout, PaddedLayout::Parse(text));
  return std::make_unique<PaddedText>(std::move(layout));
}

}  // namespace

constinit const Notation kPaddedNotation = {"f32[2,3]{0,1}pad[3,5]=0", "XLA of 2017: padded dimensions, padding value",
                                            IsPaddedText, ReadPaddedLayout};

}  // namespace layoutcheck
