#include "layoutcheck/cli/notations/conversion.h"

#include <algorithm>
#include <cstdlib>
#include <functional>
#include <random>
#include <set>
#include <span>
#include <utility>
#include <vector>

#include "layoutcheck/core/base/str_cat.h"
#include "layoutcheck/core/hlo/parser.h"
#include "layoutcheck/core/hlo/printer.h"
#include "layoutcheck/core/shape_stride/blocked_format.h"
#include "layoutcheck/core/shape_stride/bridges.h"
#include "layoutcheck/core/shape_stride/swizzle.h"
#include "layoutcheck/core/shape_stride/text.h"
#include "layoutcheck/core/tiling/index_expression.h"
#include "layoutcheck/core/tiling/sizes.h"
#include "layoutcheck/core/tiling/tiled_index.h"

namespace layoutcheck {
namespace {

using IndexFunction = std::function<int64_t(std::span<const int64_t>)>;

// What a conversion is compared with.
struct Map {
  std::vector<int64_t> sizes;  // of the logical dimensions
  IndexFunction index;
  std::vector<int64_t> cuts;  // sizes of tiles and integers: where the index may change its pace
};

Expected<Map> MapOf(const Shape& shape) {
  const Expected<TiledLayout> tiled = TiledLayoutOf(shape);
  if (!tiled) return std::unexpected(tiled.error());
  Expected<TiledIndex> index = MakeTiledIndex(*tiled);
  if (!index) return std::unexpected(index.error());
  Map map{tiled->dimensions, [index = *std::move(index)](std::span<const int64_t> i) { return index(i); }, {}};
  for (const auto& tile : tiled->tiles) {
    for (const auto& entry : tile) map.cuts.push_back(entry.size);
  }
  return map;
}

Expected<Map> MapOf(const PaddedLayout& layout) {
  return Map{layout.shape().dimensions, [layout](std::span<const int64_t> i) { return *layout.LinearIndex(i); }, {}};
}

Expected<Map> MapOf(const ShapeStrideLayout& layout) {
  Map map;
  for (int64_t d = 0; d < Rank(layout); ++d) {
    const Expected<int64_t> size =
        layout.origin_shape ? Expected<int64_t>(Get(*layout.origin_shape, d)->value()) : Product(*Get(layout.shape, d));
    if (!size) return std::unexpected(size.error());
    map.sizes.push_back(*size);
  }
  if (std::ranges::find(map.sizes, 0) != map.sizes.end()) {
    map.index = [](std::span<const int64_t>) { return 0; };
    return map;
  }
  Expected<StridedLayout> strided = StridedLayoutOf(layout);
  if (!strided) return std::unexpected(strided.error());
  for (const auto& mode : strided->modes) {
    CheckedInt64 cut = 1;
    for (const StridedMode& leaf : mode) {
      cut = cut * leaf.extent;
      if (!cut.overflow) map.cuts.push_back(cut.value);
    }
  }
  map.index = [strided = *std::move(strided)](std::span<const int64_t> i) {
    return StridedOffset<int64_t>(strided, i);
  };
  return map;
}

Expected<Map> MapOf(const ComposedLayout& composed) {
  Expected<Map> map = MapOf(composed.layout);
  if (!map) return map;
  map->index = [inner = map->index, composed](std::span<const int64_t> i) {
    const int64_t offset = composed.offset + inner(i);
    return composed.swizzle ? ApplySwizzle(*composed.swizzle, offset) : offset;
  };
  return map;
}

Expected<Map> MapOf(const FractalLayout& fractal) {
  const Expected<ShapeStrideLayout> layout = ShapeStrideOf(fractal);
  if (!layout) return std::unexpected(layout.error());
  return MapOf(*layout);
}

// Coordinates of one dimension that stand for the others: both ends, and around every cut.
std::vector<int64_t> Boundaries(int64_t size, const std::vector<int64_t>& cuts) {
  constexpr size_t kMost = 64;
  std::set<int64_t> chosen;
  for (int64_t i = 0; i < std::min<int64_t>(size, 3); ++i) chosen.insert({i, size - 1 - i});
  chosen.insert(size / 2);
  for (const int64_t cut : cuts) {
    if (chosen.size() > kMost) break;
    for (const int64_t i : {cut - 1, cut, cut + 1, size - cut}) {
      if (i >= 0 && i < size) chosen.insert(i);
    }
  }
  return {chosen.begin(), chosen.end()};
}

// The first compared coordinate at which `candidate` has another index, or nothing.
std::optional<std::vector<int64_t>> FirstDifference(const Map& map, const IndexFunction& candidate) {
  CheckedInt64 elements = 1;
  for (const int64_t size : map.sizes) elements = elements * size;
  if (elements.value == 0) return std::nullopt;
  const bool all = !elements.overflow && elements.value <= kMostCompared;
  std::vector<std::vector<int64_t>> choices;
  CheckedInt64 points = 1;
  for (const int64_t size : map.sizes) {
    std::vector<int64_t>& choice = choices.emplace_back();
    if (all) {
      for (int64_t i = 0; i < size; ++i) choice.push_back(i);
    } else {
      choice = Boundaries(size, map.cuts);
    }
    points = points * static_cast<int64_t>(choice.size());
  }
  std::vector<int64_t> coordinate(map.sizes.size());
  const auto differs = [&] { return map.index(coordinate) != candidate(coordinate); };
  if (points.overflow || points.value > kMostCompared) {
    std::mt19937_64 random(1);
    for (int64_t n = 0; n < kMostCompared; ++n) {
      for (size_t d = 0; d < coordinate.size(); ++d) coordinate[d] = choices[d][random() % choices[d].size()];
      if (differs()) return coordinate;
    }
    return std::nullopt;
  }
  for (int64_t n = 0; n < points.value; ++n) {
    int64_t rest = n;
    for (size_t d = 0; d < coordinate.size(); ++d) {
      const auto count = static_cast<int64_t>(choices[d].size());
      coordinate[d] = choices[d][static_cast<size_t>(rest % count)];
      rest /= count;
    }
    if (differs()) return coordinate;
  }
  return std::nullopt;
}

std::unexpected<Error> NotExpressible(std::string why) { return MakeError(ErrorKind::kUnsupported, std::move(why)); }

std::unexpected<Error> NoSwizzle(const ComposedLayout& composed) {
  return NotExpressible(StrCat(ToString(composed), " is no sum of strides: expected no swizzle and no offset"));
}

// A result that the check refused: a defect of this program, never of the layout.
Expected<void> CheckSame(const Map& map, const IndexFunction& candidate, std::string_view text) {
  const auto difference = FirstDifference(map, candidate);
  if (!difference) return {};
  return MakeError(ErrorKind::kUnavailable, StrCat("'", text, "' was discarded: it has another index at (",
                                                   StrJoin(*difference, ","), "); please report this layout"));
}

Expected<Shape> HloOf(const Shape& shape, ElementType /*type*/) { return shape; }
Expected<Shape> HloOf(const PaddedLayout& layout, ElementType /*type*/) { return layout.ToTiledShape(); }
Expected<Shape> HloOf(const ShapeStrideLayout& layout, ElementType type) { return HloOfShapeStride(layout, type); }
Expected<Shape> HloOf(const FractalLayout& fractal, ElementType /*type*/) { return HloOfFractal(fractal); }

Expected<Shape> HloOf(const ComposedLayout& composed, ElementType /*type*/) { return NoSwizzle(composed); }

Expected<ShapeStrideLayout> ModesOf(const Shape& shape) { return ShapeStrideOfHlo(shape); }
Expected<ShapeStrideLayout> ModesOf(const PaddedLayout& layout) {
  const Expected<Shape> shape = layout.ToTiledShape();
  if (!shape) return std::unexpected(shape.error());
  return ShapeStrideOfHlo(*shape);
}
Expected<ShapeStrideLayout> ModesOf(const ShapeStrideLayout& layout) { return layout; }
Expected<ComposedLayout> ModesOf(const ComposedLayout& composed) { return composed; }
Expected<ShapeStrideLayout> ModesOf(const FractalLayout& fractal) { return ShapeStrideOf(fractal); }

// A blocking and the sizes of the array, which has the elements allocated that are said.
struct Blocked {
  BlockedFormat format;
  std::vector<int64_t> sizes;
};

Expected<Blocked> BlockedOf(const Shape& shape) {
  const Expected<TiledLayout> tiled = TiledLayoutOf(shape);
  if (!tiled) return std::unexpected(tiled.error());
  const Expected<LayoutSizes> sizes = SizesOf(shape);
  if (!sizes) return std::unexpected(sizes.error());
  // The tiles as they stand, which are blocks for any size; otherwise what they come to for this size.
  Expected<BlockedFormat> format = ToBlockedFormat(
      Shape::Array(shape.element_type, shape.dimensions, Layout(tiled->minor_to_major, shape.layout->tiles)));
  if (!format) {
    const Expected<ShapeStrideLayout> modes = ShapeStrideOfHlo(shape);
    if (!modes) return std::unexpected(modes.error());
    format = BlockedFormatOf(*modes);
    if (!format) return std::unexpected(format.error());
  }
  const Expected<int64_t> padded = PaddedElements(*format, tiled->dimensions);
  if (!padded) return std::unexpected(padded.error());
  if (*padded != sizes->padded_elements) {
    return NotExpressible(StrCat(ToString(shape), " takes ", sizes->padded_elements, " elements, blocks ", *padded));
  }
  return Blocked{*std::move(format), tiled->dimensions};
}

Expected<Blocked> BlockedOf(const PaddedLayout& layout) {
  const Expected<Shape> shape = layout.ToTiledShape();
  if (!shape) return std::unexpected(shape.error());
  return BlockedOf(*shape);
}

Expected<Blocked> BlockedOf(const ShapeStrideLayout& layout) {
  const Expected<Map> map = MapOf(layout);
  if (!map) return std::unexpected(map.error());
  Expected<BlockedFormat> format = BlockedFormatOf(layout);
  if (!format) return std::unexpected(format.error());
  return Blocked{*std::move(format), map->sizes};
}

Expected<Blocked> BlockedOf(const ComposedLayout& composed) { return NoSwizzle(composed); }

Expected<Blocked> BlockedOf(const FractalLayout& fractal) {
  const Expected<Shape> shape = HloOfFractal(fractal);
  if (!shape) return std::unexpected(shape.error());
  return BlockedOf(*shape);
}

std::vector<IndexExpression> Coordinates(std::span<const int64_t> sizes) {
  std::vector<IndexExpression> coordinates;
  for (size_t d = 0; d < sizes.size(); ++d) {
    coordinates.push_back(IndexExpression::Coordinate(static_cast<int64_t>(d), sizes[d]));
  }
  return coordinates;
}

// A formula, and the swizzle that its value goes through.
struct Formula {
  IndexExpression sum;
  std::optional<Swizzle> swizzle = std::nullopt;

  int64_t Evaluate(std::span<const int64_t> i) const {
    const int64_t value = sum.Evaluate(i);
    return swizzle ? ApplySwizzle(*swizzle, value) : value;
  }
};

Expected<Formula> FormulaOf(const Shape& shape) {
  const Expected<TiledLayout> tiled = TiledLayoutOf(shape);
  if (!tiled) return std::unexpected(tiled.error());
  const Expected<TiledIndex> index = MakeTiledIndex(*tiled);
  if (!index) return std::unexpected(index.error());
  const BasicTiledIndex<IndexExpression> formula(*index, [](int64_t number) { return IndexExpression(number); });
  return Formula{formula(Coordinates(tiled->dimensions))};
}

Expected<Formula> FormulaOf(const PaddedLayout& layout) {
  const Shape& shape = layout.shape();
  const std::vector<IndexExpression> coordinates = Coordinates(shape.dimensions);
  IndexExpression sum = 0;
  int64_t stride = 1;
  for (const int64_t d : shape.layout->minor_to_major) {
    const auto k = static_cast<size_t>(d);
    sum = sum + coordinates[k] * IndexExpression(stride);
    stride *= layout.padded_dimensions().empty() ? shape.dimensions[k] : layout.padded_dimensions()[k];
  }
  return Formula{std::move(sum)};
}

Expected<Formula> FormulaOf(const ShapeStrideLayout& layout) {
  const Expected<Map> map = MapOf(layout);
  if (!map) return std::unexpected(map.error());
  if (std::ranges::find(map->sizes, 0) != map->sizes.end()) return Formula{};
  const Expected<StridedLayout> strided = StridedLayoutOf(layout);
  if (!strided) return std::unexpected(strided.error());
  return Formula{
      StridedOffset<IndexExpression>(ConvertStridedLayout<IndexExpression>(*strided), Coordinates(map->sizes))};
}

Expected<Formula> FormulaOf(const ComposedLayout& composed) {
  Expected<Formula> formula = FormulaOf(composed.layout);
  if (!formula) return formula;
  formula->sum = formula->sum + IndexExpression(composed.offset);
  formula->swizzle = composed.swizzle;
  return formula;
}

Expected<Formula> FormulaOf(const FractalLayout& fractal) {
  const Expected<ShapeStrideLayout> layout = ShapeStrideOf(fractal);
  if (!layout) return std::unexpected(layout.error());
  return FormulaOf(*layout);
}

std::string Names(std::string_view prefix, size_t count, std::string_view letter) {
  std::vector<std::string> names;
  for (size_t d = 0; d < count; ++d) names.push_back(StrCat(prefix, letter, d));
  return StrJoin(names, ", ");
}

std::string AffineMap(const IndexExpression& formula, size_t rank) {
  return StrCat("affine_map<(", Names("", rank, "d"), ") -> (", formula.ToAffine(), ")>");
}

// How far a function of C is known to be right, as a comment in it. `unproved` is why it was not proved.
std::string Evidence(std::span<const int64_t> sizes, const std::optional<std::string>& unproved) {
  if (std::ranges::find(sizes, 0) != sizes.end()) return "// There is no element.\n";
  if (unproved && unproved->empty()) {
    return "// Proved for every element: it is the index of the layout, and no part of it overflows.\n";
  }
  CheckedInt64 elements = 1;
  for (const int64_t size : sizes) elements = elements * size;
  const bool all = !elements.overflow && elements.value <= kMostCompared;
  const std::string compared = all ? "at every element" : "at the elements around every boundary";
  return StrCat("// Compared with the layout ", compared, unproved ? "; not proved: " : "", unproved.value_or(""),
                ".\n");
}

// A function of C, with what it is a formula of. A text that would end the comment cannot stand in a layout.
std::string CFunction(const Formula& formula, std::span<const int64_t> sizes, std::string_view layout,
                      std::string_view evidence) {
  std::string text = StrCat("#include <stdint.h>\n\n// The linear index of an element of ", layout, ".\n", evidence);
  std::vector<std::string> ranges;
  for (size_t d = 0; d < sizes.size(); ++d) ranges.push_back(StrCat("0 <= i", d, " < ", sizes[d]));
  if (!ranges.empty()) StrAppend(text, "// Requires ", StrJoin(ranges, ", "), ".\n");
  StrAppend(text, "static inline int64_t layout_index(", sizes.empty() ? "void" : Names("int64_t ", sizes.size(), "i"),
            ") {\n");
  for (size_t d = 0; d < sizes.size(); ++d) {
    if (!formula.sum.Uses(static_cast<int64_t>(d))) StrAppend(text, "  (void)i", d, ";\n");
  }
  if (formula.swizzle) {
    const Swizzle& swizzle = *formula.swizzle;
    StrAppend(text, "  const int64_t offset = ", formula.sum.ToC(), ";\n  return offset ^ ((offset & ",
              ReadMask(swizzle), ") ", swizzle.shift < 0 ? "<< " : ">> ", std::abs(swizzle.shift), ");\n}");
    return text;
  }
  StrAppend(text, "  return ", formula.sum.ToC(), ";\n}");
  return text;
}

std::string TextOf(const Shape& shape) { return ToString(shape); }
std::string TextOf(const PaddedLayout& layout) { return layout.ToString(); }
std::string TextOf(const ShapeStrideLayout& layout) { return ToString(layout); }
std::string TextOf(const ComposedLayout& composed) { return ToString(composed); }
std::string TextOf(const FractalLayout& fractal) { return ToString(fractal); }

// The text, once what `parse` reads in it is the same map.
template <class Parse>
Expected<Conversion> ReadBack(std::string text, const Map& map, Parse parse) {
  const auto read = parse(text);
  if (!read) return std::unexpected(read.error());
  const Expected<Map> back = MapOf(*read);
  if (!back) return std::unexpected(back.error());
  if (auto same = CheckSame(map, back->index, text); !same) return std::unexpected(same.error());
  return Conversion{std::move(text)};
}

template <class Layout>
Expected<Conversion> ToHlo(const Layout& layout, const Map& map, ElementType type) {
  const Expected<Shape> shape = HloOf(layout, type);
  if (!shape) return std::unexpected(shape.error());
  return ReadBack(ToString(*shape), map, [](std::string_view text) { return ParseShape(text); });
}

template <class Layout>
Expected<Conversion> ToShapeStride(const Layout& layout, const Map& map) {
  const auto modes = ModesOf(layout);
  if (!modes) return std::unexpected(modes.error());
  return ReadBack(ToString(*modes), map, ParseComposedLayout);
}

template <class Layout>
Expected<Conversion> ToBlocks(const Layout& layout, const Map& map, ConversionTarget target) {
  const Expected<Blocked> blocked = BlockedOf(layout);
  if (!blocked) return std::unexpected(blocked.error());
  Conversion conversion;
  if (target == ConversionTarget::kOneDnn) {
    Expected<std::string> tag = OneDnnTag(blocked->format);
    if (!tag) return std::unexpected(tag.error());
    conversion.text = *std::move(tag);
  } else {
    const Expected<PackAttributes> pack = ToPackAttributes(blocked->format);
    if (!pack) return std::unexpected(pack.error());
    conversion.text = ToString(*pack);
    conversion.parts = {{"outer_dims_perm", pack->outer_dims_perm},
                        {"inner_dims_pos", pack->inner_dims_pos},
                        {"inner_tiles", pack->inner_tiles}};
  }
  const auto index = [&](std::span<const int64_t> i) { return OffsetIn(blocked->format, blocked->sizes, i); };
  if (auto same = CheckSame(map, index, conversion.text); !same) return std::unexpected(same.error());
  return conversion;
}

template <class Layout>
Expected<Conversion> ToFormula(const Layout& layout, const Map& map, ConversionTarget target,
                               const IndexProver& prove) {
  const Expected<Formula> formula = FormulaOf(layout);
  if (!formula) return std::unexpected(formula.error());
  if (target == ConversionTarget::kAffine && formula->swizzle && formula->swizzle->bits > 0) {
    return NotExpressible(StrCat(TextOf(layout), " exchanges bits: that is not affine"));
  }
  if (formula->sum.parts() > IndexExpression::kMaxParts) {
    return NotExpressible(StrCat("the formula has more than ", IndexExpression::kMaxParts, " parts"));
  }
  Conversion conversion;
  if (target == ConversionTarget::kAffine) {
    conversion.text = AffineMap(formula->sum, map.sizes.size());
  } else {
    std::optional<std::string> unproved;
    if (prove) unproved = OneLine(prove(layout, map.sizes, formula->sum, formula->swizzle));
    conversion.text = CFunction(*formula, map.sizes, TextOf(layout), Evidence(map.sizes, unproved));
  }
  const auto index = [&](std::span<const int64_t> i) { return formula->Evaluate(i); };
  if (auto same = CheckSame(map, index, conversion.text); !same) return std::unexpected(same.error());
  return conversion;
}

}  // namespace

Expected<Conversion> Convert(const LayoutValue& layout, ConversionTarget target, ElementType type,
                             const IndexProver& prove) {
  return std::visit(
      [&](const auto& value) -> Expected<Conversion> {
        const Expected<Map> map = MapOf(value);
        if (!map) return std::unexpected(map.error());
        switch (target) {
          case ConversionTarget::kHlo: return ToHlo(value, *map, type);
          case ConversionTarget::kShapeStride: return ToShapeStride(value, *map);
          case ConversionTarget::kOneDnn:
          case ConversionTarget::kPack: return ToBlocks(value, *map, target);
          case ConversionTarget::kAffine:
          case ConversionTarget::kC: return ToFormula(value, *map, target, prove);
        }
        std::unreachable();
      },
      layout);
}

}  // namespace layoutcheck
