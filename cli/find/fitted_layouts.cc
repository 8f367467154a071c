// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/cli/find/fitted_layouts.h"
#include <algorithm>
#include <functional>
#include <optional>
#include <span>
#include <string_view>
#include <utility>
#include "layoutcheck/cli/notations/notation.h"
#include "layoutcheck/core/base/str_cat.h"
#include "layoutcheck/core/linear/linear_text.h"
#include "layoutcheck/core/shape_stride/tla.h"

namespace layoutcheck {
namespace {

constexpr size_t kMostTilings = 6;

using PrintNumber = std::function<std::string(int64_t)>;

std::string Number(int64_t value) { return StrCat(value); }

// Prints a tile's entry as the name that has this value, unless it is the name of a dimension.
PrintNumber EntryPrinter(const UnplacedArray& array, const OffsetSample& sample) {
  return [&array, &sample](int64_t entry) {
    const std::vector<std::string> dimensions = array.Names();
    for (const auto& [name, value] : sample.names) {
      if (value == entry && std::ranges::find(dimensions, name) == dimensions.end()) return name;
    }
    return Number(entry);
  };
}

// Prints a stride as the largest product of different names that divides it, times a number.
PrintNumber StridePrinter(const OffsetSample& sample) {
  return [&sample](int64_t stride) {
    int64_t rest = stride;
    std::vector<std::string> factors;
    std::vector<std::pair<int64_t, std::string>> names;
    for (const auto& [name, value] : sample.names) names.emplace_back(value, name);
    std::ranges::sort(names, std::greater());
    for (const auto& [value, name] : names) {
      if (value <= 1 || rest == 0 || rest % value != 0) continue;
      rest /= value;
      factors.push_back(name);
    }
    if (rest != 1 || factors.empty()) factors.insert(factors.begin(), Number(rest));
    return StrJoin(factors, "*");
  };
}

std::string HloText(const UnplacedArray& array, const Layout& layout, const PrintNumber& entry) {
  if (layout.minor_to_major.empty()) return array.ToString();
  std::string text = StrCat(array.ToString(), "{", StrJoin(layout.minor_to_major, ","));
  if (!layout.tiles.empty()) StrAppend(text, ":T");
  for (const Tile& tile : layout.tiles) {
    std::vector<std::string> entries;
    for (const int64_t size : tile.dimensions) entries.push_back(size == Tile::kCombineDimension ? "*" : entry(size));
    StrAppend(text, "(", StrJoin(entries, ","), ")");
  }
  return text + "}";
}

// Returns the text of the layout with the sizes of the array, or nothing if a mode is nested whose size is a name.
std::optional<std::string> StridesText(const UnplacedArray& array, const ComposedLayout& composed,
                                       const PrintNumber& stride) {
  std::vector<std::string> shapes;
  std::vector<std::string> strides;
  const std::vector<ShapeStrideLayout> modes = Modes(composed.layout);
  for (size_t d = 0; d < array.dimensions.size(); ++d) {
    const std::string& name = array.dimensions[d].name;
    if (modes[d].shape.is_tuple() && !name.empty()) return std::nullopt;
    shapes.push_back(name.empty() ? ToString(modes[d].shape) : name);
    strides.push_back(modes[d].stride.is_tuple() ? ToString(modes[d].stride) : stride(modes[d].stride.value()));
  }
  const auto tuple = [&composed](const std::vector<std::string>& parts) {
    return composed.layout.shape.is_leaf() ? parts.front() : StrCat("(", StrJoin(parts, ","), ")");
  };
  std::string text = StrCat(tuple(shapes), ":", tuple(strides));
  if (composed.swizzle) return StrCat(ToString(*composed.swizzle), " o ", composed.offset, " o ", text);
  return composed.offset == 0 ? text : StrCat(composed.offset, " o ", text);
}

bool HasNestedMode(const ComposedLayout& composed) {
  return std::ranges::any_of(composed.layout.shape.elements(), &IntTuple::is_tuple);
}

// Appends the layout if it is new.
void Add(std::vector<FittedLayout>& layouts, FittedNotation notation, std::string text) {
  const bool is_known = std::ranges::find(layouts, text, &FittedLayout::text) != layouts.end();
  if (!is_known) layouts.push_back({notation, std::move(text)});
}

// Appends the fractal layouts of CATLASS with the offsets of the sample.
void AddTags(const UnplacedArray& array, const OffsetSample& sample, std::vector<FittedLayout>& layouts) {
  for (const char* tag : {"zN", "nZ", "zZ", "nN"}) {
    std::string text = StrCat(tag, ":", array.type, "[", StrJoin(sample.elements.sizes, ","), "]");
    const auto layout = ReadLayout(text);
    if (!layout || (*layout)->Dimensions() != sample.elements.sizes) continue;
    if (sample.elements.IsIndex([&](std::span<const int64_t> i) { return (*layout)->Index(i); })) {
      Add(layouts, FittedNotation::kTag, StrCat(tag, ":", array.ToString()));
    }
  }
}

}  // namespace

LayoutFits FitLayouts(const UnplacedArray& array, const OffsetSample& sample) {
  LayoutFits fits;
  std::vector<FittedLayout>& layouts = fits.layouts;
  const TileFits tilings = FitTiles(sample.elements, kMostTilings);
  fits.is_complete = tilings.is_complete;
  for (const Layout& layout : tilings.layouts) {
    const auto notation = layout.tiles.empty() ? FittedNotation::kHlo : FittedNotation::kTiledHlo;
    for (const PrintNumber& print : {EntryPrinter(array, sample), PrintNumber(Number)}) {
      Add(layouts, notation, HloText(array, layout, print));
    }
  }
  const auto strides = FitStrides(sample.elements);
  const auto composed = strides ? strides : FitSwizzle(sample.elements);
  if (composed) {
    const auto notation = composed->swizzle          ? FittedNotation::kSwizzle
                          : HasNestedMode(*composed) ? FittedNotation::kNestedStrides
                                                     : FittedNotation::kStrides;
    for (const PrintNumber& print : {StridePrinter(sample), PrintNumber(Number)}) {
      if (auto text = StridesText(array, *composed, print)) Add(layouts, notation, *std::move(text));
    }
  }
  AddTags(array, sample, layouts);
  if (array.Names().empty()) {
    if (const auto bits = FitBits(sample.elements)) Add(layouts, FittedNotation::kBits, ToString(*bits));
  }
  std::ranges::stable_sort(layouts, {}, &FittedLayout::notation);
  return fits;
}

}  // namespace layoutcheck
