// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Layouts of Python as shape:stride layouts, and back.
#pragma once

#include <nanobind/nanobind.h>
#include <utility>
#include "errors.h"
#include "layout.h"
#include "layoutcheck/core/base/error.h"
#include "layoutcheck/core/shape_stride/composed_layout.h"
#include "layoutcheck/core/shape_stride/shape_stride_layout.h"

namespace layoutcheck::python {

// Returns the layout of an argument: a Layout, or the text of one. Raises LayoutError for other text, TypeError for
// other types.
PyLayout LayoutFromPython(nanobind::handle value);

// Return the layout as one of shape:stride notation, with or without a swizzle and an offset. Raise LayoutError for
// another notation; PlainOf also for a swizzle or an offset.
ComposedLayout ComposedOf(const PyLayout& layout);
ShapeStrideLayout PlainOf(const PyLayout& layout);
ShapeStrideLayout PlainOf(nanobind::handle value);
// Returns a layout of any notation as a shape:stride layout of the same offsets, whose padding is the coordinates
// beyond its origin shape. Raises LayoutError where ShapeStrideOfHlo has none.
ComposedLayout ConvertedOf(const PyLayout& layout);

// Returns a tiler: of a layout, an extent, None (the mode stays as it is), a text of core/shape_stride/text.h, or a
// tuple or list of tilers, one per mode. Raises as LayoutFromPython.
Tiler TilerFromPython(nanobind::handle value);

// Return the layout for Python. Raise LayoutError if its sizes do not fit int64.
PyLayout MakePyLayout(const ComposedLayout& composed);
PyLayout MakePyLayout(const ShapeStrideLayout& layout);

// Returns the result of `compute`, an Expected, without the interpreter lock meanwhile; raises its error.
template <class Function>
auto Compute(const Function& compute) {
  auto result = [&] {
    const nanobind::gil_scoped_release release;
    return compute();
  }();
  return ValueOrRaise(std::move(result));
}

}  // namespace layoutcheck::python
