// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "layoutcheck/properties/axis/axis_expression.h"
#include "layoutcheck/properties/generate/choices.h"

namespace layoutcheck {

// Draws an expression of one or two dimensions, of up to 32 elements each, with at most three operations above any
// leaf, which may be a range plus a number. Constants are small, negative, 0, or at the ends of 32 bits; most divisions
// and shifts are defined.
AxisExpression DrawAxisExpression(Choices& choices);

}  // namespace layoutcheck
