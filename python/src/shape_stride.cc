// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "shape_stride.h"
#include <nanobind/nanobind.h>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>
#include "int_tuple.h"
#include "layoutcheck/core/base/str_cat.h"
#include "layoutcheck/core/bridges/hlo_to_shape_stride.h"
#include "layoutcheck/core/shape_stride/text.h"

namespace nb = nanobind;

namespace layoutcheck::python {
namespace {

// Deeper tilers are rejected: functions of tilers recurse.
constexpr int64_t kMaxTilerDepth = IntTuple::kMaxTextDepth;

Tiler TilerAt(nb::handle value, int64_t depth) {
  if (value.is_none()) return Tiler::Keep();
  if (nb::isinstance<PyLayout>(value)) return Tiler::Of(PlainOf(nb::cast<const PyLayout&>(value)));
  if (nb::isinstance<nb::str>(value)) return ValueOrRaise(ParseTiler(TextOf(value)));
  if (nb::isinstance<nb::tuple>(value) || nb::isinstance<nb::list>(value)) {
    if (depth >= kMaxTilerDepth) {
      RaiseLayoutError(
          {ErrorKind::kInvalidArgument, StrCat("expected at most ", kMaxTilerDepth, " levels of nested tilers")});
    }
    std::vector<Tiler> modes;
    for (const nb::handle mode : nb::borrow<nb::sequence>(value)) modes.push_back(TilerAt(mode, depth + 1));
    return Tiler::OfModes(std::move(modes));
  }
  const IntTuple extent = IntTupleFromPython(value);
  if (extent.value() < 1) {
    RaiseLayoutError({ErrorKind::kInvalidArgument, StrCat("expected a tiler of 1 or more, got ", extent.value())});
  }
  return Tiler::Extent(extent.value());
}

}  // namespace

PyLayout LayoutFromPython(nb::handle value) {
  if (nb::isinstance<PyLayout>(value)) return nb::cast<const PyLayout&>(value);
  if (nb::isinstance<nb::str>(value)) return ReadPyLayout(TextOf(value));
  throw nb::type_error(StrCat("expected a Layout or its text, got ", nb::inst_name(value).c_str()).c_str());
}

ComposedLayout ComposedOf(const PyLayout& layout) {
  CoreForms forms = layout->Forms();
  if (forms.shape || !forms.strided) {
    RaiseLayoutError({ErrorKind::kUnsupported, StrCat("expected a layout in shape:stride notation, got ",
                                                      layout->Text(), "; convert('shape-stride') may give one")});
  }
  return *std::move(forms.strided);
}

ShapeStrideLayout PlainOf(const PyLayout& layout) {
  ComposedLayout composed = ComposedOf(layout);
  if (composed.swizzle || composed.offset != 0) {
    RaiseLayoutError(
        {ErrorKind::kUnsupported, StrCat("expected a layout without swizzle and offset, got ", layout->Text())});
  }
  return std::move(composed.layout);
}

ShapeStrideLayout PlainOf(nb::handle value) { return PlainOf(LayoutFromPython(value)); }

ComposedLayout ConvertedOf(const PyLayout& layout) {
  CoreForms forms = layout->Forms();
  if (forms.strided) return *std::move(forms.strided);
  if (!forms.shape) {
    RaiseLayoutError({ErrorKind::kUnsupported, StrCat("expected a layout with strides, got ", layout->Text())});
  }
  Shape shape = ValueOrRaise(*std::move(forms.shape));
  // Tail padding is behind all elements, so it changes no offset.
  if (shape.layout) shape.layout->tail_padding_alignment_in_elements = 1;
  return {std::nullopt, 0, Compute([&] { return ShapeStrideOfHlo(shape); })};
}

Tiler TilerFromPython(nb::handle value) { return TilerAt(value, 0); }

PyLayout MakePyLayout(const ComposedLayout& composed) { return ReadPyLayout(ToString(composed)); }

PyLayout MakePyLayout(const ShapeStrideLayout& layout) { return ReadPyLayout(ToString(layout)); }

}  // namespace layoutcheck::python
