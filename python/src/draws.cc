// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The generators of `check` for layoutcheck.strategies. A layout is drawn here; its fields are then drawn again, one by
// one, by Hypothesis, which so can shrink each of them.
#include <nanobind/nanobind.h>
#include <nanobind/stl/map.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>
#include "errors.h"
#include "layoutcheck/core/base/str_cat.h"
#include "layoutcheck/core/hlo/parser.h"
#include "layoutcheck/core/hlo/printer.h"
#include "layoutcheck/core/hlo/validate.h"
#include "layoutcheck/core/module/module_reader.h"
#include "layoutcheck/core/tiling/sizes.h"
#include "layoutcheck/properties/algebra/algebra_generator.h"
#include "layoutcheck/properties/generate/draw_case.h"
#include "layoutcheck/properties/generate/layout_statistics.h"
#include "layoutcheck/properties/module/module_facts.h"
#include "layoutcheck/properties/module/rule.h"
#include "register.h"

namespace nb = nanobind;
using nb::literals::operator""_a;

namespace layoutcheck::python {
namespace {

// The fields of a tiled layout, as Python sees them. They are independent of each other, except that a split config
// must lie within its dimension.
using DimensionFields = std::tuple<int64_t, int64_t, bool>;  // size, sort key in minor_to_major, is dynamic
using TileFields = std::vector<int64_t>;                     // 0 is `*`
using SplitFields = std::pair<int64_t, std::vector<int64_t>>;
// Number of the element type in TypesFromF32(), E, L, S, M.
using AttributeFields = std::tuple<int64_t, int64_t, int64_t, int64_t, int64_t>;
using LayoutFields =
    std::tuple<std::vector<DimensionFields>, std::vector<TileFields>, AttributeFields, std::optional<SplitFields>>;

// Returns the element types of arrays, the simplest one first.
const std::vector<ElementType>& TypesFromF32() {
  static const std::vector<ElementType> types = [] {
    std::vector<ElementType> list = {ElementType::kF32};
    for (const ElementType type : ArrayElementTypes()) {
      if (type != ElementType::kF32) list.push_back(type);
    }
    return list;
  }();
  return types;
}

// Returns the smallest sort keys, one per dimension, that give this minor_to_major; all are 0 for a row-major one.
std::vector<int64_t> SortKeysOf(const std::vector<int64_t>& minor_to_major) {
  std::vector<int64_t> keys(minor_to_major.size());
  int64_t key = 0;
  for (size_t k = 0; k < minor_to_major.size(); ++k) {
    if (k > 0 && minor_to_major[k] > minor_to_major[k - 1]) ++key;
    keys[static_cast<size_t>(minor_to_major[k])] = key;
  }
  return keys;
}

LayoutFields FieldsOf(const Shape& shape) {
  const Layout& layout = *shape.layout;
  const std::vector<int64_t> keys = SortKeysOf(layout.minor_to_major);
  LayoutFields fields;
  auto& [dimensions, tiles, attributes, split] = fields;
  for (size_t d = 0; d < shape.dimensions.size(); ++d) {
    dimensions.emplace_back(shape.dimensions[d], keys[d], shape.dynamic_dimensions[d]);
  }
  for (const Tile& tile : layout.tiles) {
    tiles.push_back(tile.dimensions);
    std::ranges::replace(tiles.back(), Tile::kCombineDimension, 0);
  }
  attributes = {std::ranges::find(TypesFromF32(), shape.element_type) - TypesFromF32().begin(),
                layout.element_size_in_bits, layout.tail_padding_alignment_in_elements, layout.memory_space,
                layout.dynamic_shape_metadata_prefix_bytes};
  if (!layout.split_configs.empty()) {
    split.emplace(layout.split_configs[0].dimension, layout.split_configs[0].split_indices);
  }
  return fields;
}

// Halves the largest tile entry or the tail padding, or else the largest size. Returns false if all are at most 1.
bool HalveLargest(Shape& shape) {
  int64_t* largest = &shape.layout->tail_padding_alignment_in_elements;
  for (Tile& tile : shape.layout->tiles) {
    for (int64_t& size : tile.dimensions) {
      if (size > *largest) largest = &size;
    }
  }
  if (*largest <= 1) {
    for (int64_t& size : shape.dimensions) {
      if (size > *largest) largest = &size;
    }
  }
  if (*largest <= 1) return false;
  *largest /= 2;
  return true;
}

bool AllocatesAtMost(const Shape& shape, int64_t most) {
  if (!ValidateDimensions(shape)) return false;
  const Expected<LayoutSizes> sizes = SizesOf(shape);
  return sizes && sizes->padded_elements <= most;
}

// Returns the text of the layout with these fields. Makes tiles and sizes smaller where it allocates more than `most`
// elements, and leaves a split config out that does not suit it. Errors (ValueError): a field that is never valid.
std::string TextOfFields(const LayoutFields& fields, int64_t most) {
  const auto& [dimensions, tiles, attributes, split] = fields;
  const auto require = [](bool holds, const char* field) {
    if (!holds) throw nb::value_error(StrCat("a layout cannot have this ", field).c_str());
  };
  const auto& [type, element_size, tail_padding, memory_space, prefix] = attributes;
  require(std::min({type, element_size, tail_padding, memory_space, prefix}) >= 0, "attribute");
  require(type < std::ssize(TypesFromF32()), "element type");
  std::vector<int64_t> sizes;
  for (const auto& [size, key, dynamic] : dimensions) sizes.push_back(size);
  require(std::ranges::all_of(sizes, [](int64_t size) { return size >= 0; }), "size");
  std::vector<int64_t> order = MakeDescendingLayout(std::ssize(dimensions)).minor_to_major;
  std::ranges::stable_sort(order, {}, [&](int64_t d) { return std::get<1>(dimensions[static_cast<size_t>(d)]); });
  std::vector<Tile> tiling;
  for (const TileFields& tile : tiles) {
    require(!tile.empty() && std::ranges::all_of(tile, [](int64_t size) { return size >= 0; }), "tile");
    tiling.push_back(Tile{tile});
    std::ranges::replace(tiling.back().dimensions, 0, Tile::kCombineDimension);
    if (tile.back() == 0) tiling.back().dimensions.back() = 1;  // a `*` at the end has no meaning
  }
  Shape shape = Shape::Array(TypesFromF32()[static_cast<size_t>(type)], std::move(sizes),
                             Layout(std::move(order), std::move(tiling)));
  for (size_t d = 0; d < dimensions.size(); ++d) shape.dynamic_dimensions[d] = std::get<2>(dimensions[d]);
  Layout& layout = *shape.layout;
  layout.element_size_in_bits = element_size;
  layout.tail_padding_alignment_in_elements = std::max<int64_t>(tail_padding, 1);
  layout.memory_space = memory_space;
  layout.dynamic_shape_metadata_prefix_bytes = prefix;
  while (!AllocatesAtMost(shape, most) && HalveLargest(shape)) {
  }
  if (split) {
    Shape with_split = shape;
    with_split.layout->split_configs.push_back({split->first, split->second});
    if (ValidateShape(with_split, MissingLayout::kRejected)) shape = std::move(with_split);
  }
  require(ValidateShape(shape, MissingLayout::kRejected).has_value(), "combination of fields");
  return ToString(shape);
}

// Draws layouts of one family, of one pattern, or of all of the generators.
class LayoutSource {
 public:
  LayoutSource(const LayoutScope& scope, bool huge, const std::optional<std::string>& family,
               const std::optional<std::string>& pattern)
      : huge_(huge), source_(MakeSource(scope, family, pattern)) {}
  LayoutSource(const LayoutSource&) = delete;
  LayoutSource& operator=(const LayoutSource&) = delete;

  // Draws the layout of a number; most are drawn evenly.
  DrawnCase Draw(uint64_t number) const {
    constexpr uint64_t kCases = uint64_t{1} << 20;  // per seed of a run of `check`
    constexpr uint64_t kAttempts = 1000;
    for (uint64_t attempt = 0; attempt < kAttempts; ++attempt) {
      std::optional<DrawnCase> drawn = source_.Draw(number / kCases, number % kCases + attempt);
      if (drawn && (huge_ || !drawn->is_huge)) return *std::move(drawn);
    }
    throw nb::value_error("no layout of this family or pattern is an XLA layout within these limits");
  }

  // Returns the text with these values of the pattern's names; nothing if they make no layout within the limits.
  std::optional<std::string> Write(const std::vector<int64_t>& values, int64_t most) const {
    if (patterns_.empty() || values.size() != patterns_[0].names().size())
      throw nb::value_error("expected one value per name of the pattern");
    const Expected<Shape> shape = patterns_[0].ShapeWith(values);
    if (!shape || !ValidateDimensions(*shape) || !AllocatesAtMost(*shape, most)) return std::nullopt;
    return patterns_[0].Write(values);
  }

  std::vector<bool> NamesAreTiles() const {
    std::vector<bool> are_tiles;
    for (const LayoutPattern& pattern : patterns_) {
      for (const LayoutPattern::Name& name : pattern.names()) are_tiles.push_back(name.is_tile);
    }
    return are_tiles;
  }

 private:
  CaseSource MakeSource(const LayoutScope& scope, const std::optional<std::string>& family,
                        const std::optional<std::string>& pattern) {
    if (pattern) {
      auto parsed = LayoutPattern::Parse(*pattern);
      if (!parsed) RaiseTextError(*pattern, std::move(parsed.error()));
      patterns_.push_back(*std::move(parsed));
      return {scope, patterns_, ""};
    }
    if (!family) return CaseSource(scope);
    const LayoutFamily* found = FindFamily(*family);
    if (found == nullptr) {
      throw nb::value_error(StrCat("family '", *family, "': expected one of ", FamilyNames()).c_str());
    }
    return {scope, found->patterns, found->name};
  }

  bool huge_;
  std::vector<LayoutPattern> patterns_;  // one, or none
  CaseSource source_;
};

using ModeFields = std::vector<std::pair<int64_t, int64_t>>;  // size and stride of each leaf

// Draws the shape:stride layout of a number. The second is true if a single mode is in a tuple.
std::pair<std::vector<ModeFields>, bool> ShapeStrideFieldsOf(uint64_t number) {
  RandomChoices choices(number, 0);
  const ShapeStrideLayout drawn = DrawShapeStrideLayout(choices);
  const std::vector<IntTuple> shapes = Modes(drawn.shape);
  const std::vector<IntTuple> strides = Modes(drawn.stride);
  std::vector<ModeFields> modes(shapes.size());
  for (size_t k = 0; k < shapes.size(); ++k) {
    const std::vector<IntTuple> sizes_of_mode = Leaves(shapes[k]);
    const std::vector<IntTuple> strides_of_mode = Leaves(strides[k]);
    for (size_t leaf = 0; leaf < sizes_of_mode.size(); ++leaf) {
      modes[k].emplace_back(sizes_of_mode[leaf].value(), strides_of_mode[leaf].value());
    }
  }
  return {std::move(modes), drawn.shape.is_tuple()};
}

// Returns the percentage of texts per class, such as "rank 2" or "tile with *".
std::map<std::string, double> ClassesOf(const std::vector<std::string>& texts) {
  LayoutStatistics statistics;
  for (const std::string& text : texts) {
    const Expected<Shape> shape = ParseShape(text);
    if (!shape) RaiseLayoutError(shape.error());
    if (!shape->IsArray() || !shape->layout) throw nb::value_error("not an array with a layout");
    statistics.Count(*shape);
  }
  std::map<std::string, double> percentages;
  for (const auto& [name, count] : statistics.classes()) {
    percentages[name] = 100.0 * static_cast<double>(count) / static_cast<double>(std::max<size_t>(texts.size(), 1));
  }
  return percentages;
}

// Returns what the rules of HLO modules say is wrong with a text, each as "line:column: rule: message".
std::vector<std::string> ErrorsOfModule(std::string text) {
  const HloModule module = ReadModule(std::move(text));
  ModuleFacts facts(module);
  std::vector<std::string> errors;
  for (const RuleFinding& finding : CheckModule(facts).findings) {
    if (finding.severity != Severity::kError) continue;
    errors.push_back(StrCat(finding.place.line, ":", finding.place.column, ": ", finding.rule, ": ", finding.message));
  }
  return errors;
}

}  // namespace

void RegisterDraws(nb::module_& module) {
  nb::class_<LayoutSource>(module, "LayoutSource", "The layouts that `layoutcheck check` draws, by number.")
      .def(
          "__init__",
          [](LayoutSource* self, int64_t max_rank, int64_t max_tiles, int64_t max_elements, int64_t max_padded_elements,
             bool combine, bool attributes, bool huge, const std::optional<std::string>& family,
             const std::optional<std::string>& pattern) {
            const LayoutScope scope = {.max_rank = max_rank,
                                       .max_tiles = max_tiles,
                                       .max_elements = max_elements,
                                       .max_padded_elements = max_padded_elements,
                                       .combine = combine,
                                       .attributes = attributes};
            new (self) LayoutSource(scope, huge, family, pattern);
          },
          nb::kw_only(), "max_rank"_a, "max_tiles"_a, "max_elements"_a, "max_padded_elements"_a, "combine"_a,
          "attributes"_a, "huge"_a, "family"_a.none(), "pattern"_a.none())
      .def(
          "fields", [](const LayoutSource& self, uint64_t number) { return FieldsOf(self.Draw(number).shape); },
          "number"_a, "Returns the layout of a number as dimensions, tiles, attributes and split config.")
      .def(
          "text", [](const LayoutSource& self, uint64_t number) { return ToString(self.Draw(number).shape); },
          "number"_a, "Returns the layout of a number as HLO text.")
      .def(
          "values", [](const LayoutSource& self, uint64_t number) { return self.Draw(number).values; }, "number"_a,
          "Returns the values of the pattern's names, for a number.")
      .def("write", &LayoutSource::Write, "values"_a, "most"_a,
           "Returns the pattern's text with these values; None if they make no layout of at most `most` elements.")
      .def_prop_ro("names_are_tiles", &LayoutSource::NamesAreTiles,
                   "For each name of the pattern, True if it is the size of a tile.");
  module.def("text_of_fields", &TextOfFields, "fields"_a, "most"_a,
             "Returns the HLO text of a layout's fields, made smaller to allocate at most `most` elements.");
  module.def(
      "shape_stride_fields", &ShapeStrideFieldsOf, "number"_a,
      "Returns the shape:stride layout of a number as its modes, each a list of (size, stride), and whether they are "
      "in a tuple although there is one.");
  module.attr("ELEMENT_TYPES") = TypesFromF32().size();
  module.def("layout_classes", &ClassesOf, "texts"_a,
             "Returns the percentage of HLO layouts per class, such as 'rank 2' or 'tile with *'.");
  module.def(
      "module_errors", &ErrorsOfModule, "text"_a, nb::call_guard<nb::gil_scoped_release>(),
      "Returns the errors that `layoutcheck scan` finds in an HLO module, each as 'line:column: rule: message'.");
}

}  // namespace layoutcheck::python
