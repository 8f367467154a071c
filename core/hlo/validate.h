// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks which shapes and layouts are legal, by the rules of XLA's LayoutUtil::ValidateLayoutForShape and
// ShapeUtil::ValidateShape in their order. The first broken rule is the error, always of kind kInvalidLayout.
#pragma once

#include "layoutcheck/core/base/error.h"
#include "layoutcheck/core/hlo/layout.h"
#include "layoutcheck/core/hlo/shape.h"

namespace layoutcheck {

// Checks that `layout` is legal for `shape`. No layout is legal for a tuple, and every one is for tokens and opaque
// values; a buffer counts as its array.
Expected<void> ValidateLayoutForShape(const Layout& layout, const Shape& shape);

// Checks the shape itself, without layout and elements: its type is known, its dimensions are >= 0 (or unbounded and
// dynamic), its element count and byte size fit int64, and only an array has dimensions.
Expected<void> ValidateDimensions(const Shape& shape);

enum class MissingLayout { kAllowed, kRejected };

// Checks the shape and everything in it with ValidateDimensions, then every layout with ValidateLayoutForShape.
Expected<void> ValidateShape(const Shape& shape, MissingLayout missing_layout);

}  // namespace layoutcheck
