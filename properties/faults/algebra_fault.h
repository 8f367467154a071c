// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Functions that build the faults of the algebra.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>
#include "layoutcheck/core/shape_stride/composed_layout.h"
#include "layoutcheck/core/shape_stride/shape_stride_layout.h"
#include "layoutcheck/core/shape_stride/swizzle.h"
#include "layoutcheck/properties/faults/fault.h"

namespace layoutcheck::algebra_fault {

using Arguments = std::span<const std::string>;
using Plant = std::function<void(FaultHooks&)>;
using StridedModes = std::vector<StridedMode>;

// Returns the leaves of a layout's text without those of extent 1.
StridedModes LeavesOf(const std::string& text);

void SetAnswer(ApplyAnswer& answer, const ShapeStrideLayout& layout);
void SetAnswer(ApplyAnswer& answer, const ComposedLayout& composed);
void SetAnswer(ApplyAnswer& answer, const Swizzle& swizzle);

// Returns a fault that changes the answers of one function.
Plant In(std::string_view function, void (*change)(Arguments, ApplyAnswer&));

// Sets the answer to that of another function or of exchanged arguments.
void Instead(std::string_view function, Arguments arguments, ApplyAnswer& answer);
void Swapped(std::string_view function, Arguments arguments, ApplyAnswer& answer);

void ChangeModes(ApplyAnswer& answer,
                 const std::function<void(std::vector<IntTuple>& extents, std::vector<IntTuple>& strides)>& change);

}  // namespace layoutcheck::algebra_fault

namespace layoutcheck {

// Returns the part of AlgebraFaults about elements of another width, swizzles and composed layouts.
std::vector<Fault> RecastFaults();
// Returns the part of AlgebraFaults about layouts by tag.
std::vector<Fault> TagFaults();
// Returns the part of AlgebraFaults about views, tiles and slices.
std::vector<Fault> ViewFaults();
// Returns the part of AlgebraFaults about layouts in bits.
std::vector<Fault> LinearFaults();

}  // namespace layoutcheck
