// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Small random changes of shapes and layouts as values, because changes of bytes rarely reach a valid tiled layout.
#pragma once

#include "layoutcheck/core/hlo/layout.h"
#include "layoutcheck/core/hlo/shape.h"
#include "layoutcheck/fuzz/text/random.h"

namespace layoutcheck {

// Makes one change: to a dimension and its place in the order, a size, the order, a tile or tile entry, an attribute, a
// dynamic bound, the element type, or the nesting in tuples and buffers. Most changes keep a valid shape valid; about
// one in ten breaks a validation rule.
void MutateShape(Shape& shape, Random& random);

void MutateLayout(Layout& layout, Random& random);

// Applies up to `max_changes` changes to a scalar or a layout of rank 0.
Shape RandomShape(Random& random, uint64_t max_changes);
Layout RandomLayout(Random& random, uint64_t max_changes);

// Adds a part of `donor` to the shape: its layout, its tiles, one of its elements, or all of it as an element.
void CrossShapes(Shape& shape, const Shape& donor, Random& random);

}  // namespace layoutcheck
