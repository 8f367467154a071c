// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <algorithm>
#include <utility>
#include <vector>
#include "layoutcheck/core/base/str_cat.h"
#include "layoutcheck/core/bridges/hlo_to_shape_stride.h"
#include "layoutcheck/core/bridges/text_to_hlo.h"
#include "layoutcheck/core/hlo/printer.h"
#include "layoutcheck/core/shape_stride/fractal_layout.h"
#include "layoutcheck/core/tiling/sizes.h"
#include "layoutcheck/properties/run/shrink.h"

namespace layoutcheck {
namespace {

constexpr int64_t kMostRetiledElements = 4096;  // of a layout with another tiling

// Lowers the values of a pattern's names while the layout fails: small ones are tried one by one, others bisected.
class ValueSearch {
 public:
  ValueSearch(const DrawnCase& drawn, const std::function<bool(const Shape&)>& fails, int64_t budget)
      : pattern_(*drawn.pattern), fails_(fails), budget_(budget), values_(drawn.values), shape_(drawn.shape) {}

  void Run() {
    for (bool lowered = true; lowered;) {
      lowered = false;
      for (size_t name = 0; name < values_.size(); ++name) {
        lowered |= LowerNumber(values_[name], 1, [&](int64_t value) { return Try(name, value); });
      }
    }
  }

  const Shape& shape() const { return shape_; }
  std::string text() const { return pattern_.Write(values_); }
  int64_t evaluations() const { return evaluations_; }

 private:
  bool Try(size_t name, int64_t value) {
    if (evaluations_ >= budget_) return false;
    std::vector<int64_t> values = values_;
    values[name] = value;
    const Expected<Shape> shape = pattern_.ShapeWith(values);
    if (!shape || !SizesOf(*shape)) return false;
    ++evaluations_;
    if (!fails_(*shape)) return false;
    values_ = std::move(values);
    shape_ = *shape;
    return true;
  }

  const LayoutPattern& pattern_;
  const std::function<bool(const Shape&)>& fails_;
  int64_t budget_;
  std::vector<int64_t> values_;
  Shape shape_;
  int64_t evaluations_ = 0;
};

std::string TilingText(const std::vector<Tile>& tiles) {
  std::string text = "T";
  for (const Tile& tile : tiles) {
    text += "(";
    for (size_t k = 0; k < tile.dimensions.size(); ++k) {
      if (k > 0) text += ",";
      tile.dimensions[k] == Tile::kCombineDimension ? text += "*" : text += std::to_string(tile.dimensions[k]);
    }
    text += ")";
  }
  return text;
}

// A layout with another tiling, in the sizes of the finding and in those one past a tile.
struct Variant {
  std::string name;
  std::vector<Shape> shapes;
};

std::vector<Variant> VariantsOf(const Shape& shape) {
  static const std::vector<std::vector<Tile>> kTilings = {
      {Tile{{2}}},
      {Tile{{3, 2}}},
      {Tile{{1, 128}}},
      {Tile{{8, 128}}},
      {Tile{{16, 16}}},
      {Tile{{4, 2}}, Tile{{2, 1}}},
      {Tile{{8, 128}}, Tile{{2, 1}}},
      {Tile{{8, 128}}, Tile{{4, 1}}},
      {Tile{{16, 16}}, Tile{{16, 1}}},
  };
  std::vector<Variant> variants;
  for (const std::vector<Tile>& tiles : kTilings) {
    if (tiles == shape.layout->tiles) continue;
    Shape other = shape;
    other.layout->tiles = tiles;
    other.layout->split_configs.clear();
    Variant& variant = variants.emplace_back(TilingText(tiles), std::vector{other});
    const std::vector<int64_t>& first = tiles[0].dimensions;
    for (size_t k = 0; k < other.dimensions.size(); ++k) {
      int64_t& size = other.dimensions[static_cast<size_t>(other.layout->Minor(static_cast<int64_t>(k)))];
      size = k < first.size() ? first[first.size() - 1 - k] + 1 : std::max<int64_t>(size, 2);
    }
    const auto sizes = SizesOf(other);
    if (sizes && sizes->elements <= kMostRetiledElements) variant.shapes.push_back(std::move(other));
  }
  return variants;
}

std::vector<Variant> VariantsOf(const FractalLayout& fractal) {
  std::vector<Variant> variants;
  for (const TlaTag tag : {TlaTag::kZN, TlaTag::kNZ, TlaTag::kZZ, TlaTag::kNN, TlaTag::kL0C}) {
    if (tag == fractal.tag) continue;
    Variant variant{std::string(TlaTagName(tag)), {}};
    for (const std::vector<int64_t>& sizes : {fractal.sizes, std::vector<int64_t>{17, 65}}) {
      const Expected<Shape> shape = HloOfFractal({tag, fractal.element_type, sizes, {}});
      if (shape && SizesOf(*shape)) variant.shapes.push_back(*shape);
    }
    variants.push_back(std::move(variant));
  }
  return variants;
}

}  // namespace

ShrunkCase ShrinkCase(const DrawnCase& drawn, const std::function<bool(const Shape&)>& fails, int64_t max_evaluations) {
  if (drawn.pattern == nullptr || (drawn.pattern->is_hlo() && !drawn.keeps_pattern)) {
    const Shape shape = ShrinkShape(drawn.shape, fails, max_evaluations).shape;
    return {shape, ToString(shape)};
  }
  ValueSearch search(drawn, fails, max_evaluations);
  search.Run();
  if (drawn.keeps_pattern) return {search.shape(), search.text()};
  const Shape shape = ShrinkShape(search.shape(), fails, max_evaluations - search.evaluations()).shape;
  const Layout& of_pattern = *search.shape().layout;
  if (shape.layout->tiles == of_pattern.tiles && !of_pattern.tiles.empty()) return {search.shape(), search.text()};
  if (drawn.pattern->is_shape_stride()) {
    const Expected<ShapeStrideLayout> strided = ShapeStrideOfHlo(shape);
    const std::string text = strided ? ToString(ShapeStrideLayout{strided->shape, strided->stride}) : "";
    if (const auto back = HloOfText(text); back && *back == shape) return {shape, text};
  }
  return {shape, ToString(shape)};
}

std::string DescribeTilings(const ShrunkCase& shrunk, const Shape& drawn,
                            const std::function<bool(const Shape&)>& fails) {
  if (shrunk.shape.layout->tiles.empty()) return "";
  const Expected<FractalLayout> fractal = ParseFractalLayout(shrunk.text);
  std::vector<Variant> variants = fractal ? VariantsOf(*fractal) : VariantsOf(shrunk.shape);
  const std::string of_drawn = TilingText(drawn.layout->tiles);
  if (!fractal && drawn.layout->tiles != shrunk.shape.layout->tiles &&
      std::ranges::find(variants, of_drawn, &Variant::name) == variants.end()) {
    variants.push_back({of_drawn, {drawn}});
  }
  const std::string own = fractal ? std::string(TlaTagName(fractal->tag)) : TilingText(shrunk.shape.layout->tiles);
  std::vector<std::string> others;
  for (const Variant& variant : variants) {
    if (std::ranges::any_of(variant.shapes, fails)) others.push_back(variant.name);
  }
  const std::string_view kind = fractal ? "fractals" : "tilings";
  if (others.empty()) return StrCat("only with ", own, ": ", variants.size(), " other ", kind, " do not show it");
  if (others.size() == variants.size()) {
    return StrCat("with any ", fractal ? "fractal" : "tile", ": ", variants.size(), " other ", kind, " show it, too");
  }
  constexpr size_t kMostNamed = 3;
  if (others.size() > kMostNamed) {
    return StrCat("with ", own, " and ", others.size(), " of ", variants.size(), " other ", kind);
  }
  return StrCat("with ", own, ", ", StrJoin(others, ", "), ": ", variants.size() - others.size(), " other ", kind,
                " do not show it");
}

}  // namespace layoutcheck
