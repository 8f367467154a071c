// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// From shape:stride layouts to XLA's tiled layouts.
#ifndef LAYOUTCHECK_CORE_BRIDGES_SHAPE_STRIDE_TO_HLO_H_
#define LAYOUTCHECK_CORE_BRIDGES_SHAPE_STRIDE_TO_HLO_H_

#include "layoutcheck/core/base/error.h"
#include "layoutcheck/core/hlo/element_type.h"
#include "layoutcheck/core/hlo/shape.h"
#include "layoutcheck/core/shape_stride/shape_stride_layout.h"

namespace layoutcheck {

// Returns an array shape with this layout: the same offset for every element and the same number of elements allocated
// (cosize and padded element count). Its dimensions are the origin shape, or without one the sizes of the modes.
//
// Errors: a stride of 0 or below, a gap or an overlap (sorted by stride, each integer must begin where the previous one
// ends), basis strides, no element (unsupported): no XLA layout is like that. Everything else is expressible in
// principle with enough tiles; an error of kind kUnavailable says that no layout of at most two tiles was found among
// those that cut where the integers of the modes do.
Expected<Shape> HloOfShapeStride(const ShapeStrideLayout& layout, ElementType type);

}  // namespace layoutcheck

#endif  // LAYOUTCHECK_CORE_BRIDGES_SHAPE_STRIDE_TO_HLO_H_
