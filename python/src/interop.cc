// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The parts of a layout that layoutcheck.interop hands to other libraries.
#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>
#include "layoutcheck/core/base/integer.h"
#include "layoutcheck/core/base/str_cat.h"
#include "layoutcheck/core/hlo/element_type.h"
#include "layoutcheck/core/hlo/shape.h"
#include "layoutcheck/core/linear/linear_algebra.h"
#include "layoutcheck/core/linear/linear_layout.h"
#include "layoutcheck/core/linear/linear_text.h"
#include "layoutcheck/core/shape_stride/shape_stride_layout.h"
#include "register.h"
#include "shape_stride.h"

namespace nb = nanobind;

namespace layoutcheck::python {
namespace {

[[noreturn]] void RaiseUnsupported(std::string message) {
  RaiseLayoutError({ErrorKind::kUnsupported, std::move(message)});
}

// Returns the stride at which the coordinates 0 to size - 1 of a mode lie, or nothing if there is no single one.
std::optional<int64_t> SingleStride(const IntTuple& extents, const IntTuple& strides, int64_t size) {
  const std::vector<IntTuple> extent_leaves = Leaves(extents), stride_leaves = Leaves(strides);
  CheckedInt64 reached = 1;
  std::optional<int64_t> stride;
  for (size_t k = 0; k < extent_leaves.size(); ++k) {
    const int64_t extent = extent_leaves[k].value(), step = stride_leaves[k].value();
    if (!reached.overflow && reached.value >= size) break;
    if (extent == 1) continue;
    const CheckedInt64 continued = reached * CheckedInt64(stride.value_or(0));
    if (stride && (continued.overflow || continued.value != step)) return std::nullopt;
    if (!stride) stride = step;
    reached = reached * CheckedInt64(extent);
  }
  if (stride) return stride;
  return stride_leaves.empty() ? 0 : stride_leaves[0].value();
}

// Returns (sizes, strides, offset): one stride per dimension, and the place of element 0 in the allocation, in
// elements.
nb::tuple DimensionStrides(const PyLayout& layout) {
  const ComposedLayout composed = ConvertedOf(layout);
  if (composed.swizzle) RaiseUnsupported(StrCat("expected a layout without swizzle, got ", layout->Text()));
  ValueOrRaise(RequireOrdinaryStrides(composed.layout));
  const std::vector<IntTuple> extents = Modes(composed.layout.shape), strides = Modes(composed.layout.stride);
  const std::vector<int64_t>& sizes = layout.dimensions();
  const bool is_empty = std::ranges::find(sizes, 0) != sizes.end();
  std::vector<int64_t> single;
  for (size_t d = 0; d < sizes.size(); ++d) {
    const std::optional<int64_t> stride = SingleStride(extents[d], strides[d], is_empty ? 0 : sizes[d]);
    if (!stride) {
      RaiseUnsupported(StrCat("expected one stride per dimension, but dimension ", d, " of ", layout->Text(), " is ",
                              ToString(extents[d]), ":", ToString(strides[d])));
    }
    single.push_back(*stride);
  }
  return nb::make_tuple(TupleOf(sizes), TupleOf(single), composed.offset - layout->Sizes().first_offset);
}

// Returns a dict of the parts of an XLA layout: element_type, dimensions, minor_to_major, tiles, element_bits (E(n), 0
// if it is the type's own), and other: the attributes that only HLO has, as one text.
nb::dict HloParts(const PyLayout& layout) {
  CoreForms forms = layout->Forms();
  if (!forms.shape) {
    RaiseUnsupported(StrCat("expected an XLA layout, got ", layout->Text(), "; convert('hlo') may give one"));
  }
  const Shape shape = ValueOrRaise(*std::move(forms.shape));
  if (!shape.layout) RaiseUnsupported(StrCat("expected an array with a layout, got ", layout->Text()));
  const Layout& xla = *shape.layout;
  nb::list tiles;
  for (const Tile& tile : xla.tiles) tiles.append(TupleOf(tile.dimensions));
  std::string other;
  const auto add = [&](bool is_set, const char* name) {
    if (is_set) other = StrCat(other, other.empty() ? "" : ", ", name);
  };
  add(shape.HasDynamicDimension(), "a dynamic dimension");
  add(xla.tail_padding_alignment_in_elements != 1, "tail padding L(n)");
  add(xla.memory_space != 0, "a memory space S(n)");
  add(!xla.split_configs.empty(), "splits SC(...)");
  add(xla.dynamic_shape_metadata_prefix_bytes > 0, "a metadata prefix M(n)");
  nb::dict parts;
  const std::string_view type = ElementTypeName(shape.element_type);
  parts["element_type"] = nb::str(type.data(), type.size());
  parts["dimensions"] = TupleOf(shape.dimensions);
  parts["minor_to_major"] = TupleOf(xla.minor_to_major);
  parts["tiles"] = nb::tuple(tiles);
  parts["element_bits"] = xla.element_size_in_bits;
  parts["other"] = nb::str(other.c_str());
  return parts;
}

LinearLayout LinearOf(const PyLayout& layout) {
  CoreForms forms = layout->Forms();
  if (!forms.linear) RaiseUnsupported(StrCat("expected a layout in bits, got ", layout->Text()));
  return *std::move(forms.linear);
}

// Returns the images of each input's bits, one tuple of the outputs' integers per bit.
nb::list LinearBases(const PyLayout& layout) {
  const LinearLayout linear = LinearOf(layout);
  nb::list inputs;
  for (const LinearInput& input : linear.inputs()) {
    nb::list images;
    for (const uint64_t image : input.images) images.append(TupleOf(linear.OutputParts(image)));
    inputs.append(images);
  }
  return inputs;
}

// Returns the text of the layout from outputs to inputs, or None if the layout is not invertible.
std::optional<std::string> LinearInverse(const PyLayout& layout) {
  const LinearLayout linear = LinearOf(layout);
  if (linear.input_bits() != linear.output_bits()) return std::nullopt;
  const Expected<LinearLayout> inverse = Inverse(linear);
  return inverse ? std::optional(ToString(*inverse)) : std::nullopt;
}

}  // namespace

void RegisterInterop(nb::module_& module) {
  module.def(
      "dimension_strides", &DimensionStrides,
      nb::sig("def dimension_strides(layout: Layout, /) -> tuple[tuple[int, ...], tuple[int, ...], int]"),
      "Returns (sizes, strides, offset) in elements: one stride per dimension, and the place of element 0 in the "
      "allocation. Raises LayoutError if a dimension has no single stride.");
  module.def("hlo_parts", &HloParts, nb::sig("def hlo_parts(layout: Layout, /) -> dict[str, object]"),
             "Returns the parts of an XLA layout: element_type, dimensions, minor_to_major, tiles, element_bits, and "
             "other: the attributes that only HLO has, as one text. Raises LayoutError for other notations.");
  module.def(
      "linear_bases", &LinearBases, nb::sig("def linear_bases(layout: Layout, /) -> list[list[tuple[int, ...]]]"),
      "Returns, per input of a layout in bits, the image of each of its bits, with one integer per output. Raises "
      "LayoutError for other notations.");
  module.def(
      "linear_inverse", &LinearInverse, nb::sig("def linear_inverse(layout: Layout, /) -> str | None"),
      "Returns the text of the layout in bits from the outputs of a layout in bits to its inputs, or None if it is "
      "not invertible. Raises LayoutError for other notations.");
}

}  // namespace layoutcheck::python
