// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <utility>
#include "layoutcheck/cli/notations/notations.h"
#include "layoutcheck/core/base/str_cat.h"
#include "layoutcheck/core/hlo/parser.h"
#include "layoutcheck/core/hlo/printer.h"
#include "layoutcheck/core/tiling/mixed_radix.h"
#include "layoutcheck/core/tiling/sizes.h"
#include "layoutcheck/core/tiling/tiled_index.h"
#include "layoutcheck/core/tiling/tilings.h"
#include "layoutcheck/json/json.h"

namespace layoutcheck {
namespace {

class HloLayout final : public AnyLayout {
 public:
  static Expected<std::unique_ptr<AnyLayout>> Create(Shape shape) {
    LAYOUTCHECK_TRY(auto tiled, TiledLayoutOf(shape));
    LAYOUTCHECK_TRY(auto index, MakeTiledIndex(tiled));
    LAYOUTCHECK_TRY(auto digits, MakeMixedRadix(tiled));
    LAYOUTCHECK_TRY(const auto sizes, SizesOf(shape));
    return std::unique_ptr<AnyLayout>(
        new HloLayout(std::move(shape), std::move(tiled), std::move(index), std::move(digits), sizes));
  }

  std::string Text() const override { return ToString(shape_); }
  AllocationSizes Sizes() const override { return {sizes_.elements, sizes_.padded_elements, sizes_.bytes}; }
  CoreForms Forms() const override { return {shape_, std::nullopt}; }
  std::vector<int64_t> Dimensions() const override { return tiled_.dimensions; }
  int64_t Index(std::span<const int64_t> coordinate) const override { return index_(coordinate); }

  std::vector<Fact> Facts() const override {
    TiledLayout part = tiled_;
    part.tiles.clear();
    std::vector<Fact> facts{{"memory order", ExpandedText(part)}};
    for (size_t t = 0; t < tiled_.tiles.size(); ++t) {
      part.tiles.push_back(tiled_.tiles[t]);
      facts.push_back({"tile " + ToString(shape_.layout->tiles[t]), ExpandedText(part)});
    }
    if (const std::optional<Shape> tightest = TightestOrder(shape_)) {
      const auto bytes = SizesOf(*tightest);
      if (bytes) facts.push_back({"tightest order", StrCat(ToString(*tightest->layout), ": ", bytes->bytes, " bytes")});
    }
    return facts;
  }

  std::optional<std::vector<int64_t>> ExpandedSizes() const override {
    return std::vector<int64_t>(digits_.expanded_sizes().begin(), digits_.expanded_sizes().end());
  }

  std::optional<MemoryBoxes> Boxes() const override {
    MemoryBoxes boxes = BoxesOf(tiled_);
    boxes.tail = sizes_.padded_elements - digits_.padded_elements();
    boxes.element = [this](int64_t offset) { return *FindCoordinate(offset); };
    return boxes;
  }

 private:
  HloLayout(Shape shape, TiledLayout tiled, TiledIndex index, MixedRadix<int64_t> digits, LayoutSizes sizes)
      : shape_(std::move(shape)),
        tiled_(std::move(tiled)),
        index_(std::move(index)),
        digits_(std::move(digits)),
        sizes_(sizes) {}

  Expected<std::optional<std::vector<int64_t>>> FindCoordinate(int64_t offset) const override {
    std::vector<int64_t> coordinate(tiled_.dimensions.size());
    if (!digits_.Coordinate(offset, coordinate)) return std::nullopt;
    return coordinate;
  }

  static std::string ExpandedText(const TiledLayout& layout) {
    const MixedRadix<int64_t> digits(layout);
    return SizesText(digits.expanded_sizes());
  }

  Shape shape_;
  TiledLayout tiled_;
  TiledIndex index_;
  MixedRadix<int64_t> digits_;
  LayoutSizes sizes_;
};

// Returns the parser's error, or one that names other notations, too, if the text begins like no shape: a text that no
// other notation takes is read as a shape.
Error ErrorOfLayout(Error error) {
  const size_t found = error.message.find(", found ");
  if (error.kind == ErrorKind::kSyntax && error.column == 1 && found != std::string::npos) {
    error.message = StrCat("expected a layout, such as f32[3,5]{1,0:T(2,2)}, (3,5):(5,1) or zN:f16[3,5]",
                           error.message.substr(found));
  }
  return error;
}

Expected<std::unique_ptr<AnyLayout>> ReadHloLayout(std::string_view text) {
  Expected<Shape> shape = ParseShape(text);
  if (!shape) return std::unexpected(ErrorOfLayout(shape.error()));
  return HloLayout::Create(*std::move(shape));
}

}  // namespace

constinit const Notation kHloNotation = {"bf16[8,1280,16384]{2,1,0:T(8,128)(2,1)}",
                                         "XLA: order of dimensions, tiles, attributes",
                                         [](std::string_view) { return true; }, ReadHloLayout};

}  // namespace layoutcheck
