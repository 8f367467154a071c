// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the faults of the algebra are made of.
#ifndef LAYOUTCHECK_PROPERTIES_FAULTS_ALGEBRA_FAULT_H_
#define LAYOUTCHECK_PROPERTIES_FAULTS_ALGEBRA_FAULT_H_

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

// The leaves of a layout's text, extents of 1 left out.
StridedModes LeavesOf(const std::string& text);

// Makes the text of a layout, a composed layout or a swizzle the answer.
void SetAnswer(ApplyAnswer& answer, const ShapeStrideLayout& layout);
void SetAnswer(ApplyAnswer& answer, const ComposedLayout& composed);
void SetAnswer(ApplyAnswer& answer, const Swizzle& swizzle);

// Changes the answer of one function, where it has one.
Plant In(std::string_view function, void (*change)(Arguments, ApplyAnswer&));

// The answer of another function, or for other arguments.
void Instead(std::string_view function, Arguments arguments, ApplyAnswer& answer);
void Swapped(std::string_view function, Arguments arguments, ApplyAnswer& answer);

// Changes the extents and strides of the layout that was answered.
void ChangeModes(ApplyAnswer& answer,
                 const std::function<void(std::vector<IntTuple>& extents, std::vector<IntTuple>& strides)>& change);

}  // namespace layoutcheck::algebra_fault

namespace layoutcheck {

// Part of AlgebraFaults: elements of another width, swizzles and composed layouts.
std::vector<Fault> RecastFaults();

}  // namespace layoutcheck

#endif  // LAYOUTCHECK_PROPERTIES_FAULTS_ALGEBRA_FAULT_H_
