// Between the notations of a layout: fractal tag, shape:stride, and XLA's tiled layout. A translation is exact or an
// error: the same offset for every element, and the same number of elements allocated (the cosize of a shape:stride
// layout, XLA's padded element count).
#ifndef LAYOUTCHECK_CORE_SHAPE_STRIDE_BRIDGES_H_
#define LAYOUTCHECK_CORE_SHAPE_STRIDE_BRIDGES_H_

#include "layoutcheck/core/base/error.h"
#include "layoutcheck/core/hlo/element_type.h"
#include "layoutcheck/core/hlo/layout.h"
#include "layoutcheck/core/hlo/shape.h"
#include "layoutcheck/core/shape_stride/shape_stride_layout.h"
#include "layoutcheck/core/shape_stride/tla.h"

namespace layoutcheck {

// The shape:stride layout of an array: a mode for each logical dimension, its integers without mergeable neighbors, and
// the dimensions as origin shape. f32[3,5]{1,0:T(2,2)} is ((2,2),(2,3)):((2,12),(1,4)).
// The offsets are decided exactly. Not expressible (unsupported): a dimension of 0; a tile that neither divides what it
// cuts inside a dimension nor is divided by it (the coordinate's digits then have no common mixed radix), unless the
// strides join again; sizes that differ, as where a tile pads what a tile made, or with tail padding. Other errors: as
// TiledLayoutOf, overflow.
Expected<ShapeStrideLayout> ShapeStrideOfHlo(const Shape& shape);

// An array shape with this layout, its dimensions the origin shape (the sizes of the modes where there is none).
// Not expressible (unsupported): what no XLA layout can be: a stride of 0 or below, a gap or an overlap (sorted by
// stride, each integer must begin where the one before it ends), basis strides. Everything else is expressible in
// principle by enough tiles; an error of kind kUnavailable says that no layout of at most two tiles was found among
// those that cut where the integers of the modes do.
Expected<Shape> HloOfShapeStride(const ShapeStrideLayout& layout, ElementType type);

// The XLA array with the layout of the tag, the same tiles for all sizes: zN is {0,1:T(C0,16)(C0,1)}. Types of 4 bits
// are packed, E(4). Errors: as MakeTlaLayout.
Expected<Shape> HloOfFractal(const FractalLayout& fractal);
// The XLA layout of MakeMxScaleLayout, for all sizes. Error: another tag.
Expected<Layout> HloLayoutOfMxScale(TlaTag tag, bool is_b);

}  // namespace layoutcheck

#endif  // LAYOUTCHECK_CORE_SHAPE_STRIDE_BRIDGES_H_
