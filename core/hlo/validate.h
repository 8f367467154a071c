// Which shapes and layouts are legal: the rules of XLA's LayoutUtil::ValidateLayoutForShape and
// ShapeUtil::ValidateShape.
#ifndef LAYOUTCHECK_CORE_HLO_VALIDATE_H_
#define LAYOUTCHECK_CORE_HLO_VALIDATE_H_

#include "layoutcheck/core/base/error.h"
#include "layoutcheck/core/hlo/layout.h"
#include "layoutcheck/core/hlo/shape.h"

namespace layoutcheck {

// Whether `layout` is legal for `shape`. The first broken rule, in XLA's order, is the error (kind kInvalidLayout). A
// tuple has no single layout; for tokens and opaque values nothing is looked at; a buffer counts as its array.
Expected<void> ValidateLayoutForShape(const Layout& layout, const Shape& shape);

// Whether the shape itself is legal, without its layout and its elements: a known type, dimensions >= 0 (or unbounded
// and dynamic), element count and byte size within int64; anything but an array has no dimensions.
Expected<void> ValidateDimensions(const Shape& shape);

enum class MissingLayout { kAllowed, kRejected };

// Whether the shape and every layout in it are legal: dimensions >= 0 (or unbounded and dynamic), element count and
// byte size within int64, layouts as above, recursively through tuples and buffers.
Expected<void> ValidateShape(const Shape& shape, MissingLayout missing_layout);

}  // namespace layoutcheck

#endif  // LAYOUTCHECK_CORE_HLO_VALIDATE_H_
