// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Functions that build the faults of the algebra.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>
#include "layoutcheck/core/shape_stride/composed_layout.h"
#include "layoutcheck/core/shape_stride/shape_stride_layout.h"
#include "layoutcheck/core/shape_stride/swizzle.h"
#include "layoutcheck/properties/faults/fault.h"

namespace layoutcheck::algebra_fault {

using Arguments = std::span<const std::string>;
using Texts = std::vector<std::string>;
using Tuples = std::vector<IntTuple>;
using StridedModes = std::vector<StridedMode>;

// The change of a function's answer: what it does is said by its type.
using FunctionChange =
    std::variant<std::function<void(Arguments, ApplyAnswer&)>,  // changes the answer
                 std::string_view,                              // the answer is that of the function of this name
                 std::function<Texts(Arguments)>,               // it is that for other arguments, if there are any
                 // The others change a layout, swizzle or composed layout in the answer.
                 std::function<void(Tuples& extents, Tuples& strides)>, std::function<void(ShapeStrideLayout&)>,
                 std::function<void(Swizzle&)>, std::function<void(ComposedLayout&)>>;

// A fault in one function of the algebra.
struct FaultInFunction {
  std::string_view name;
  std::string_view stands_for;
  std::string_view function;
  FunctionChange change;
};
std::vector<Fault> InFunctions(std::vector<FaultInFunction> faults);

// Returns the leaves of a layout's text without those of extent 1.
StridedModes LeavesOf(const std::string& text);

void SetAnswer(ApplyAnswer& answer, const ShapeStrideLayout& layout);
void SetAnswer(ApplyAnswer& answer, const ComposedLayout& composed);
void SetAnswer(ApplyAnswer& answer, const Swizzle& swizzle);

// Sets the answer to that of another function or for other arguments.
void Instead(std::string_view function, Arguments arguments, ApplyAnswer& answer);
Texts Swapped(Arguments arguments);
// Changes the leaves of the layout in the answer.
void ChangeModes(ApplyAnswer& answer, const std::function<void(Tuples& extents, Tuples& strides)>& change);

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
// Returns the part of AlgebraFaults about the contiguity, divisibility and constancy of tensors of integers.
std::vector<Fault> AxisFaults();
// Returns the part of AlgebraFaults about arrays on several devices.
std::vector<Fault> ShardingFaults();

}  // namespace layoutcheck
