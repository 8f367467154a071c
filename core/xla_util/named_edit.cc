// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "layoutcheck/core/xla_util/named_edit.h"
#include <algorithm>
#include <cstddef>
#include <utility>
#include "layoutcheck/core/base/str_cat.h"
#include "layoutcheck/core/xla_util/layout_edits.h"
#include "layoutcheck/core/xla_util/shape_edits.h"

namespace layoutcheck {
namespace {

using Arguments = std::span<const int64_t>;

Expected<Shape> EditLayout(const Shape& shape, int64_t dimension,
                           Expected<Layout> (*edit)(const Layout& layout, int64_t dimension)) {
  if (!shape.IsArray() || !shape.layout) {
    return MakeError(ErrorKind::kInvalidArgument, "expected an array with a layout");
  }
  auto layout = edit(*shape.layout, dimension);
  if (!layout) return std::unexpected(std::move(layout).error());
  Shape result = shape;
  result.layout = *std::move(layout);
  return result;
}

struct NamedEdit {
  static constexpr size_t kAny = static_cast<size_t>(-1);

  std::string_view name;
  size_t arguments;  // their number, or kAny
  Expected<Shape> (*apply)(const Shape& shape, Arguments arguments);
};

constexpr NamedEdit kEdits[] = {
    {"move-dim-to-major", 1, [](const Shape& s, Arguments a) { return EditLayout(s, a[0], MoveDimToMajor); }},
    {"move-dim-to-minor", 1, [](const Shape& s, Arguments a) { return EditLayout(s, a[0], MoveDimToMinor); }},
    {"permute-dimensions", NamedEdit::kAny, [](const Shape& s, Arguments a) { return PermuteDimensions(a, s); }},
    {"descending-layout", 0,
     [](const Shape& s, Arguments) { return MakeShapeWithDescendingLayoutAndSamePhysicalLayout(s); }},
    {"delete-dimensions", NamedEdit::kAny, [](const Shape& s, Arguments a) { return DeleteDimensions(a, s); }},
    {"drop-unit-dimensions", 0, [](const Shape& s, Arguments) { return DropDegenerateDimensions(s); }},
    {"append-major-dimension", 1, [](const Shape& s, Arguments a) { return AppendMajorDimension(a[0], s); }},
    {"append-minor-dimension", 1, [](const Shape& s, Arguments a) { return AppendMinorDimension(a[0], s); }},
    {"prepend-major-dimension", 1, [](const Shape& s, Arguments a) { return PrependMajorDimension(a[0], s); }},
    {"insert-dimension", 2, [](const Shape& s, Arguments a) { return InsertDimensionAtIndex(s, a[0], a[1]); }},
    {"clear-tiles", 0, [](const Shape& s, Arguments) { return Expected<Shape>(ClearTiles(s)); }},
};

}  // namespace

Expected<Shape> ApplyEdit(std::string_view name, const Shape& shape, Arguments arguments) {
  const auto* const edit = std::ranges::find(kEdits, name, &NamedEdit::name);
  if (edit == std::end(kEdits)) return MakeError(ErrorKind::kUnsupported, StrCat("no edit \"", name, "\""));
  if (edit->arguments != NamedEdit::kAny && edit->arguments != arguments.size()) {
    return MakeError(ErrorKind::kInvalidArgument,
                     StrCat(name, " has ", arguments.size(), " arguments, expected ", edit->arguments));
  }
  return edit->apply(shape, arguments);
}

}  // namespace layoutcheck
